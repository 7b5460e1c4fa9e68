import { memo, useEffect, useRef } from 'react'
import { BandMark } from './band-mark.tsx'
import { useMarkedReading } from './marked-reading.tsx'
import { coordinates, degrees, type ShownReading } from './readings.ts'

/** What scrolls has to take the focus, else a keyboard can't scroll it. Source: axe scrollable-region-focusable. */
const FOCUSABLE = { tabIndex: 0 }

type RowProps = { reading: ShownReading; index: number; marked: boolean; mark: (index: number) => void }

const Row = memo(function Row({ reading, index, marked, mark }: RowProps) {
  const { date, clock, place, temperature, band } = reading
  return (
    <tr
      aria-current={marked || undefined}
      onPointerEnter={() => mark(index)}
      onClick={() => mark(index)}
      className={`border-line border-b ${marked ? 'bg-teal-ice' : ''}`}
    >
      <td className="py-2 pr-3 pl-2">
        {date}
        <span className="max-sm:sr-only"> | </span>
        <span className="max-sm:block">{clock}</span>
      </td>
      <td className="py-2 pr-3 text-slate">{place ? coordinates(place) : 'no position'}</td>
      <td className="whitespace-nowrap py-2 pr-2 text-right">
        {degrees(temperature)} <span className="sr-only">{band}</span>
        <BandMark band={band} />
      </td>
    </tr>
  )
})

/** Every reading with its time, place and temperature; the marked one stays in sight. Source: spec §2. */
export function ReadingsTable({ readings }: { readings: readonly ShownReading[] }) {
  const { marked, mark } = useMarkedReading()
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const row = marked === null ? null : frame.current?.querySelectorAll('tbody tr')[marked]
    if (row instanceof HTMLElement && frame.current) bringIntoSight(frame.current, row)
  }, [marked])
  return (
    <section
      ref={frame}
      aria-label="Readings"
      {...FOCUSABLE}
      className="relative max-h-[22rem] overflow-y-auto rounded-md border border-line bg-surface print:max-h-none"
    >
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Temperature readings of this box, oldest first</caption>
        <thead className="sticky top-0 bg-ice text-left">
          <tr>
            <th scope="col" className="py-2 pr-3 pl-2 font-semibold">
              Date | time
            </th>
            <th scope="col" className="py-2 pr-3 font-semibold">
              Latitude / longitude
            </th>
            <th scope="col" className="py-2 pr-2 text-right font-semibold">
              Temperature
            </th>
          </tr>
        </thead>
        <tbody>
          {readings.map((reading, i) => (
            <Row key={reading.key} reading={reading} index={i} marked={i === marked} mark={mark} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Scrolls the frame, never the page. */
function bringIntoSight(frame: HTMLElement, row: HTMLElement): void {
  const head = frame.querySelector('thead')?.offsetHeight ?? 0
  const top = row.offsetTop - head
  const bottom = row.offsetTop + row.offsetHeight
  if (top < frame.scrollTop) frame.scrollTop = top
  else if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight
}
