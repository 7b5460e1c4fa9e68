import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { keyedReading } from '#web/features/box/chart/readings.ts'

/** A colour of a chart and what it means. */
export type ChartKey = readonly [ground: string, text: string]

type Place = { x: number; y: number; width: number }

type Props = {
  /** What is moved in, as 'Revenue, day'. */
  label: string
  count: number
  /** One of them in a sentence. */
  sentence: (index: number) => string
  /** Which of them is at a place of the drawing, in pixels; null: none. */
  at: (place: Place) => number | null
  /** They stand below one another, so that the arrow down leads to the next. */
  isList?: boolean
  keys: readonly ChartKey[]
  className?: string
  children: (marked: number | null) => ReactNode
}

const listKeys: Readonly<Record<string, string>> = { ArrowDown: 'ArrowRight', ArrowUp: 'ArrowLeft' }

/**
 * A drawing as a control: pointing at it or the arrow keys mark one of what it shows, which is then told. What a finger
 * marked stays when the finger is lifted.
 */
export function ChartFrame(props: Props) {
  const { label, count, sentence, at, isList = false, keys, className = '', children } = props
  const [asked, setAsked] = useState<number | null>(null)
  const marked = asked === null || asked >= count ? null : asked
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    setAsked(at({ x: event.clientX - box.left, y: event.clientY - box.top, width: box.width }))
  }
  const press = (event: KeyboardEvent): void => {
    const key = isList ? (listKeys[event.key] ?? event.key) : event.key
    const next = keyedReading(key, marked ?? -1, count)
    if (next === null) return
    event.preventDefault()
    setAsked(next)
  }
  const shown = marked ?? (isList ? 0 : count - 1)
  return (
    <figure className="mb-6 rounded-lg border border-line bg-surface p-3 sm:p-4 print:break-inside-avoid">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, count)}
        aria-valuenow={shown + 1}
        aria-valuetext={sentence(shown)}
        className={`touch-pan-y ${className}`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setAsked(null)}
        onKeyDown={press}
        onBlur={() => setAsked(null)}
      >
        {children(marked)}
      </div>
      <figcaption className="mt-2 flex flex-wrap justify-end gap-x-4 gap-y-1 muted">
        {keys.map(([ground, text]) => (
          <span key={text} className="inline-flex items-center gap-1.5">
            <span className={`inline-block size-3 rounded-sm ${ground}`} aria-hidden="true" />
            {text}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
