import type { FishReport } from '@befaqt/domain/api/desk-api'
import { Table, Th } from '#web/components/table.tsx'
import { EmptyList } from '../list/list-table.tsx'
import { BarsChart, type BarsRow } from './bars-chart.tsx'
import type { ChartKey } from './chart-frame.tsx'
import { amountText, Both, byMeasure, percent, type Row, sumsOfAll } from './fish-parts.tsx'
import { axisText } from './report-parts.tsx'

const lostKeys: readonly ChartKey[] = [
  ['bg-bad', 'lost'],
  ['bg-edge', 'in the range before'],
]

/** Why fish was lost, and how much of it. */
export function Reasons({ reasons, totals, more }: Pick<FishReport, 'reasons' | 'totals' | 'more'>) {
  if (reasons.length === 0)
    return <EmptyList>Nothing was lost of these boxes, nor of those before.</EmptyList>
  const bought = (measure: Row['measure'], when: 'now' | 'before'): number =>
    totals.find((total) => total.measure === measure)?.[when]?.bought ?? 0
  const timesOf = ({ measure }: Row, when: 'now' | 'before'): number =>
    reasons.reduce((sum, row) => sum + (row.measure === measure ? row[when].times : 0), 0)
  return (
    <>
      {byMeasure(reasons).map(([measure, some]) => (
        <BarsChart
          key={measure}
          label={measure === 'grams' ? 'Lost by weight' : 'Lost by number'}
          rows={some.map(
            ({ key, name, now, before }): BarsRow => ({
              ...{ key, name, text: amountText(now.lost, { measure }), now: [[now.lost, 'fill-bad']] },
              before: { text: amountText(before.lost, { measure }), parts: [[before.lost, 'fill-edge']] },
            }),
          )}
          least={measure === 'grams' ? 400 : 4}
          axis={(value) => axisText(amountText(value, { measure }))}
          keys={lostKeys}
        />
      ))}
      <Table caption="Waste by reason, each with the range before">
        <thead>
          <tr>
            <Th>Reason</Th>
            {['Times', 'Lost', 'Of what was bought'].map((heading) => (
              <Th key={heading} className="text-right">
                {heading}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reasons.map(({ key, name, measure, now, before }) => (
            <tr key={`${measure} ${key}`}>
              <th
                scope="row"
                className="min-w-32 border-line border-b py-2 pr-3 text-left align-top font-normal wrap-anywhere"
              >
                {name}
              </th>
              <Both now={now.times.toLocaleString('en-AU')} before={before.times.toLocaleString('en-AU')} />
              <Both now={amountText(now.lost, { measure })} before={amountText(before.lost, { measure })} />
              <Both
                now={percent(now.lost, bought(measure, 'now'))}
                before={percent(before.lost, bought(measure, 'before'))}
              />
            </tr>
          ))}
        </tbody>
        <tfoot className="bg-ice font-semibold">
          {sumsOfAll(totals)
            .filter(({ now, before }) => now.lost + (before?.lost ?? 0) > 0)
            .map((row) => (
              <AllLost key={row.measure} row={row} times={more ? null : (when) => timesOf(row, when)} />
            ))}
        </tfoot>
      </Table>
    </>
  )
}

type AllLostProps = { row: Row; times: ((when: 'now' | 'before') => number) | null }

/** What was lost for all reasons; how often that was is not known where not all of them are shown. */
const AllLost = ({ row, times }: AllLostProps) => (
  <tr>
    <th scope="row" className="border-line border-b py-2 pr-3 text-left align-top">
      {row.name}
    </th>
    <Both
      now={times ? times('now').toLocaleString('en-AU') : '–'}
      before={times ? times('before').toLocaleString('en-AU') : '–'}
    />
    <Both now={amountText(row.now.lost, row)} before={row.before && amountText(row.before.lost, row)} />
    <Both
      now={percent(row.now.lost, row.now.bought)}
      before={row.before && percent(row.before.lost, row.before.bought)}
    />
  </tr>
)
