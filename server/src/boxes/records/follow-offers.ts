import { setTimeout as sleep } from 'node:timers/promises'
import { amountOf } from '@befaqt/domain/amount'
import { marketTime } from '@befaqt/domain/market-time'
import { type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { z } from 'zod'
import { changeCatalogue, isStopped } from '#server/catalogue/index.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { consume, type EventConsumer } from '#server/db/consume.ts'
import { eventKinds } from '#server/db/events.ts'
import type { BoxOffers } from '#server/db/schema/boxes.ts'
import { enqueueAll } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/run.ts'
import { lockBox } from '../box-access.ts'
import { addRecords, type RecordDraft, type RecordingDeps } from './add-records.ts'

/** The queue of boxes of which another product is on sale, or more or less of one, than their records say. */
export const OFFER_QUEUE = 'box.offers'

/** Most grams or pieces that one record states. Source: protocol §6.9. */
const MAX_GRAMS = 1_000_000

/** Who writes what is on sale: the shop itself, by what its staff have linked. */
const SHOP = 'befaqt'

/**
 * Compares what is on sale from boxes with what their records say, when either changed, and has the difference recorded by
 * a job for each box: one that can't be written holds up no other.
 */
export const offerConsumer: EventConsumer = {
  name: 'box.offers',
  kinds: [eventKinds.boxTraded, eventKinds.catalogueChanged],
  async work(tx, events) {
    const of = (kind: string) => {
      const own = events.filter((event) => event.kind === kind)
      return own.some(({ keys }) => keys === null) ? null : own.flatMap(({ keys }) => keys ?? [])
    }
    const [boxIds, productIds] = [of(eventKinds.boxTraded), of(eventKinds.catalogueChanged)]
    if (boxIds === null || productIds === null) return queueOthers(tx, sql`true`)
    const among = (column: SQL, ids: readonly string[]) =>
      sql`${column} = any(${sql.param([...ids])}::text[])`
    await queueOthers(
      tx,
      sql`(${among(sql`b.id`, boxIds)} or b.id in (
        select pb.box_id from product_boxes pb where ${among(sql`pb.product_id`, productIds)}))`,
    )
  },
  startOver: (tx) => queueOthers(tx, sql`true`),
}

async function queueOthers(tx: Tx, which: SQL): Promise<void> {
  const found = await readOffers(tx, which)
  const others = found.filter((box) => changesOf(box).length > 0)
  await enqueueAll(
    tx,
    OFFER_QUEUE,
    others.map(({ id }) => ({ payload: { boxID: id }, uniqueKey: id })),
  )
}

type Linked = { title: string; unit: string; quantity: number }
type Offered = { id: string; offers: BoxOffers; linked: Linked[] | null }

/**
 * What the records of boxes say is on sale from them, and what is: linked products that are on sale, unless the box is
 * stopped. Boxes that are sealed are left out, and sample boxes, whose history is what was made up for them.
 */
const readOffers = (tx: Db | Tx, which: SQL): Promise<Offered[]> =>
  rows<Offered>(
    tx,
    sql`select b.id, b.offers, (
          select json_agg(json_build_object('title', p.title, 'unit', pb.unit, 'quantity', pb.quantity::float8))
          from product_boxes pb join products p on p.id = pb.product_id join categories c on c.id = p.category_id
          where pb.box_id = b.id and p.status = 'ACTIVE' and c.status = 'ACTIVE' and not ${isStopped(sql`b`)}) as linked
        from boxes b
        where not b.sealed and not b.sample and ${which}
          and (b.offers <> '{}'::jsonb or exists (select from product_boxes l where l.box_id = b.id))`,
  )

/** What is to be recorded for a box so that its records say what is on sale from it. */
function changesOf({ offers, linked }: Omit<Offered, 'id'>): RecordDraft['data'][] {
  const wanted = offersOf(linked ?? [])
  const gone = Object.keys(offers).filter((product) => !Object.hasOwn(wanted, product))
  const other = Object.entries(wanted).filter(
    ([product, grams]) => !Object.hasOwn(offers, product) || offers[product] !== grams,
  )
  return [
    ...gone.map((product) => ({ product, linked: false })),
    ...other.map(([product, grams]) => ({ product, linked: true, ...(grams !== null && { grams }) })),
  ]
}

/** By their titles, which is what records call products; grams of what is sold by weight, where an amount was stated. */
function offersOf(linked: readonly Linked[]): BoxOffers {
  const byTitle = Map.groupBy(linked, ({ title }) => title)
  return Object.fromEntries(
    [...byTitle].map(([title, all]) => {
      const amounts = all.map(({ unit, quantity }) => amountOf(unit, quantity))
      const isKnown = amounts.every(({ unit, value }) => unit === 'grams' && value > 0)
      const sum = amounts.reduce((grams, { value }) => grams + value, 0)
      return [title, isKnown && sum <= MAX_GRAMS ? sum : null]
    }),
  )
}

const Job = z.object({ boxID: z.string() })

/** Records what is on sale from a box by now, where its records say something else: nothing the second time. */
export const recordOffersJob =
  (deps: RecordingDeps): JobHandlers[string] =>
  async (payload) => {
    const { boxID } = Job.parse(payload)
    await changeCatalogue(
      deps,
      async (tx) => {
        await lockBox(tx, boxID)
        const [box] = await readOffers(tx, sql`b.id = ${boxID}`)
        const changes = box === undefined ? [] : changesOf(box)
        if (changes.length === 0) return
        const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
        const facts = changes.map((data) => ({
          kind: 'offer' as const,
          at,
          by: SHOP,
          data,
          changesFreshness: false,
        }))
        await addRecords(tx, deps, boxID, facts)
      },
      () => false,
    )
  }

/** Between looks for events. */
const PERIOD_MS = 1_000

/** Follows events until it is stopped; any number of processes may. @returns a function that stops it */
export function startFollowingOffers({ db, log }: { db: Db; log: Logger }): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        while (!signal.aborted && (await consume(db, offerConsumer, log)));
      } catch (err) {
        log.error({ err }, 'offers of boxes not followed')
      }
      await sleep(PERIOD_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
