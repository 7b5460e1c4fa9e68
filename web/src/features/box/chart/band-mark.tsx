import { bandSpans } from '@befaqt/domain/tracking'
import type { Band } from './readings.ts'

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
    <ul aria-label="Temperature bands" className="flex flex-wrap gap-x-5 gap-y-1 text-slate text-sm">
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
