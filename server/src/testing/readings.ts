import assert from 'node:assert/strict'
import type { FieldReading } from '@befaqt/domain/box'
import type { KeyRight } from '@befaqt/domain/rights'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { genesisHead, headAfter, parseRecord, recordHash, toHex } from '@befaqt/provenance'
import { asc, eq } from 'drizzle-orm'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { type Db, ONE_MOMENT } from '#server/db/client.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { type Caller, callerOf } from './caller.ts'
import { type TestShop, testShop } from './shop.ts'

/** The time of tests with readings. */
export const NOW = new Date('2026-11-20T00:00:00Z')

/** A valid reading; `i` counts steps of ten minutes from 14 hours before `NOW`. */
export const readingAt = (i: number, more: Partial<FieldReading> = {}): FieldReading => ({
  box: 'BOX-1',
  iotID: 'L-1',
  time: new Date(Date.UTC(2026, 10, 19, 10) + i * 600_000).toISOString(),
  latitude: -33.5,
  longitude: 151.5,
  temperature: 2,
  ...more,
})

/** A shop with registered boxes, and a manager. */
export async function shopWithBoxes(
  boxIDs: readonly string[] = ['BOX-1', 'BOX-2'],
  more: Parameters<typeof testShop>[0] = {},
): Promise<TestShop & { admin: Caller }> {
  const shop = await testShop({ ...more, deps: { now: () => NOW, ...more.deps } })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  for (const boxID of boxIDs) {
    const made = await admin('POST', '/api/box/registration', { boxID, fisher: sampleBox().fisher })
    assert.equal(made.statusCode, 201, made.body)
  }
  return { ...shop, admin }
}

/** An API key, for some boxes or all. */
export async function keyFor({ deps }: TestShop, right: KeyRight, boxIDs?: string[]): Promise<string> {
  const asked = { name: right, rights: [right], ...(boxIDs && { boxes: boxIDs }) }
  return (await createApiKey(deps.db, asked, 'test', deps.now())).key
}

/** A snapshot of a box and its records: it may be written concurrently. */
const rowsOf = (db: Db, boxID: string) =>
  db.transaction(async (tx) => {
    const [box] = await tx.select().from(boxes).where(eq(boxes.id, boxID))
    const kept = await tx.select().from(records).where(eq(records.boxId, boxID)).orderBy(asc(records.seq))
    return { box, kept }
  }, ONE_MOMENT)

/** The records of a box, after verifying them: no gap, hashes and head according to the protocol. */
export async function historyOf(db: Db, boxID: string) {
  const { box, kept } = await rowsOf(db, boxID)
  const history = kept.map(({ body }) => parseRecord(JSON.parse(body ?? 'null')))
  let head = genesisHead(boxID)
  for (const [i, record] of history.entries()) {
    assert.deepEqual(
      [record.box, record.seq, kept[i]?.seq, kept[i]?.kind],
      [boxID, i + 1, i + 1, record.kind],
    )
    const hash = recordHash(record)
    assert.equal(kept[i]?.recordHash, toHex(hash))
    head = headAfter(head, hash)
  }
  assert.deepEqual([box?.count, box?.head], [history.length, toHex(head)], `state of ${boxID}`)
  return history
}

/** The kinds of a box's records, in order. */
export const kindsOf = async (db: Db, boxID: string): Promise<string[]> =>
  (await historyOf(db, boxID)).map(({ kind }) => kind)

/** Locks the rows of all boxes, like a long transaction. @returns a function that ends it */
export async function lockAllBoxes(db: Db): Promise<() => Promise<void>> {
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = db.transaction(async (tx) => {
    await tx.select().from(boxes).for('update')
    locked.resolve()
    await release.promise
  })
  await Promise.race([locked.promise, ended])
  return () => {
    release.resolve()
    return ended
  }
}
