import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { type ConsumedEvent, consume, type EventConsumer } from '#server/db/consume.ts'
import { type EventKind, eventKinds } from '#server/db/events.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { type Cdn, COPIES_LAST_MS, tags } from './cdn.ts'

/** The queue of calls that clear copies. */
export const CDN_QUEUE = 'cdn.clear'

/** Tags of one job; of more boxes, copies of all their pages are cleared, and of more products those of all pages. */
const MAX_TAGS = 300
/**
 * How long after a change copies are cleared: every process has heard of it by then. One that had not would be asked for
 * the page anew, and its copy would stay.
 */
const HEARD_MS = 3_000

/** What shows events of each kind. */
const shownBy: Readonly<Partial<Record<EventKind, (keys: readonly string[] | null) => readonly string[]>>> = {
  [eventKinds.catalogueChanged]: (ids) =>
    ids === null ? [tags.pages] : [tags.lists, ...ids.map(tags.product)],
  [eventKinds.slotsChanged]: () => [tags.lists],
  [eventKinds.siteChanged]: () => [tags.pages],
  [eventKinds.boxGrown]: (ids) => ids?.map(tags.box) ?? [tags.boxes],
  [eventKinds.boxAltered]: (ids) => ids?.map(tags.box) ?? [tags.boxes],
  [eventKinds.boxTraded]: (ids) => ids?.map(tags.box) ?? [tags.boxes],
  [eventKinds.anchorConfirmed]: () => [tags.boxes],
  [eventKinds.anchorReverted]: () => [tags.boxes],
}

const tagsOf = ({ kind, keys }: ConsumedEvent): readonly string[] => shownBy[kind as EventKind]?.(keys) ?? []

/** Enqueues a call for what changed, in the transaction in which the cursor moves. */
export const cdnConsumer: EventConsumer = {
  name: 'cdn',
  kinds: Object.keys(shownBy) as EventKind[],
  work: (tx, events) => enqueueClearing(tx, events.flatMap(tagsOf)),
  startOver: (tx) => enqueueClearing(tx, [tags.pages]),
}

/**
 * Clears copies with these tags once the caller's transaction is committed and every process knows of it.
 * @param uniqueKey of a call that another replaces
 */
export async function clearLater(
  tx: Db | Tx,
  { cdn }: { cdn: Cdn | null },
  of: readonly string[],
  uniqueKey?: string,
): Promise<void> {
  if (cdn?.clear != null) await enqueueClearing(tx, of, uniqueKey)
}

async function enqueueClearing(tx: Db | Tx, of: readonly string[], uniqueKey?: string): Promise<void> {
  const all = [...new Set(of)]
  if (all.length === 0) return
  const isMany = all.length > MAX_TAGS
  const fewer = isMany
    ? [...new Set(all.map((tag) => (tag.startsWith(tags.box('')) ? tags.boxes : tag)))]
    : all
  const cleared = fewer.length > MAX_TAGS || fewer.includes(tags.pages) ? [tags.pages] : fewer
  const more = { delayMs: HEARD_MS, ...(uniqueKey !== undefined && { uniqueKey }) }
  await enqueue(tx, CDN_QUEUE, { tags: cleared, until: Date.now() + COPIES_LAST_MS }, more)
}

/** Clears them now, within a few seconds. @returns whether they are; null where nothing is to be cleared */
export async function clearNow({ cdn }: { cdn: Cdn | null }, of: readonly string[]): Promise<boolean | null> {
  if (cdn?.clear == null) return null
  return cdn.clear(of, AbortSignal.timeout(cdn.atOnceMs)).then(
    () => true,
    () => false, // why is said where it is tried again
  )
}

const Job = z.object({ tags: z.array(z.string()), until: z.number() })

/** Clears copies; tried again with growing delays until they are gone by themselves. */
export const clearCopiesJob =
  ({ cdn }: { cdn: Cdn | null }): JobHandler =>
  async (payload, signal) => {
    const { tags: of, until } = Job.parse(payload)
    if (Date.now() < until) await cdn?.clear?.(of, signal)
  }

/** Follows events until it is stopped; any number of processes may. @returns a function that stops it */
export function startClearing({
  db,
  log,
  cdn,
}: {
  db: Db
  log: Logger
  cdn: Cdn | null
}): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        while (!signal.aborted && (await consume(db, cdnConsumer, log)));
      } catch (err) {
        log.error({ err }, 'copies of pages not cleared')
      }
      await sleep(HEARD_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = cdn?.clear == null ? Promise.resolve() : run()
  return async () => {
    stop.abort()
    await running
  }
}
