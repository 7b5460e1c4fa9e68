import type { BoxMetrics, BoxPageView } from '@befaqt/domain/api/box-api'
import { COLD_LIMIT } from '@befaqt/domain/cold-chain'
import { durationText } from '@befaqt/domain/duration-text'
import { shelfLifeUsed } from '@befaqt/domain/freshness-facts'
import { hasFreshness, tenths, unknownSince, WORD_FROM } from '@befaqt/domain/freshness-word'
import { HISTAMINE_SOURCE } from '@befaqt/domain/species-shelf-life'
import {
  type DaysLeft,
  daysLeft,
  HOLDING_TEMPERATURES,
  spoilageFormulas,
  UNCERTAINTY,
} from '@befaqt/domain/time-left'
import { celsius } from '@befaqt/domain/tracking'
import { Moment, useMarketZone } from '#web/time/time.tsx'
import { useNow } from '#web/time/today.ts'
import { DescriptionItem, DescriptionList, Panel } from '../panel.tsx'
import { days, daysRange, percent } from './format.ts'
import { boxFreshness } from './shelf-life.ts'

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
      <b className="whitespace-nowrap font-medium font-serif text-2xl">{daysRange(low, high)}</b>
      <span className="muted">most likely {days(left)}</span>
    </li>
  )
}

function Formula({ timeLeft }: { timeLeft: TimeLeft }) {
  const { species, shelfLifeAt0, daysUsed, low, high } = timeLeft
  return (
    <details className="mt-6 max-w-2xl text-sm">
      <summary className="link tap">How this is calculated</summary>
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
          ). Long silences of the sensor widen it, and so does the time from the catch to the first reading,
          which its upper edge counts at 5 °C or at that reading, whichever is warmer.
        </p>
      </div>
    </details>
  )
}

/** What the box is taken to lie at since its last reading. */
function HeldSince({ timeLeft }: { timeLeft: TimeLeft }) {
  return (
    <p className="mt-5 muted">
      Counted from now at a steady temperature.{' '}
      {timeLeft.held.map(({ temperature, from }, i) => (
        <span key={from}>
          {i === 0 ? 'Since its last reading, ' : ', since a probe’s at its hand-over, '}
          <Moment at={from} />
          {i === 0 ? ', the box is taken to lie ' : ', '}
          {temperature === 0 ? 'on ice' : `at ${tenths(temperature)}`}
        </span>
      ))}
      .
    </p>
  )
}

/** How long the fish keeps, as a range, and what that rests on. Source: freshness.md §2. */
export function TimeLeftPanel({ view }: { view: BoxPageView }) {
  const { figures, asOf } = view
  const { timeLeft, timeLeftWhyNot } = figures
  const now = useNow(asOf)
  const { unknown, today, share } = boxFreshness(figures, now, useMarketZone())
  if (!hasFreshness(view)) return null
  return (
    <Panel className="no-print" title="Time left" origin="computed">
      {unknown ? (
        <p>
          <b className="font-semibold text-bad">It is {unknownSince(unknown, today)}.</b> No reading has come
          for more than twice the usual interval: how many days are left, nobody can say.
        </p>
      ) : timeLeft ? (
        <>
          <ul className="grid gap-5 sm:grid-cols-3">
            {HOLDING_TEMPERATURES.map((temperature) => (
              <Holding key={temperature} {...daysLeft(shelfLifeUsed(timeLeft), temperature, now)} />
            ))}
          </ul>
          <HeldSince timeLeft={timeLeft} />
          <p className="mt-2 muted">
            At the careful edge of the range it has used {percent(share)} of its shelf life. The word follows
            that share: excellent under {percent(WORD_FROM.good)}, good under {percent(WORD_FROM.useSoon)},
            use soon under 100 %, from which on fish is past its best. A word holds for a whole day, and after
            a last temperature above {celsius(COLD_LIMIT)} it is at best ‘use soon’.
          </p>
          {timeLeft.unconfirmed && (
            <p className="mt-2 muted">
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

/** How well the box was kept cold. Never a verdict on food safety, and it says so. Source: freshness.md §3. */
export function ColdChainPanel({ figures: { coldChain, formsHistamine } }: { figures: BoxMetrics }) {
  if (coldChain === null) return null
  const { minutesAbove5, minutesToCold, longestSilenceMinutes } = coldChain
  return (
    <Panel title="Cold chain" origin="computed">
      <DescriptionList>
        <DescriptionItem name={`Total time above ${celsius(COLD_LIMIT)}`}>
          {durationText(minutesAbove5)}
        </DescriptionItem>
        <DescriptionItem name={`Time to chill to ${celsius(COLD_LIMIT)} or below`}>
          {minutesToCold === null
            ? `no reading at or below ${celsius(COLD_LIMIT)} yet`
            : durationText(minutesToCold)}
        </DescriptionItem>
        <DescriptionItem name="Longest gap in readings">
          {longestSilenceMinutes === null ? 'too few readings to say' : durationText(longestSilenceMinutes)}
        </DescriptionItem>
      </DescriptionList>
      {formsHistamine && (
        <p className="mt-5 max-w-2xl">
          <b className="font-semibold">This species forms histamine where it gets warm.</b> Warmth is a matter
          of safety here, not of quality alone, and cooking does not undo it.{' '}
          <span className="muted">Source: {HISTAMINE_SOURCE}.</span>
        </p>
      )}
      <p className="mt-5 max-w-2xl muted">
        Unusual readings alert the market’s managers. Alerts prompt a check. They are not a food-safety
        ruling.
      </p>
    </Panel>
  )
}
