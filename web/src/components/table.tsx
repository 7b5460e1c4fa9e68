import type { ComponentProps, ReactNode } from 'react'

/** A table that scrolls sideways by itself on a narrow screen, reachable by keyboard. `caption` names it. */
export function Table({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <ScrollRegion className="overflow-x-auto" aria-label={caption}>
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </ScrollRegion>
  )
}

const cell = 'border-line border-b px-3 py-2 align-top first:pl-0 last:pr-0'

export const Th = ({ className = '', ...rest }: ComponentProps<'th'>) => (
  <th scope="col" className={`${cell} font-semibold muted ${className}`} {...rest} />
)

export const Td = ({ className = '', ...rest }: ComponentProps<'td'>) => (
  <td className={`${cell} ${className}`} {...rest} />
)

/** A part of a page that scrolls by itself. It takes the focus, else a keyboard can't scroll it. Source: axe scrollable-region-focusable. */
export const ScrollRegion = (props: ComponentProps<'section'> & { 'aria-label': string }) => (
  <section {...FOCUSABLE} {...props} />
)

const FOCUSABLE = { tabIndex: 0 }
