import type { FishReport, FishSums } from '@befaqt/domain/api/desk-api'
import { dayText } from '@befaqt/domain/moment-text'
import { Link } from 'react-router'
import { Table, Td, Th } from '#web/components/table.tsx'
import { EmptyList } from '../list/list-table.tsx'
import { managedBoxPath } from '../paths.ts'
import { BarsChart, type BarsRow } from './bars-chart.tsx'
import type { ChartKey } from './chart-frame.tsx'
import { amountText, Both, byMeasure, freshnessText, percent, type Row, sumsOfAll } from './fish-parts.tsx'
import { Freshness } from './freshness.tsx'
import { axisText } from './report-parts.tsx'
import { Reasons } from './waste.tsx'

/** Fish by species or box: what was bought, and what became of it; or why some of it was lost. */
export function Fish({ report }: { report: FishReport }) {
  const { rows, totals, by, reasons, more } = report
  const isEmpty = totals.every(({ now, before }) => now.boxes + (before?.boxes ?? 0) === 0)
  return (
    <>
      {isEmpty ? (
        <EmptyList>No fish came in in these days, nor in those before.</EmptyList>
      ) : (
        <>
          <Totals rows={totals} />
          {by === 'reason' ? (
            <Reasons reasons={reasons} totals={totals} more={more} />
          ) : by === 'freshness' ? (
            <Freshness rows={rows} totals={totals} />
          ) : (
            <>
              <FishCharts rows={rows} />
              <FishTable report={report} />
            </>
          )}
          {more && <p className="mt-3 muted">These are the first 100. The file has all.</p>}
        </>
      )}
      <p className="mt-4 max-w-prose muted">
        Boxes count on the market day on which they were registered, with all that became of their fish until
        now. Bought is what they held, as linked to products; sold is what was packed from them; waste is what
        was lost, of what was bought.{' '}
        {by === 'reason'
          ? 'Reasons are as they were written when the loss was recorded.'
          : 'Freshness is what was said when it was packed.'}
      </p>
    </>
  )
}

const figures = [
  ['Bought', ({ bought }: FishSums) => bought],
  ['Sold', ({ sold }: FishSums) => sold],
  ['Lost', ({ lost }: FishSums) => lost],
  ['Left', ({ left }: FishSums) => left],
] as const

function Totals({ rows }: { rows: readonly Row[] }) {
  return sumsOfAll(rows).map((row) => (
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

function FishTable({ report: { by, rows, species, totals } }: { report: FishReport }) {
  const isBox = by === 'box'
  return (
    <Table
      caption={
        isBox
          ? 'Fish by box, each species with the range before'
          : 'Fish by species, each with the range before'
      }
    >
      <thead>
        <tr>
          <Th>{isBox ? 'Species and box' : 'Species'}</Th>
          <Th className="text-right">Boxes</Th>
          {figures.map(([label]) => (
            <Th key={label} className="text-right">
              {label}
            </Th>
          ))}
          <Th className="text-right">Waste</Th>
          <Th>Freshness when sold</Th>
        </tr>
      </thead>
      {isBox ? (
        species.map((all) => (
          <tbody key={all.key}>
            <FishRow row={all} isHead />
            {rows
              .filter(({ name, measure }) => name === all.name && measure === all.measure)
              .map((row) => (
                <FishRow key={row.key} row={row} />
              ))}
          </tbody>
        ))
      ) : (
        <tbody>
          {rows.map((row) => (
            <FishRow key={row.key} row={row} />
          ))}
        </tbody>
      )}
      <tfoot>
        {sumsOfAll(totals).map((row) => (
          <FishRow key={row.measure} row={row} isHead />
        ))}
      </tfoot>
    </Table>
  )
}

/** `isHead`: a species above its boxes. */
const FishRow = ({ row, isHead = false }: { row: Row; isHead?: boolean }) => (
  <tr className={isHead ? 'bg-ice font-semibold' : ''}>
    <th
      scope={isHead ? 'rowgroup' : 'row'}
      className={`min-w-32 border-line border-b py-2 pr-3 text-left align-top ${isHead ? '' : 'font-normal'}`}
    >
      {row.day === undefined ? row.name : <BoxName row={row} />}
    </th>
    <Cell row={row} text={({ boxes }) => (row.day === undefined ? boxes.toLocaleString('en-AU') : '')} />
    {figures.map(([label, of]) => (
      <Cell key={label} row={row} text={(sums) => amountText(of(sums), row)} />
    ))}
    <Cell row={row} text={({ lost, bought }) => percent(lost, bought)} />
    <Td className="min-w-48 font-normal">{freshnessText(row.now)}</Td>
  </tr>
)

const BoxName = ({ row }: { row: Row }) => (
  <>
    <Link to={managedBoxPath(row.key)} className="link tap">
      {row.key}
    </Link>
    {row.day && <span className="block muted">{dayText(row.day)}</span>}
  </>
)

type CellProps = { row: Row; text: (sums: FishSums) => string }

/** A figure, and below it what it was before. */
const Cell = ({ row: { now, before }, text }: CellProps) => (
  <Both now={text(now)} before={before && text(before)} />
)

const parts = [
  ['sold', 'fill-teal', 'fill-teal/50'],
  ['lost', 'fill-bad', 'fill-bad/50'],
  ['left', 'fill-edge', 'fill-edge/50'],
] as const

const keys: readonly ChartKey[] = [
  ['bg-teal', 'sold'],
  ['bg-bad', 'lost'],
  ['bg-edge', 'left'],
]

/** What was bought as bars, in the parts that it became; what is counted has a chart of its own. */
const FishCharts = ({ rows }: { rows: readonly Row[] }) =>
  byMeasure(rows).map(([measure, some]) => (
    <BarsChart
      key={measure}
      label={measure === 'grams' ? 'Bought by weight' : 'Bought by number'}
      rows={some.map(
        (row): BarsRow => ({
          key: row.key,
          name: row.day === undefined ? row.name : `${row.key}, ${row.name}`,
          text: becameText(row.now, row),
          now: parts.map(([name, fill]) => [row.now[name], fill]),
          before: row.before && {
            text: becameText(row.before, row),
            parts: parts.map(([name, , pale]) => [row.before?.[name] ?? 0, pale]),
          },
        }),
      )}
      least={measure === 'grams' ? 400 : 4}
      axis={(value) => axisText(amountText(value, { measure }))}
      keys={some.some(({ before }) => before) ? [...keys, ['bg-edge/50', 'paler: the range before']] : keys}
    />
  ))

/** '20.0 kg, 18.5 kg sold, 0.5 kg lost'. */
const becameText = ({ bought, sold, lost }: FishSums, row: Pick<Row, 'measure'>): string =>
  [amountText(bought, row), `${amountText(sold, row)} sold`, `${amountText(lost, row)} lost`].join(', ')
