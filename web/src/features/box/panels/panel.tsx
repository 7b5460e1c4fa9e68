import { type ReactNode, useId } from 'react'
import { type Origin, OriginMark } from './origin-mark.tsx'

type Props = {
  title: ReactNode
  id?: string
  /** How all values in it came to be known, where that is the same for all. */
  origin?: Origin
  className?: string
  children: ReactNode
}

/** A part of the page with its heading. */
export function Panel({ title, id, origin, className = '', children }: Props) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className={`border-line border-t pt-6 pb-10 ${className}`}>
      <div className="mb-5 flex items-baseline gap-2 print:mb-1">
        <h2 id={headingId} className="text-2xl md:text-3xl">
          {title}
        </h2>
        {origin && <OriginMark origin={origin} />}
      </div>
      {children}
    </section>
  )
}
