import type { ReactNode } from 'react'

type PanelProps = { id: string; title: string; children: ReactNode }

/** A part of the page with a heading of its own. */
export const Panel = ({ id, title, children }: PanelProps) => (
  <section aria-labelledby={id} className="min-w-0">
    <h2 id={id} className="mb-2 text-xl">
      {title}
    </h2>
    {children}
  </section>
)

/** Classes of a list of compact rows. */
export const rowsClass = 'divide-y divide-line border-line border-y'
