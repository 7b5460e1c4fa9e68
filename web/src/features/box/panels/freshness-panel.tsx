import type { BoxMetrics, BoxPageView } from '@befaqt/domain/api/box-api'
import type { Box } from '@befaqt/domain/box'
import { newest, sensorScoreFormula, starsFormula, warmthIndexNote } from '@befaqt/domain/freshness'
import { hasFreshness, unknownSince } from '@befaqt/domain/freshness-word'
import { Stars } from '#web/components/stars.tsx'
import { Table, Td, Th } from '#web/components/table.tsx'
import { Time, useMarketZone } from '#web/time/time.tsx'
import { useNow } from '#web/time/today.ts'
import { DescriptionItem, DescriptionList, type Origin, OriginMark, Panel } from '../panel.tsx'
import { addressOf, fraction } from './format.ts'
import { type BoxFreshness, boxFreshness } from './shelf-life.ts'

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
    <Table caption="Scores of the warmth index, from 0, as caught, to 1">
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

/** Stars by the specification's formula, or the words that say why there are none. */
export function StarLine({ figures, className }: { figures: BoxMetrics; className?: string }) {
  if (figures.pastItsBest) return <span className="font-sans text-base text-slate">warmth index used up</span>
  if (figures.stars === null) return <span className="text-slate">not rated yet</span>
  return <Stars count={figures.stars} {...(className && { className })} />
}

/** Stars and word, in its place what is not known, and why the two figures differ. */
function Rating({ figures, fresh }: { figures: BoxMetrics; fresh: BoxFreshness }) {
  if (fresh.unknown)
    return <b className="font-semibold text-bad">{unknownSince(fresh.unknown, fresh.today)}</b>
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 align-middle">
      <StarLine figures={figures} className="h-6" />
      <span className={fresh.word === 'past its best' ? 'font-semibold text-bad' : ''}>{fresh.word}</span>
    </span>
  )
}

/** How fresh the box is, and from which scores that was computed. Formula: freshness.md §1. */
export function FreshnessPanel({ view }: { view: BoxPageView }) {
  const { box, figures, addresses } = view
  const zone = useMarketZone()
  const now = useNow(view.asOf)
  const latest = newest(box.freshness, zone)
  const rows = scoreRows(box, latest)
  const fresh = hasFreshness(view) ? boxFreshness(figures, now, zone) : null
  return (
    <Panel className="no-print" title="Freshness assessment">
      <div className="grid gap-6">
        <DescriptionList>
          <DescriptionItem name="Rating" origin="computed">
            {fresh && <Rating figures={figures} fresh={fresh} />}
          </DescriptionItem>
          <DescriptionItem name="Warmth index" origin="computed">
            {fraction(figures.freshnessIndex)}
          </DescriptionItem>
          <DescriptionItem name="Date and time">{latest && <Time at={latest.time} />}</DescriptionItem>
          <DescriptionItem name="Address" origin="shop">
            {box.iotResult && addressOf(addresses, box.iotResult)}
          </DescriptionItem>
        </DescriptionList>
        {rows.length > 0 && <Scores rows={rows} />}
      </div>
      <div className="mt-5 grid max-w-2xl gap-2 muted">
        {fresh?.disagreement && <p>{fresh.disagreement}</p>}
        <p>
          The warmth index is 0 as caught and used up at 1: the weighted mean of the scores there are. The
          sensor's score is {sensorScoreFormula}. {warmthIndexNote} Stars: {starsFormula}, blank from 1 on.
          The word beside them follows the days that were used (‘Time left’), where they are known.
        </p>
      </div>
    </Panel>
  )
}
