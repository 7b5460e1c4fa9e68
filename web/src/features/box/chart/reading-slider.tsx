import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { type Bar, nearestBar } from './bar-chart.ts'
import { useMarkedReading } from './marked-reading.tsx'
import { keyedReading, readingText, type ShownReading } from './readings.ts'

type Props = {
  label: string
  readings: readonly ShownReading[]
  bars: readonly Bar[]
  /** Width of the drawing inside, in its own units. */
  width: number
  className?: string
  children: ReactNode
}

/** Makes a drawing of readings a control: pointing at it or the arrow keys mark a reading. */
export function ReadingSlider({ label, readings, bars, width, className = '', children }: Props) {
  const { marked, mark } = useMarkedReading()
  const current = readings[marked ?? 0]
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    mark(nearestBar(bars, ((event.clientX - box.left) / box.width) * width))
  }
  const press = (event: KeyboardEvent) => {
    const next = keyedReading(event.key, marked ?? -1, readings.length)
    if (next === null) return
    event.preventDefault()
    mark(next)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={Math.max(1, readings.length)}
      aria-valuenow={(marked ?? 0) + 1}
      aria-valuetext={current ? readingText(current) : 'no reading'}
      className={`touch-pan-y ${className}`}
      onPointerMove={point}
      onPointerDown={point}
      onKeyDown={press}
    >
      {children}
    </div>
  )
}
