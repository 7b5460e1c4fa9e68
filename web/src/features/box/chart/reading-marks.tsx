import { bandSpans } from '@befaqt/domain/tracking'
import {
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useMemo,
  useState,
} from 'react'
import { type Bar, nearestBar } from './bar-chart.ts'
import { type Band, keyedReading, readingText, type ShownReading } from './readings.ts'

/** Fill of a band: blue, amber, red. Source: spec §9. */
export const bandFill: Record<Band, string> = { cold: 'fill-cold', cool: 'fill-cool', warm: 'fill-warm' }

const shapes: Record<Band, string> = {
  cold: 'M6 1a5 5 0 1 1 0 10a5 5 0 0 1 0-10z',
  cool: 'M6 .8 11.2 6 6 11.2.8 6z',
  warm: 'M6 1 11.5 11H.5z',
}

/** The band's own shape, so that colour is not needed to tell them apart: round, square on its tip, triangle. */
export function BandMark({ band, className = 'size-3' }: { band: Band; className?: string }) {
  return (
    <svg
      viewBox="0 0 12 12"
      className={`inline-block shrink-0 ${bandFill[band]} ${className}`}
      aria-hidden="true"
    >
      <path d={shapes[band]} />
    </svg>
  )
}

/** What colours and shapes mean. */
export function BandLegend() {
  return (
    <ul aria-label="Temperature bands" className="flex flex-wrap gap-x-5 gap-y-1 muted">
      {(['cold', 'cool', 'warm'] as const).map((band) => (
        <li key={band} className="flex items-center gap-2">
          <BandMark band={band} />
          <span>
            <b className="font-semibold text-ink">{band}</b>, {bandSpans[band]}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Which reading is marked on the map, in the charts and in the table at once; null for none. */
type Marked = { marked: number | null; mark: (index: number | null) => void }

const MarkedReading = createContext<Marked>({ marked: null, mark: () => undefined })

/** Around everything that shows readings: what is pointed at in one place is marked in all. */
export function MarkedReadingProvider({ children }: { children: ReactNode }) {
  const [marked, mark] = useState<number | null>(null)
  const value = useMemo(() => ({ marked, mark }), [marked])
  return <MarkedReading value={value}>{children}</MarkedReading>
}

/** The marked reading by its index, and how to mark another. */
export const useMarkedReading = (): Marked => useContext(MarkedReading)

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
