import { addRecords, appendRecords } from '../../server/src/boxes/records/add-records.ts'
import { importBox } from '../../server/src/boxes/records/import-box.ts'
import { type CatalogueTx, changeCatalogue } from '../../server/src/catalogue/change-catalogue.ts'
import { embeddedChain } from '../../server/src/chain/embedded.ts'
import type { Db } from '../../server/src/db/client.ts'
import { readSiteFile } from '../../server/src/site/site.ts'
import { anchoringWorld } from '../../server/src/testing/anchoring.ts'
import { boxOf, readingOf } from './boxes.ts'
import { sized } from './sized.ts'

/** Records of a box in one round, and number of rounds, each followed by an anchor. */
const ROUND = sized(100, 10)
const ROUNDS = sized(5, 2)
/** Boxes written concurrently. */
const MAX_CONCURRENT = 4

/** Records of every box. */
export const BOX_RECORDS = ROUND * ROUNDS
export const boxName = (i: number): string => `BENCH-${String(i).padStart(6, '0')}`
/** A box whose every reading, with the freshness record that follows from it, has an anchor of its own. */
export const LIVE_BOX = 'BENCH-LIVE'

const siteFile = await readSiteFile()
const now = (): Date => new Date()

/**
 * Seeds an empty database with `boxes` boxes and the live one by the shop's own code, with hashes, heads and anchors.
 * Records are interleaved on disk as in production, where loggers write at the same time.
 */
export async function seedBoxes(db: Db, boxes: number): Promise<void> {
  const world = anchoringWorld(db, await embeddedChain(), { now })
  for (let round = 0; round < ROUNDS; round++) {
    await fillRound(db, boxes, round)
    await world.pass()
  }
  await unsold(db, (tx) => bring(tx, LIVE_BOX, 6))
  await world.pass()
  for (let reading = 2; 2 * reading + 2 < BOX_RECORDS; reading++) {
    await unsold(db, (tx) => add(tx, LIVE_BOX, reading, 1))
    await world.pass()
  }
  await db.execute('create index by_time on records (seq, box_id)')
  await db.execute('cluster records using by_time')
  await db.execute('drop index by_time')
  await db.execute('analyze')
}

/** A change of boxes that are on no card. */
const unsold = (db: Db, work: (tx: CatalogueTx) => Promise<unknown>): Promise<unknown> =>
  changeCatalogue({ db, catalogue: { changed: () => undefined } }, work, () => false)

async function fillRound(db: Db, boxes: number, round: number): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    while (next < boxes) {
      const boxID = boxName(next++)
      await unsold(db, (tx) => grow(tx, boxID, round))
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
}

/** The summary of a box is computed only with its first and its last records. */
function grow(tx: CatalogueTx, boxID: string, round: number): Promise<unknown> {
  const from = round * ROUND
  if (round === 0) return bring(tx, boxID, ROUND)
  return round < ROUNDS - 1
    ? appendRecords(tx, boxID, readings(from, ROUND))
    : add(tx, boxID, from, ROUND - 1) // and a freshness record
}

const bring = (tx: CatalogueTx, boxID: string, records: number): Promise<unknown> =>
  importBox(tx, boxOf(boxID, records - 4), { by: 'bench', now: now(), market: siteFile.market })

const add = (tx: CatalogueTx, boxID: string, from: number, n: number): Promise<unknown> => {
  const added = readings(from, n).map((fact) => ({ ...fact, changesFreshness: true }))
  return addRecords(tx, { now, siteFile }, boxID, added)
}

const readings = (from: number, n: number) =>
  Array.from({ length: n }, (_, i) => {
    const data = readingOf(from + i)
    return { kind: 'tracking' as const, at: data.time, by: data.iotID, data }
  })
