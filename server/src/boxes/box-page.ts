import type { BoxMetrics, BoxPageView } from '@befaqt/domain/api/box-api'
import type { Box } from '@befaqt/domain/box'
import { HOUR_MS } from '@befaqt/domain/durations'
import { eq } from 'drizzle-orm'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import type { Catalogue } from '#server/catalogue/catalogue.ts'
import type { Db } from '#server/db/client.ts'
import { productBoxes, products as productTable } from '#server/db/schema/shop.ts'
import type { Geocoder } from '#server/geocode/port.ts'
import { hourOf } from './box-version.ts'
import { formerLedger, landedAt } from './box-way.ts'
import { recallOf } from './recall.ts'
import { recordRows } from './records/record-rows.ts'
import { readWholeBox } from './whole-box.ts'

/** What the page of a box is made of. */
export type BoxPageDeps = {
  db: Db
  catalogue: Catalogue
  geocoder: Geocoder
  siteFile: { market: Market }
  now: () => Date
}

/** All that the box page shows. @throws ShopError `box.not_found` */
export async function boxPage(deps: BoxPageDeps, boxID: string): Promise<BoxPageView> {
  const read = await readWholeBox(deps.db, boxID, deps.siteFile.market)
  const { box, row, figures } = read
  const recall = await recallOf(deps.db, row)
  const ids = await linkedProducts(deps.db, boxID)
  const onSale = (await deps.catalogue.snapshot()).products.filter(({ _id }) => ids.has(_id))
  const former = await formerLedger(deps.db, boxID)
  const image = onSale.find(({ images }) => images.length > 0)?.images[0]
  return {
    box,
    sealed: row.sealed,
    recall,
    offSale: row.offSaleAt !== null,
    stage: row.sealed ? 'sealed' : row.stage,
    speciesImage: image ?? null,
    records: recordRows(read),
    figures,
    products: recall || row.offSaleAt !== null ? [] : onSale.map(({ _id, title }) => ({ _id, title })),
    addresses: await addressesOf(deps, box),
    landedAt: landedAt(box, deps.siteFile.market.timeZone),
    ...(former && { formerLedger: former }),
    asOf: madeAt(deps.now(), figures),
    sample: row.sample,
  }
}

/**
 * The page of a box is rendered anew each hour, and when its state is unknown from then on, so that what it counts is
 * true in a cached one, too.
 */
function madeAt(now: Date, { lastMeasured }: BoxMetrics): string {
  const hour = new Date(hourOf(now) * HOUR_MS).toISOString()
  const unknownFrom = lastMeasured?.unknownFrom ?? ''
  return unknownFrom > hour && unknownFrom <= now.toISOString() ? unknownFrom : hour
}

async function linkedProducts(db: Db, boxID: string): Promise<Set<string>> {
  const found = await db
    .select({ id: productTable.id })
    .from(productBoxes)
    .innerJoin(productTable, eq(productTable.id, productBoxes.productId))
    .where(eq(productBoxes.boxId, boxID))
  return new Set(found.map(({ id }) => id))
}

/** Addresses of the few points that the panels name, by 'latitude,longitude'; blank where unknown. */
async function addressesOf({ geocoder }: BoxPageDeps, box: Box): Promise<Record<string, string>> {
  const points = [box.catchProv, box.iotResult, box.imageProc[0], box.e_nose[0]].filter(
    (point) => point != null,
  )
  const named = points.map(
    async ({ latitude, longitude }): Promise<[string, string]> => [
      `${latitude},${longitude}`,
      latitude === 0 && longitude === 0 ? '' : await geocoder.addressOf(latitude, longitude),
    ],
  )
  return Object.fromEntries(await Promise.all(named))
}
