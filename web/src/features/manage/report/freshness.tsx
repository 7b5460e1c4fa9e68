import type { FishReport, FishSums } from '@befaqt/domain/api/desk-api'
import { Table, Th } from '#web/components/table.tsx'
import { EmptyList } from '../list/list-table.tsx'
import { BarsChart, type BarsRow } from './bars-chart.tsx'
import type { ChartKey } from './chart-frame.tsx'
import {
  amountText,
  Both,
  byMeasure,
  freshnessText,
  freshnessWords,
  percent,
  type Row,
  sumsOfAll,
} from './fish-parts.tsx'

/** How fresh fish was when it was sold, by species, as shares of what was sold, each with the range before. */
export function Freshness({ rows, totals }: Pick<FishReport, 'rows' | 'totals'>) {
  const isSold = ({ now, before }: Row): boolean => now.sold + (before?.sold ?? 0) > 0
  const [sold, all] = [rows.filter(isSold), sumsOfAll(totals).filter(isSold)]
  if (sold.length === 0) return <EmptyList>Nothing was sold of these boxes, nor of those before.</EmptyList>
  return (
    <>
      <p className="mb-2 max-w-prose muted">
        A bar is all that was sold of a species; the thin one below it is what was sold of the boxes before.
      </p>
      {byMeasure(sold).map(([measure, some]) => (
        <BarsChart
          key={measure}
          label={measure === 'grams' ? 'Freshness by weight' : 'Freshness by number'}
          rows={[...all.filter((row) => row.measure === measure), ...some].map(barsOf)}
          least={100}
          axis={(value) => `${value} %`}
          keys={keys}
        />
      ))}
      <FreshnessTable rows={sold} all={all} />
    </>
  )
}

const keys: readonly ChartKey[] = freshnessWords.map(([, word, , ground]) => [ground, word.toLowerCase()])

/** A row as its shares, which are all of it. */
function barsOf(row: Row): BarsRow {
  const { key, measure, name, now, before } = row
  const told = (sums: FishSums): string =>
    sums.sold <= 0 ? 'nothing sold' : `${amountText(sums.sold, row)} sold: ${freshnessText(sums)}`
  const parts = (sums: FishSums): BarsRow['now'] =>
    sums.sold <= 0 ? [] : freshnessWords.map(([word, , fill]) => [(sums[word] / sums.sold) * 100, fill])
  return {
    ...{ key: key || measure, name, text: amountText(now.sold, row), told: told(now), now: parts(now) },
    before: before && { text: told(before), parts: parts(before) },
  }
}

const FreshnessTable = ({ rows, all }: { rows: readonly Row[]; all: readonly Row[] }) => (
  <Table caption="Freshness when sold, by species, each with the range before">
    <thead>
      <tr>
        <Th>Species</Th>
        <Th className="text-right">Sold</Th>
        {freshnessWords.map(([name, word]) => (
          <Th key={name} className="text-right">
            {word}
          </Th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <FreshnessRow key={row.key} row={row} />
      ))}
    </tbody>
    <tfoot className="bg-ice font-semibold">
      {all.map((row) => (
        <FreshnessRow key={row.measure} row={row} isAll />
      ))}
    </tfoot>
  </Table>
)

function FreshnessRow({ row, isAll = false }: { row: Row; isAll?: boolean }) {
  const { name, now, before } = row
  return (
    <tr>
      <th
        scope="row"
        className={`min-w-32 border-line border-b py-2 pr-3 text-left align-top ${isAll ? '' : 'font-normal'}`}
      >
        {name}
      </th>
      <Both now={amountText(now.sold, row)} before={before && amountText(before.sold, row)} />
      {freshnessWords.map(([word]) => (
        <Share key={word} row={row} of={word} />
      ))}
    </tr>
  )
}

const Share = ({ row: { now, before }, of }: { row: Row; of: (typeof freshnessWords)[number][0] }) => (
  <Both now={percent(now[of], now.sold)} before={before && percent(before[of], before.sold)} />
)
