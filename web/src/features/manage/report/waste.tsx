import type { FishReport } from '@befaqt/domain/api/desk-api'
import { Table, Th } from '#web/components/table.tsx'
import { EmptyList } from '../list/list-table.tsx'
import { BarsChart, type BarsRow } from './bars-chart.tsx'
import type { ChartKey } from './chart-frame.tsx'
import { amountText, Both, byMeasure, percent, type Row } from './fish-parts.tsx'
import { axisText } from './report-parts.tsx'

const lostKeys: readonly ChartKey[] = [
  ['bg-bad', 'lost'],
  ['bg-edge', 'in the range before'],
]

/** Why fish was lost, and how much of it. */
export function Reasons({ reasons, totals }: Pick<FishReport, 'reasons' | 'totals'>) {
  if (reasons.length === 0)
    return <EmptyList>Nothing was lost of these boxes, nor of those before.</EmptyList>
  const bought = (measure: Row['measure'], when: 'now' | 'before'): number =>
    totals.find((total) => total.measure === measure)?.[when]?.bought ?? 0
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
      </Table>
    </>
  )
}
