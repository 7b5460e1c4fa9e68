import type { FishReport, FishSums } from '@befaqt/domain/api/desk-api'
import { dayText } from '@befaqt/domain/moment-text'
import { Link } from 'react-router'
import { Table, Td, Th } from '#web/components/table.tsx'
import { EmptyList } from '../list/list-table.tsx'
import { managedBoxPath } from '../paths.ts'

type Row = FishReport['rows'][number]

/** Fish by species or box: what was bought, and what became of it. */
export function Fish({ report }: { report: FishReport }) {
  const { rows, totals, by, more } = report
  return (
    <>
      {rows.length === 0 ? (
        <EmptyList>No fish came in in these days.</EmptyList>
      ) : (
        <>
          <Totals rows={totals} />
          <FishTable rows={rows} by={by} />
          {more && <p className="mt-3 muted">These are the first 100. The file has all.</p>}
        </>
      )}
      <p className="mt-4 max-w-prose muted">
        Boxes count on the market day on which they were registered, with all that became of their fish until
        now. Bought is what they held, as linked to products; sold is what was packed from them; waste is what
        was lost, of what was bought. Freshness is what was said when it was packed.
      </p>
    </>
  )
}

const amountText = (value: number, { measure }: Pick<Row, 'measure'>): string =>
  measure === 'grams'
    ? `${(value / 1_000).toLocaleString('en-AU', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} kg`
    : `${value.toLocaleString('en-AU')} pcs`

const percent = (part: number, whole: number): string =>
  whole <= 0 ? '–' : `${Math.round((part / whole) * 1_000) / 10} %`

const figures = [
  ['Bought', ({ bought }: FishSums) => bought],
  ['Sold', ({ sold }: FishSums) => sold],
  ['Lost', ({ lost }: FishSums) => lost],
  ['Left', ({ left }: FishSums) => left],
] as const

function Totals({ rows }: { rows: readonly Row[] }) {
  return rows
    .filter(({ now, before }) => now.boxes + (before?.boxes ?? 0) > 0)
    .map((row) => (
      <dl
        key={row.measure}
        className="mb-6 grid grid-cols-2 gap-x-6 gap-y-4 rounded-lg border border-line bg-surface p-4 md:grid-cols-5"
      >
        {figures.map(([label, of]) => (
          <Total key={label} label={label} row={row} text={(sums) => amountText(of(sums), row)} />
        ))}
        <Total label="Waste" row={row} text={({ lost, bought }) => percent(lost, bought)} />
      </dl>
    ))
}

type TotalProps = { label: string; row: Row; text: (sums: FishSums) => string }

const Total = ({ label, row, text }: TotalProps) => (
  <div className="min-w-0">
    <dt className="font-semibold muted">{label}</dt>
    <dd className="text-xl tabular-nums sm:text-2xl">{text(row.now)}</dd>
    {row.before && <dd className="muted tabular-nums">before: {text(row.before)}</dd>}
  </div>
)

/** `relative`: what only screen readers are told stays within what scrolls. */
const number = 'relative text-right tabular-nums whitespace-nowrap'

function FishTable({ rows, by }: Pick<FishReport, 'rows' | 'by'>) {
  const most = (measure: Row['measure']): number =>
    Math.max(1, ...rows.filter((row) => row.measure === measure).map(({ now }) => now.bought))
  const scale = { grams: most('grams'), pieces: most('pieces') }
  return (
    <Table caption={by === 'box' ? 'Fish by box' : 'Fish by species, each with the range before'}>
      <thead>
        <tr>
          <Th>{by === 'box' ? 'Box' : 'Species'}</Th>
          <Th className="w-1/6 max-sm:hidden print:hidden">
            <Legend />
          </Th>
          {by === 'species' && <Th className="text-right">Boxes</Th>}
          {figures.map(([label]) => (
            <Th key={label} className="text-right">
              {label}
            </Th>
          ))}
          <Th className="text-right">Waste</Th>
          <Th>Freshness when sold</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.key} ${row.measure}`}>
            <th
              scope="row"
              className="min-w-32 border-line border-b py-2 pr-3 text-left align-top font-normal"
            >
              {by === 'box' ? <BoxName row={row} /> : row.name}
            </th>
            <Td className="max-sm:hidden print:hidden">
              <Became row={row} most={scale[row.measure]} />
            </Td>
            {by === 'species' && <Cell row={row} text={({ boxes }) => boxes.toLocaleString('en-AU')} />}
            {figures.map(([label, of]) => (
              <Cell key={label} row={row} text={(sums) => amountText(of(sums), row)} />
            ))}
            <Cell row={row} text={({ lost, bought }) => percent(lost, bought)} />
            <Td className="min-w-48">{freshnessText(row.now)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const BoxName = ({ row }: { row: Row }) => (
  <>
    <Link to={managedBoxPath(row.key)} className="link tap">
      {row.key}
    </Link>
    <span className="block muted">
      {row.name}
      {row.day && `, ${dayText(row.day)}`}
    </span>
  </>
)

type CellProps = { row: Row; text: (sums: FishSums) => string }

/** A figure, and below it what it was before. */
const Cell = ({ row: { now, before }, text }: CellProps) => (
  <Td className={number}>
    {text(now)}
    {before && (
      <span className="block text-sm muted">
        <span className="sr-only">before: </span>
        {text(before)}
      </span>
    )}
  </Td>
)

/** '80 % excellent, 20 % good'. */
function freshnessText({ sold, excellent, good, useSoon, over }: FishSums): string {
  if (sold <= 0) return 'nothing sold'
  const said = [
    [excellent, 'excellent'],
    [good, 'good'],
    [useSoon, 'use soon'],
    [over, 'past its best'],
    [sold - excellent - good - useSoon - over, 'not said'],
  ] as const
  return said
    .filter(([part]) => part > 0)
    .map(([part, word]) => `${percent(part, sold)} ${word}`)
    .join(', ')
}

const parts = [
  ['sold', 'fill-teal', 'bg-teal'],
  ['lost', 'fill-bad', 'bg-bad'],
  ['left', 'fill-edge', 'bg-edge'],
] as const

const Legend = () => (
  <span className="flex flex-wrap gap-x-3">
    {parts.map(([name, , ground]) => (
      <span key={name} className="inline-flex items-center gap-1">
        <span className={`inline-block size-2.5 rounded-sm ${ground}`} aria-hidden="true" />
        {name}
      </span>
    ))}
  </span>
)

/** What was bought as a bar, in the parts that it became. */
function Became({ row: { now }, most }: { row: Row; most: number }) {
  let x = 0
  return (
    <svg className="block h-6 w-full min-w-24" aria-hidden="true">
      {parts.map(([name, fill]) => {
        const width = (Math.max(0, now[name]) / most) * 100
        const from = x
        x += width
        return <rect key={name} x={`${from}%`} y="6" width={`${width}%`} height="12" className={fill} />
      })}
    </svg>
  )
}
