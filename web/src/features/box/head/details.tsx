import type { BoxMetrics, BoxPageView } from '@befaqt/domain/api/box-api'
import { COLD_LIMIT, coldChainMark } from '@befaqt/domain/cold-chain'
import { tenths, unknownSince } from '@befaqt/domain/freshness-word'
import { dayText } from '@befaqt/domain/moment-text'
import { celsius } from '@befaqt/domain/tracking'
import type { ReactNode } from 'react'
import { MarketZone, Moment, useMarketZone } from '#web/time/time.tsx'
import { daysAway } from '#web/time/today.ts'
import { BandMark } from '../chart/reading-marks.tsx'
import { useVerdict } from '../check/page-check.tsx'
import { type Origin, OriginMark } from '../panel.tsx'
import { addressOf } from '../panels/format.ts'
import { StarLine } from '../panels/freshness-panel.tsx'
import { type BoxFreshness, coldChainSentence } from '../panels/shelf-life.ts'

type DetailsProps = {
  view: BoxPageView
  /** null where nothing may be said of it. */
  fresh: BoxFreshness | null
}

/** The figures of the head: how fresh, until when, how cold it stayed, where it was caught. */
export function Details({ view, fresh }: DetailsProps) {
  const { box, figures } = view
  return (
    <dl className="grid grid-cols-2 gap-x-5 gap-y-5 max-sm:order-last max-sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] max-sm:gap-x-3 max-sm:col-span-full max-sm:gap-y-2 max-sm:px-4 max-sm:pb-3 xl:gap-x-8">
      {fresh === null && (
        <Detail name="Freshness" origin="shop" wide>
          <span className="font-sans text-base text-slate">
            {view.recall === null
              ? 'This box is off sale: the shop says nothing of how fresh it is.'
              : 'Not to be eaten: nothing is said of how fresh it is.'}
          </span>
        </Detail>
      )}
      {fresh?.unknown && <Unknown unknown={fresh.unknown} today={fresh.today} />}
      {fresh && !fresh.unknown && (
        <>
          <Freshness figures={figures} fresh={fresh} />
          <BestBy figures={figures} fresh={fresh} />
        </>
      )}
      {figures.coldChain && (
        <Detail name="Cold chain" origin="computed" wide>
          <ColdChain figures={figures} fresh={fresh} />
        </Detail>
      )}
      <Caught box={box} addresses={view.addresses} />
    </dl>
  )
}

type DetailProps = { name: string; origin: Origin; wide?: boolean; children: ReactNode }

/** One figure, greyed when the check of its page failed. */
function Detail({ name, origin, wide = false, children }: DetailProps) {
  const isFailed = useVerdict().tone === 'bad'
  return (
    <div className={wide ? 'col-span-2' : ''}>
      <dt className="flex flex-wrap items-center gap-x-1 muted">
        {name}{' '}
        {isFailed ? (
          <b className="whitespace-nowrap font-semibold text-bad">not confirmed</b>
        ) : (
          <OriginMark origin={origin} />
        )}
      </dt>
      <dd
        className={`mt-1 font-serif text-xl leading-snug max-sm:mt-0 max-sm:text-lg md:text-2xl ${isFailed ? 'text-slate grayscale' : ''}`}
      >
        {children}
      </dd>
    </div>
  )
}

/** In place of word, stars and date, where a warm box fell silent. */
const Unknown = ({ unknown, today }: { unknown: NonNullable<BoxFreshness['unknown']>; today: string }) => (
  <Detail name="Freshness, best by" origin="computed" wide>
    <b className="font-semibold text-bad">{unknownSince(unknown, today)}</b>
  </Detail>
)

/** Stars with their word. */
function Freshness({ figures, fresh }: { figures: BoxMetrics; fresh: BoxFreshness }) {
  return (
    <Detail name="Freshness" origin="computed">
      <span className="flex flex-wrap items-center gap-x-3">
        <StarLine figures={figures} className="h-5 sm:h-7" />
        {fresh.word === 'past its best' ? (
          <b className="font-semibold text-bad">past its best</b>
        ) : (
          <span className="font-sans text-base">{fresh.word}</span>
        )}
      </span>
      {fresh.disagreement && (
        <span className="mt-1 block font-sans muted max-sm:hidden">{fresh.disagreement}</span>
      )}
    </Detail>
  )
}

/** How it is taken to lie: 'on ice', 'at 4 °C'. */
const keptText = (heldAt: number): string => (heldAt === 0 ? 'on ice' : `at ${tenths(heldAt)}`)

/** The best-by date, greyed where it rests on a day without readings. */
function BestBy({ figures, fresh }: { figures: BoxMetrics; fresh: BoxFreshness }) {
  const { bestBy, over, heldAt, today, measuredLong } = fresh
  const shown = bestBy ?? over?.date
  if (shown === undefined || heldAt === null)
    return (
      <Detail name="Best by" origin="computed">
        <span className="font-sans text-base">{figures.timeLeftWhyNot}</span>
      </Detail>
    )
  return (
    <Detail name={`Best by, kept ${keptText(heldAt)}`} origin="computed">
      <span className={measuredLong ? 'text-slate' : undefined}>{dayText(shown)}</span>
      <span className="block font-sans muted sm:text-base">
        {daysAway(today, shown)}
        {over && !over.isEstimate && ', by the careful edge of its range'}
        {measuredLong && `, last measured ${daysAway(today, measuredLong)}`}
      </span>
      {fresh.ifIced && fresh.warm === null && (
        <span className="block font-sans muted sm:text-base">if iced now: {dayText(fresh.ifIced)}</span>
      )}
    </Detail>
  )
}

/** That it was warm when it was last measured, and what that means. */
function WarmNow({ fresh: { warm, bestBy, ifIced } }: { fresh: BoxFreshness }) {
  if (warm === null) return null
  return (
    <span className="block font-semibold">
      Now {tenths(warm)}:{' '}
      {bestBy
        ? `best by ${dayText(bestBy)} if it stays so`
        : `above ${celsius(COLD_LIMIT)}, the limit for storage`}
      {ifIced && `, ${dayText(ifIced)} if iced now`}
    </span>
  )
}

/** The sentence with the mark of its band. */
function ColdChain({ figures, fresh }: { figures: BoxMetrics; fresh: BoxFreshness | null }) {
  const zone = useMarketZone()
  const { coldChain: chain, formsHistamine } = figures
  if (chain === null) return null
  const mark = coldChainMark(chain)
  const band = { cold: 'cold', silent: 'cool', warmed: 'warm' } as const
  return (
    <span className="flex items-baseline gap-2 font-sans text-base">
      <BandMark band={band[mark]} className="size-3.5 translate-y-0.5" />
      <span>
        {fresh && fresh.unknown === null && <WarmNow fresh={fresh} />}
        <span className={mark === 'cold' ? '' : 'font-semibold'}>
          {coldChainSentence(chain, zone, formsHistamine)}
        </span>
      </span>
    </span>
  )
}

function Caught({ box, addresses }: Pick<BoxPageView, 'box' | 'addresses'>) {
  const caught = box.catchProv
  if (!caught) return null
  const { method, locationCodeLat, locationCodeLong } = caught
  const address = addressOf(addresses, caught)
  const place =
    address ||
    [locationCodeLat, locationCodeLong]
      .flatMap((part) => (part === undefined || part === '' ? [] : String(part).replace('-', '−')))
      .join(' / ')
  return (
    <Detail name="Caught" origin="declared" wide>
      <Moment at={caught.time} /> <MarketZone />
      {place && (
        <span className="block font-sans text-base">
          {place} {address !== '' && <OriginMark origin="shop" />}
        </span>
      )}
      {method && <span className="block font-sans text-base text-slate">{method} fishing</span>}
    </Detail>
  )
}
