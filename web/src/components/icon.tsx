import type { ReactNode } from 'react'

export type IconName = keyof typeof icons

/** A line icon, 24 px by default. Decorative: its meaning is written beside it. */
export function Icon({ name, className = 'size-6' }: { name: IconName; className?: string }) {
  return (
    <LineDrawing className={className}>
      <path d={icons[name]} />
    </LineDrawing>
  )
}

/** The frame of a line drawing on a 24×24 grid, in the colour of the text. */
export function LineDrawing({ className, children }: { className: string; children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

/** Path data of the shop's own line icons on a 24×24 grid, for `fill="none" stroke="currentColor"`. */
const icons = {
  award: 'M12 3.5a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM9 12.7 7.5 20.5l4.5-2.5 4.5 2.5L15 12.7',
  cart: 'M2.5 4h2.6l2.3 10.5a1.5 1.5 0 0 0 1.5 1.2h8.2a1.5 1.5 0 0 0 1.5-1.2L20.5 8H6M9.5 19.5v.01M17 19.5v.01',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  down: 'm6 9.5 6 6 6-6',
  filter: 'M4 6h16M7 12h10M10 18h4',
  left: 'm14.5 6-6 6 6 6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M6 12h12',
  next: 'M5 12h14m-6-6 6 6-6 6',
  out: 'M14 5h5v5M19 5l-9 9M17 14v4a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h4',
  pause: 'M9 6v12M15 6v12',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20c.7-3.5 3.7-5.5 7.5-5.5s6.800 2 7.5 5.5',
  pin: 'M12 21c4-4.5 6.5-8 6.5-11a6.5 6.5 0 1 0-13 0c0 3 2.5 6.5 6.5 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  play: 'M8 5.5v13l10.5-6.5z',
  plus: 'M12 6v12M6 12h12',
  right: 'm9.5 6 6 6-6 6',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20 20',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.400L17 7M10.5 10.5v5.5M13.5 10.5v5.5',
} as const
