import type { Site } from '@befaqt/domain/api/site-api'
import { dayText } from '@befaqt/domain/moment-text'
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { ScrollRegion } from '#web/components/table.tsx'
import { placeName } from '../towns.ts'
import { BandMark, useMarkedReading } from './reading-marks.tsx'
import {
  coordinates,
  degrees,
  rowWindow,
  type ShownReading,
  type TableRow,
  tableRows,
  WHOLE,
} from './readings.ts'

/** Height of every row, day and heading, so that those out of sight need not be there. The same as `h-10`. */
const ROW_REM = 2.5

type Market = Site['market']
type RowProps = {
  reading: ShownReading
  index: number
  market: Market
  marked: boolean
  mark: (index: number) => void
  row: number | undefined
}

/** Shown where there is room for it, where it is asked for, and where no script can show it. */
const onDemand = 'hidden group-has-checked:table-cell md:table-cell noscript:table-cell'
/** The temperature stands first on phones, third where there is room, as the specification has it. */
const [first, third] = ['md:hidden', 'max-md:hidden']

const Row = memo(function Row({ reading, index, market, marked, mark, row }: RowProps) {
  const { date, clock, place, spot, temperature, band } = reading
  const warmth = (
    <>
      {degrees(temperature)} <span className="sr-only">{band}</span>
      <BandMark band={band} />
    </>
  )
  const name = place && placeName(place, market)
  return (
    <tr
      aria-current={marked || undefined}
      aria-rowindex={row}
      onPointerEnter={() => mark(index)}
      onClick={() => mark(index)}
      className={`h-10 whitespace-nowrap ${marked ? 'bg-teal-ice' : ''}`}
    >
      <td className={`border-line border-b pr-4 pl-3 text-right font-semibold ${first}`}>{warmth}</td>
      <td className="border-line border-b pr-4 md:pl-3">
        <span className="max-md:hidden">{date} | </span>
        {clock}
      </td>
      <td className={`border-line border-b pr-4 text-slate ${onDemand}`}>
        {place ? coordinates(place) : 'no position'}
      </td>
      <td className={`border-line border-b pr-4 text-right font-semibold ${third}`}>{warmth}</td>
      <td className="w-full max-w-0 truncate border-line border-b pr-3 text-slate group-has-checked:max-md:hidden">
        {place ? `${name ?? 'far from any port'}${spot ? '' : ', last known'}` : 'no position'}
      </td>
    </tr>
  )
})

/** Rows that are out of sight, as room for them. */
function Room({ rows }: { rows: number }) {
  if (rows <= 0) return null
  return (
    <tr className="noscript:hidden">
      <td colSpan={5}>
        <svg width="1" height={`${rows * ROW_REM}rem`} className="block" aria-hidden="true" />
      </td>
    </tr>
  )
}

/** @param isWhole the table is: on wide screens each row has its date, and in a long one rows out of sight are counted */
function Day({ day, isWhole }: { day: string; isWhole: boolean }) {
  return (
    <tr className={`h-10 ${isWhole ? 'md:hidden' : ''}`}>
      <th
        scope="rowgroup"
        colSpan={5}
        className="sticky top-10 border-line border-b bg-surface pl-3 text-left font-semibold"
      >
        {dayText(day)}
      </th>
    </tr>
  )
}

type RowsProps = { readings: readonly ShownReading[]; market: Market; frame: RefObject<HTMLElement | null> }

/** The rows that are in sight, and some around them. */
function Rows({ readings, market, frame }: RowsProps) {
  const { marked, mark } = useMarkedReading()
  const rows = useMemo(() => tableRows(readings), [readings])
  const top = useTopRow(frame, rows.length > WHOLE)
  useEffect(() => {
    if (marked === null || !frame.current) return
    const row = frame.current.querySelector<HTMLElement>('tr[aria-current]')
    const height = rowHeight(frame.current)
    const place = row?.offsetTop ?? (rows.findIndex(({ index }) => index === marked) + 1) * height
    bringIntoSight(frame.current, place, height)
  }, [frame, rows, marked])
  const [from, to] = rowWindow(rows.length, top)
  const shown = rows.slice(from, to)
  const rowIndexOf = (i: number) => (rows.length > WHOLE ? from + i + 2 : undefined)
  const continues = shown[0] && shown[0].index !== null
  return (
    <tbody>
      <Room rows={from - (continues ? 1 : 0)} />
      {continues && <Day day={shown[0]?.day ?? ''} isWhole={false} />}
      {shown.map(({ day, index }: TableRow, i) => {
        const reading = index === null ? undefined : readings[index]
        if (!reading || index === null) return <Day key={day} day={day} isWhole={rows.length <= WHOLE} />
        const key = reading.key
        return (
          <Row
            key={key}
            {...{ reading, index, market, mark, row: rowIndexOf(i) }}
            marked={index === marked}
          />
        )
      })}
      <Room rows={rows.length - to} />
    </tbody>
  )
}

/**
 * Every reading: when, where and how warm; on phones under its day, the temperature first. The marked one stays in sight.
 * Source: spec §2, look.md.
 */
export function ReadingsTable({ readings, market }: { readings: readonly ShownReading[]; market: Market }) {
  const frame = useRef<HTMLElement>(null)
  return (
    <div className="group min-w-0">
      <label className="mb-1 tap gap-2 text-sm md:hidden noscript:hidden">
        <input type="checkbox" className="size-5 accent-teal" />
        Latitude and longitude in place of names
      </label>
      <ScrollRegion
        ref={frame}
        aria-label="Readings"
        className="relative max-h-[22rem] overflow-y-auto rounded-md border border-line bg-surface print:max-h-none"
      >
        <table
          className="w-full border-separate border-spacing-0 text-sm"
          aria-rowcount={readings.length > WHOLE ? tableRows(readings).length + 1 : undefined}
        >
          <caption className="sr-only">Temperature readings of this box, oldest first</caption>
          <thead className="sticky top-0 z-10 bg-ice text-left">
            <tr className="h-10">
              <th scope="col" className={`pr-4 pl-3 text-right font-semibold ${first}`}>
                Temperature
              </th>
              <th scope="col" className="whitespace-nowrap pr-4 font-semibold md:pl-3">
                <span className="max-md:hidden">Date | time</span>
                <span className="md:hidden">Time</span>
              </th>
              <th scope="col" className={`whitespace-nowrap pr-4 font-semibold ${onDemand}`}>
                Latitude / longitude
              </th>
              <th scope="col" className={`pr-4 text-right font-semibold ${third}`}>
                Temperature
              </th>
              <th scope="col" className="pr-3 font-semibold group-has-checked:max-md:hidden">
                Place
              </th>
            </tr>
          </thead>
          <Rows readings={readings} market={market} frame={frame} />
        </table>
      </ScrollRegion>
      {readings.length > WHOLE && (
        <p className="hidden muted noscript:block">
          The first of {readings.length} readings; your browser runs no script. All are in the proof.
        </p>
      )}
    </div>
  )
}

/** The first row in sight of a table that scrolls; 0 of one that is there whole. */
function useTopRow(frame: RefObject<HTMLElement | null>, isLong: boolean): number {
  const [top, setTop] = useState(0)
  useEffect(() => {
    const element = frame.current
    if (!element || !isLong) return
    const follow = () => setTop(Math.floor(element.scrollTop / rowHeight(element) / 10) * 10)
    follow()
    element.addEventListener('scroll', follow, { passive: true })
    return () => element.removeEventListener('scroll', follow)
  }, [frame, isLong])
  return top
}

const rowHeight = (frame: HTMLElement): number => frame.querySelector('thead')?.offsetHeight || 40

/**
 * Scrolls the frame, never the page, so that a row is between the heading of its day and the lower edge.
 * @param place of the row below the upper edge of the table, and its height, in pixels
 */
function bringIntoSight(frame: HTMLElement, place: number, height: number): void {
  const [top, bottom] = [place - 2 * height, place + height]
  if (top < frame.scrollTop) frame.scrollTop = top
  else if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight
}
