import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import { newest } from '@befaqt/domain/assessment'
import type { Box } from '@befaqt/domain/box'
import { sensorScoreFormula } from '@befaqt/domain/freshness'
import { starsFormula } from '@befaqt/domain/stars-formula'
import { Stars } from '#web/components/stars.tsx'
import { Table, Td, Th } from '#web/components/table.tsx'
import { Time, useMarketZone } from '#web/time/time.tsx'
import { DescriptionItem, DescriptionList } from './description-list.tsx'
import { type Addresses, addressOf, fraction } from './format.ts'
import { type Origin, OriginMark } from './origin-mark.tsx'
import { Panel } from './panel.tsx'

type Props = { box: Box; figures: BoxMetrics; addresses: Addresses }
type ScoreRow = {
  name: string
  score: number | undefined
  weight: number | undefined
  by: string
  origin: Origin
}

/** The sensor's result with the first of the e-eye and the first of the e-nose. Source: spec §2. */
function scoreRows(
  { iotResult, imageProc, e_nose }: Box,
  weights: Box['freshness'][number] | undefined,
): ScoreRow[] {
  const [eye] = imageProc
  const [nose] = e_nose
  return [
    {
      name: 'Sensor',
      score: iotResult?.iotScore,
      weight: weights?.conf_iot,
      by: iotResult?.operator,
      origin: 'computed',
    },
    { name: 'E-eye', score: eye?.imgScore, weight: weights?.conf_img, by: eye?.operator, origin: 'measured' },
    {
      name: 'E-nose',
      score: nose?.noseScore,
      weight: weights?.conf_enose,
      by: nose?.operator,
      origin: 'measured',
    },
  ].flatMap(({ by, ...row }) =>
    row.score === undefined ? [] : [{ ...row, by: by ?? '', origin: row.origin as Origin }],
  )
}

function Scores({ rows }: { rows: ScoreRow[] }) {
  return (
    <Table caption="Freshness scores, 0 is fresh and 1 is past its best">
      <thead>
        <tr>
          <Th>Score of</Th>
          <Th>Score</Th>
          <Th>Weight</Th>
          <Th>Operator</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, score, weight, by, origin }) => (
          <tr key={name}>
            <Td>
              {name} <OriginMark origin={origin} />
            </Td>
            <Td>{fraction(score)}</Td>
            <Td>{fraction(weight)}</Td>
            <Td>{by}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** Stars, or the words that say why there are none. */
export function StarLine({ figures, className }: { figures: BoxMetrics; className?: string }) {
  if (figures.pastItsBest) return <b className="font-semibold text-bad">past its best</b>
  if (figures.stars === null) return <span className="text-slate">not rated yet</span>
  return <Stars count={figures.stars} {...(className && { className })} />
}

/** How fresh the box is, and from which scores that was computed. Formula: freshness.md §1. */
export function FreshnessPanel({ box, figures, addresses }: Props) {
  const latest = newest(box.freshness, useMarketZone())
  const rows = scoreRows(box, latest)
  return (
    <Panel className="no-print" title="Freshness assessment">
      <div className="grid gap-6">
        <DescriptionList>
          <DescriptionItem name="Rating" origin="computed">
            <StarLine figures={figures} className="h-6" />
          </DescriptionItem>
          <DescriptionItem name="Freshness index" origin="computed">
            {fraction(figures.freshnessIndex)}
          </DescriptionItem>
          <DescriptionItem name="Date and time">{latest && <Time at={latest.time} />}</DescriptionItem>
          <DescriptionItem name="Address" origin="shop">
            {box.iotResult && addressOf(addresses, box.iotResult)}
          </DescriptionItem>
        </DescriptionList>
        {rows.length > 0 && <Scores rows={rows} />}
      </div>
      <p className="mt-5 max-w-2xl text-slate text-sm">
        0 is as caught, 1 is past its best. The index is the weighted mean of the scores there are; the
        sensor's score is {sensorScoreFormula}. Stars: {starsFormula}.
      </p>
    </Panel>
  )
}
