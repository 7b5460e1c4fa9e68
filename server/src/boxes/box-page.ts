import type { BoxMetrics, BoxPageView, BoxRecall, RecordRow as ShownRow } from '@befaqt/domain/api/box-api'
import type { Box } from '@befaqt/domain/box'
import { HOUR_MS } from '@befaqt/domain/durations'
import { recordLevel } from '@befaqt/domain/reading-level'
import { blockTimeText } from '@befaqt/provenance'
import { eq, sql } from 'drizzle-orm'
import type { HistoryDeps } from '#server/boxes/archive/read-archive.ts'
import type { Market } from '#server/boxes/projection/box-summary.ts'
import type { Catalogue } from '#server/catalogue/index.ts'
import type { LedgerLocation } from '#server/chain/port.ts'
import type { Config } from '#server/config/config.ts'
import { type Db, rows } from '#server/db/client.ts'
import { recalls } from '#server/db/schema/recalls.ts'
import { productBoxes, products as productTable } from '#server/db/schema/shop.ts'
import type { Geocoder } from '#server/geocode/geocode.ts'
import { boxNotFound } from './box-access.ts'
import { landedAt } from './projection/coastline.ts'
import type { BoxRow } from './read-records.ts'
import { anchorOfRecord, type ReadBox, type ReadRow, wholeBox } from './whole-box.ts'

/** What the page of a box is made of. */
export type BoxPageDeps = HistoryDeps & {
  catalogue: Catalogue
  geocoder: Geocoder
  siteFile: { market: Market }
  now: () => Date
}

/** All that the box page shows. @throws ShopError `box.not_found` */
export async function boxPage(deps: BoxPageDeps, boxID: string): Promise<BoxPageView> {
  const read = await wholeBox(deps, boxID, deps.siteFile.market)
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

/** Where a box of protocol 1 was anchored before it was anchored anew; undefined for every other. */
async function formerLedger(db: Db, boxID: string): Promise<BoxPageView['formerLedger']> {
  const [found] = await rows<{ contract: string; count: number; time: string }>(
    db,
    sql`select l.contract, b.count, a.block_time::text as time from protocol_1.anchor_leaves b
        join protocol_1.anchors a on a.index = b.anchor_index and a.state = 'confirmed'
        cross join protocol_1.ledgers l
        where b.box_id = ${boxID} order by b.count desc, a.index limit 1`,
  )
  if (found === undefined) return undefined
  const { contract, count, time } = found
  return { contract, count, anchoredAt: new Date(Number(time) * 1000).toISOString() }
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

/** What the public page of a box says of its recall; null: it is not recalled. */
async function recallOf(db: Db, { recallId }: Pick<BoxRow, 'recallId'>): Promise<BoxRecall | null> {
  if (recallId === null) return null
  const [found] = await db.select().from(recalls).where(eq(recalls.id, recallId))
  return found ? { reason: found.reason, at: found.at, inHistory: found.seq !== null } : null
}

/** The record table of a box page: each record with its transaction and state as the server sees them. */
const recordRows = ({ rows, covering }: Pick<ReadBox, 'rows' | 'covering'>): ShownRow[] =>
  rows.map((row) => {
    const anchor = anchorOfRecord(covering, row.seq)?.anchor
    return {
      seq: row.seq,
      ...shownPart(row),
      recordHash: row.recordHash,
      state: row.body === null ? 'withheld' : anchor === undefined ? 'pending' : 'anchored',
      txHash: anchor?.txHash ?? null,
      anchorIndex: anchor?.index ?? null,
      anchoredAt: anchor?.blockTime == null ? null : blockTimeText(anchor.blockTime),
    }
  })

/** What a table shows of a record's content; a withheld or damaged one keeps its kind and nothing else. */
function shownPart({
  kind: kept,
  record,
}: ReadRow): Pick<ShownRow, 'kind' | 'at' | 'by' | 'corrects' | 'level'> {
  if (record === undefined) return { kind: kept, at: '', by: '' }
  const { kind, at, by, data } = record
  return {
    kind,
    at,
    by,
    ...(typeof data.corrects === 'number' ? { corrects: data.corrects } : {}),
    ...recordLevel(kind, data),
  }
}

/** How long a page may lack an address that the provider failed to give. */
const ADDRESS_RETRY_MS = 5 * 60_000

/** What versions are made of. */
export type BoxVersionDeps = {
  db: Db
  ledger: LedgerLocation
  config: Pick<Config, 'GEOCODER_URL'>
  now: () => Date
}

/**
 * A short text that differs as soon as the page of a box does, whichever process wrote: of the box's row, the newest
 * confirmed anchor in which it had grown, where the ledger is, the provider of addresses, the hour, and whether its state
 * is unknown by now. What is on sale is not in it. Two rows are read, whatever the length of the history.
 * @throws ShopError `box.not_found`
 */
export async function boxVersion(
  { db, ledger, config, now }: BoxVersionDeps,
  boxID: string,
): Promise<string> {
  const { chainId, contract } = await ledger.locate()
  const addresses = config.GEOCODER_URL === undefined ? 0 : Math.floor(now().getTime() / ADDRESS_RETRY_MS)
  return `${await rowsVersion(db, boxID, now())} ${chainId} ${contract} ${addresses} ${hourOf(now())}`
}

/** The hours since 1970 that are over. */
const hourOf = (now: Date): number => Math.floor(now.getTime() / HOUR_MS)

/**
 * PostgreSQL notes in every row which transaction wrote it (`xmin`). All who add records write the box's row too, and
 * triggers do when a record is altered. A reorganisation takes anchors back from the newest on, so an older one does
 * not change while the newest stays.
 */
async function rowsVersion(db: Db, boxID: string, now: Date): Promise<string> {
  const [found] = await rows<{ version: string }>(
    db,
    sql`select concat_ws(' ', b.xmin,
          (b.projection #>> '{figures,lastMeasured,unknownFrom}') collate "C" <= ${now.toISOString()},
          (select concat_ws(' ', a.index, a.xmin)
            from anchor_leaves l join anchors a on a.index = l.anchor_index and a.state = 'confirmed'
            where l.box_id = b.id
            order by l.anchor_index desc limit 1)) as version
        from boxes b where b.id = ${boxID}`,
  )
  if (found === undefined) throw boxNotFound()
  return found.version
}
