import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import {
  type DaysLeft,
  daysLeft,
  HOLDING_TEMPERATURES,
  spoilageFormulas,
  UNCERTAINTY,
} from '@befaqt/domain/time-left'
import { celsius } from '@befaqt/domain/tracking'
import { useNow } from '#web/time/now.ts'
import { Time } from '#web/time/time.tsx'
import { shelfLifeUsed } from '../head/shelf-life.ts'
import { days, daysRange, percent } from './format.ts'
import { Panel } from './panel.tsx'

type TimeLeft = NonNullable<BoxMetrics['timeLeft']>

const [ICE, GOOD_FRIDGE, WARM_FRIDGE] = HOLDING_TEMPERATURES
const places: Readonly<Record<number, string>> = {
  [ICE]: 'on ice',
  [GOOD_FRIDGE]: 'in a good fridge',
  [WARM_FRIDGE]: 'in a warm fridge',
}

function Holding({ temperature, days: left, low, high }: DaysLeft) {
  return (
    <li className="grid border-line border-l-2 pl-4">
      <span className="text-slate">
        {places[temperature] ?? 'held'} at {celsius(temperature)}
      </span>
      <b className="font-serif font-medium text-3xl">{daysRange(low, high)}</b>
      <span className="text-slate text-sm">most likely {days(left)}</span>
    </li>
  )
}

function Formula({ timeLeft }: { timeLeft: TimeLeft }) {
  const { species, shelfLifeAt0, daysUsed, low, high } = timeLeft
  return (
    <details className="mt-6 max-w-2xl text-sm">
      <summary className="link inline-flex min-h-11 items-center">How this is calculated</summary>
      <div className="grid gap-3 text-slate">
        <p>
          {species} keeps {days(shelfLifeAt0)} days at 0 °C from the catch. At other temperatures it spoils at
          a relative rate: {spoilageFormulas.temperate} for temperate species, {spoilageFormulas.tropical} for
          tropical ones. Adding that rate over the readings since the catch, this box has used{' '}
          {days(daysUsed)} days at 0 °C ({days(low)} to {days(high)}). What is left is divided by the rate at
          the temperature that it is held at.
        </p>
        <p>
          The range is ±{percent(UNCERTAINTY)} of the days used; the published error on real cold chains is
          5.8 % (
          <a className="link" rel="noopener" href="https://doi.org/10.1128/aem.67.4.1821-1829.2001">
            Koutsoumanis 2001
          </a>
          ). Long silences of the sensor widen it.
        </p>
      </div>
    </details>
  )
}

/** How long the fish keeps, as a range, and what that rests on. Source: freshness.md §2. */
export function TimeLeftPanel({ figures, asOf }: { figures: BoxMetrics; asOf: string }) {
  const { timeLeft, timeLeftWhyNot } = figures
  const now = useNow(asOf)
  return (
    <Panel className="no-print" title="Time left" origin="computed">
      {timeLeft ? (
        <>
          <ul className="grid gap-5">
            {HOLDING_TEMPERATURES.map((temperature) => (
              <Holding key={temperature} {...daysLeft(shelfLifeUsed(timeLeft), temperature, now)} />
            ))}
          </ul>
          <p className="mt-5 text-slate text-sm">
            Counted from now at a steady temperature. Since the last reading,{' '}
            <Time at={timeLeft.lastReadingAt} />, the box is taken to lie on ice.
          </p>
          {timeLeft.unconfirmed && (
            <p className="mt-2 text-slate text-sm">
              <b className="font-semibold text-ink">Unconfirmed:</b> the {days(timeLeft.shelfLifeAt0)} days at
              0 °C of {timeLeft.species} are a default of this shop; no trial of the species is behind them.
            </p>
          )}
          <Formula timeLeft={timeLeft} />
        </>
      ) : (
        <p>{timeLeftWhyNot}</p>
      )}
    </Panel>
  )
}
