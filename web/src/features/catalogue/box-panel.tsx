import type { ProductBox } from '@befaqt/domain/catalogue'
import { freshnessAt } from '@befaqt/domain/freshness-word'
import { dayText } from '@befaqt/domain/moment-text'
import { boxPath } from '@befaqt/domain/page-paths'
import { ButtonLink } from '#web/components/button.tsx'
import { Icon } from '#web/components/icon.tsx'
import { MarketZone, Moment } from '#web/time/time.tsx'
import { useAsOf } from '#web/time/today.ts'
import { Freshness } from './freshness.tsx'

/** How fresh a product is and where it was caught, with the way to its box's whole history. */
export function BoxPanel({ box }: { box: ProductBox }) {
  const now = useAsOf([box])
  const { bestBy } = freshnessAt(box, now)
  return (
    <section aria-labelledby="box" className="rounded-lg bg-ice p-5 sm:p-6">
      <h2 id="box" className="text-2xl">
        Where it’s from
      </h2>
      <div className="mt-3 text-lg">
        <Freshness box={box} now={now} />
      </div>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {box.catchPlace && (
          <>
            <dt className="text-slate">Caught</dt>
            <dd className="font-semibold">{box.catchPlace}</dd>
          </>
        )}
        {box.catchTime && (
          <>
            <dt className="text-slate">Caught on</dt>
            <dd className="font-semibold">
              <Moment at={box.catchTime} /> <MarketZone />
            </dd>
          </>
        )}
        {bestBy && (
          <>
            <dt className="text-slate">Best by</dt>
            <dd className="font-semibold">{dayText(bestBy)}, kept as cold as it was last measured</dd>
          </>
        )}
        <dt className="text-slate">Box</dt>
        <dd className="font-semibold">{box.boxID}</dd>
      </dl>
      <ButtonLink to={boxPath(box.boxID)} variant="secondary" className="mt-5">
        <Icon name="pin" />
        See full history
      </ButtonLink>
    </section>
  )
}
