import { type ReactNode, useId } from 'react'

type Props = { title: ReactNode; id?: string; className?: string; children: ReactNode }

/** A part of the page with its heading. */
export function Panel({ title, id, className = '', children }: Props) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className={`border-line border-t pt-6 pb-10 ${className}`}>
      <h2 id={headingId} className="mb-5 text-2xl md:text-3xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
