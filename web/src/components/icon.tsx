import { icons } from './icons.ts'

export type IconName = keyof typeof icons

/** A line icon, 24 px unless told otherwise. Decorative: what it stands for is said beside it. */
export function Icon({ name, className = 'size-6' }: { name: IconName; className?: string }) {
  return <LineIcon path={icons[name]} className={className} />
}

/** A line drawing from path data on a 24×24 grid. */
export function LineIcon({ path, className = 'size-6' }: { path: string; className?: string }) {
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
      <path d={path} />
    </svg>
  )
}
