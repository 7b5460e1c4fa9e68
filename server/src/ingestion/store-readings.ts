import { setImmediate } from 'node:timers/promises'
import { MAX_BOX_RECORDS } from '@befaqt/domain/box'
import { fromHex } from '@befaqt/provenance'
import type { Logger } from 'pino'
import {
  type BoxRow,
  boxNotFound,
  boxSealed,
  type Market,
  projectionOf,
  saveProjection,
  storedProjection,
} from '#server/boxes/index.ts'
import {
  affectsCatalogue,
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
  looksSameOnCards,
} from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import type { IngestionState } from './box-state-cache.ts'
import { stateAt } from './box-state-cache.ts'
import { rethrowAsDamage, storeBoxByBox } from './damaged-box.ts'
import { DeviceCounters } from './device-counters.ts'
import {
  appendReadings,
  type BoxUpdate,
  insertRecords,
  type Keyed,
  keyText,
  readHeads,
  recordedKeys,
  updateBoxes,
} from './grow-boxes.ts'
import type { IncomingReading, Outcome, Rejection } from './incoming-reading.ts'
import { dedupeKeyOf } from './incoming-reading.ts'

/** What storing readings needs of the world. */
export type StoringDeps = CatalogueWriter & {
  now: () => Date
  siteFile: { market: Market }
  ingestion: IngestionState
  log: Logger
}

/**
 * Records readings of any boxes, after those of each box one freshness record, and answers what became of each;
 * rejections come back in their places. What has an outcome when it returns is stored or refused for good; what has an
 * error, or all when it throws, may be sent again. Of the same submission the first counts; boxes that are unknown,
 * sealed, full or damaged refuse theirs.
 */
export const storeReadings = (
  deps: StoringDeps,
  parsed: readonly (IncomingReading | Rejection)[],
): Promise<(Outcome | Error)[]> => storeBoxByBox(deps.log, parsed, (part) => storeTogether(deps, part))

async function storeTogether(
  deps: StoringDeps,
  parsed: readonly (IncomingReading | Rejection)[],
): Promise<Outcome[]> {
  if (!parsed.some(isReading)) return parsed.filter((one): one is Rejection => 'refused' in one)
  const boxIDs = [...new Set(parsed.filter(isReading).map(({ box }) => box))]
  await prepare(deps, boxIDs)
  let grown: BoxUpdate[] = []
  const forget = (): void => {
    for (const { id } of grown) deps.ingestion.memory.delete(id) // it knows what was not written
    grown = []
  }
  const { outcomes } = await changeCatalogue(
    deps,
    (tx) => {
      forget() // of a try before this one
      return storeAll(tx, deps, parsed, grown)
    },
    ({ onCards }) => onCards,
    { boxes: boxIDs },
  ).catch((error: unknown) => {
    forget()
    throw error
  })
  return outcomes
}

/** Reads the histories of boxes that nothing is known of before their rows are locked. */
async function prepare({ db, ingestion: { memory }, siteFile }: StoringDeps, boxIDs: readonly string[]) {
  const unknown = boxIDs.filter((id) => memory.get(id) === undefined)
  for (const box of await readHeads(db, unknown))
    await memory.loadOnce(box.id, async () => {
      const state = await stateAt(db, memory, box, siteFile.market)
      if (storedProjection(box, siteFile.market) === undefined)
        await saveProjection(db, box, projectionOf(box, state))
    })
}

const isReading = (one: IncomingReading | Rejection): one is IncomingReading => 'box' in one

/** @param grown gets the boxes that readings were added to, also when it throws */
async function storeAll(
  tx: CatalogueTx,
  deps: StoringDeps,
  parsed: readonly (IncomingReading | Rejection)[],
  grown: BoxUpdate[],
) {
  const readings = parsed.filter(isReading)
  const [held] = await lock(tx).boxes(
    readings.map(({ box }) => box),
    'no key update',
  )
  const keyed = keyedIn(deps.siteFile.market.timeZone)
  const clock = { now: deps.now(), timeZone: deps.siteFile.market.timeZone }
  const counters = await DeviceCounters.lock(tx, readings, held, clock)
  const judge = classifier(held, keyed, await recordedKeys(tx, readings.map(keyed)), counters)
  const outcomes = parsed.map((one) => (isReading(one) ? judge(one) : one))
  const accepted = parsed.filter((one, i): one is IncomingReading => outcomes[i] === 'accepted')
  const byBox = Map.groupBy(accepted, ({ box }) => box)
  for (const boxID of byBox.keys()) // one that can't go on must not cost what is known of the others
    await rethrowAsDamage(boxID, async () => fromHex(held.get(boxID)?.head ?? ''))
  for (const [boxID, added] of byBox) {
    grown.push(await rethrowAsDamage(boxID, () => grow(tx, deps, held.get(boxID), added)))
    await setImmediate() // a batch of many boxes computes for a while: others get their turn
  }
  const onCards = await write(tx, held, grown, deps.siteFile.market.timeZone)
  await counters.save(tx)
  return { outcomes, onCards }
}

const keyedIn =
  (timeZone: string) =>
  (reading: IncomingReading): Keyed => ({ box: reading.box, key: dedupeKeyOf(reading, timeZone) })
const refused = ({ message }: Error): Rejection => ({ refused: [{ path: 'box', message }] })
const FULL = new Error(`This box holds as many records as it can: ${MAX_BOX_RECORDS}.`)

/**
 * Says of one reading after the other what becomes of it. A submission that is recorded stays a duplicate after its
 * box was sealed, so that a sender without a response may resend at any time.
 */
function classifier(
  held: ReadonlyMap<string, BoxRow>,
  keyed: (reading: IncomingReading) => Keyed,
  recorded: ReadonlySet<string>,
  counters: DeviceCounters,
): (reading: IncomingReading) => Outcome {
  const known = new Set(recorded)
  const counts = new Map([...held.values()].map(({ id, count }) => [id, count + 1])) // 1: freshness
  return (reading) => {
    const box = held.get(reading.box)
    if (box === undefined) return refused(boxNotFound())
    const key = keyText(keyed(reading))
    if (known.has(key)) return 'duplicate'
    if (box.sealed) return refused(boxSealed())
    const rejection = counters.rejectionOf(reading)
    if (rejection !== undefined) return rejection
    const count = (counts.get(box.id) ?? 0) + 1
    if (count > MAX_BOX_RECORDS) return refused(FULL)
    counts.set(box.id, count)
    known.add(key)
    counters.add(reading)
    return 'accepted'
  }
}

async function grow(
  tx: Tx,
  { ingestion, now, siteFile: { market } }: StoringDeps,
  row: BoxRow | undefined,
  added: readonly IncomingReading[],
): Promise<BoxUpdate> {
  if (row === undefined) throw new Error('readings of an unknown box were accepted')
  const state = await stateAt(tx, ingestion.memory, row, market)
  ingestion.memory.delete(row.id) // until it is whole again
  const grown = appendReadings(row, state, added, { now: now(), timeZone: market.timeZone })
  ingestion.memory.set(row.id, { ...grown, state })
  return grown
}

/** Answers whether cards of products on sale show something else now. */
async function write(
  tx: CatalogueTx,
  held: ReadonlyMap<string, BoxRow>,
  grown: readonly BoxUpdate[],
  timeZone: string,
): Promise<boolean> {
  if (grown.length === 0) return false
  await insertRecords(
    tx,
    grown.flatMap(({ rows }) => rows),
  )
  await updateBoxes(tx, grown)
  const changed = grown.filter(
    ({ id, summary }) => !looksSameOnCards(held.get(id)?.summary ?? null, summary.summary, timeZone),
  )
  return affectsCatalogue(
    tx,
    changed.map(({ id }) => id),
  )
}
