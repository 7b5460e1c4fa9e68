import type { ProductBox } from '@befaqt/domain/catalogue'
import { ButtonLink } from '#web/components/button.tsx'
import { Icon } from '#web/components/icon.tsx'
import { MarketZone, Time } from '#web/time/time.tsx'
import { Freshness } from './freshness.tsx'
import { boxPath } from './product-path.ts'

function range({ low, high }: { low: number; high: number }): string {
  const [from, to] = [Math.round(low), Math.round(high)]
  return from === to ? `${from} on ice` : `${from} to ${to} on ice`
}

/** How fresh a product is and where it was caught, with the way to its box's whole history. */
export function BoxPanel({ box }: { box: ProductBox }) {
  return (
    <section aria-labelledby="box" className="rounded-lg bg-ice p-5 sm:p-6">
      <h2 id="box" className="text-2xl">
        Follow this fish
      </h2>
      <div className="mt-3 text-lg">
        <Freshness box={box} />
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
            <dt className="text-slate">At</dt>
            <dd className="font-semibold">
              <Time at={box.catchTime} /> <MarketZone />
            </dd>
          </>
        )}
        {box.daysLeft && (
          <>
            <dt className="text-slate">Days left</dt>
            <dd className="font-semibold">{range(box.daysLeft)}</dd>
          </>
        )}
        <dt className="text-slate">Box</dt>
        <dd className="font-semibold">{box.boxID}</dd>
      </dl>
      <ButtonLink to={boxPath(box.boxID)} variant="secondary" className="mt-5">
        <Icon name="pin" />
        See its whole history
      </ButtonLink>
    </section>
  )
}
