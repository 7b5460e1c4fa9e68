import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db, Tx } from '#server/db/client.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { addBox, addRecords, anchoringWorld, collectAt } from '#server/testing/anchoring.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { pruneNodes } from './box-map.ts'
import { collectAnchor } from './collect-anchor.ts'

const NOW = new Date('2026-11-21T01:00:00Z')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A database whose transactions stand still before one of their statements until `meanwhile` is done. */
const delayed = (db: Db, statement: number, meanwhile: () => Promise<void>): Db =>
  new Proxy(db, {
    get: (own, name) =>
      name === 'transaction'
        ? (work: (tx: Tx) => Promise<unknown>) =>
            own.transaction((tx) => work(standing(tx, statement, meanwhile)))
        : Reflect.get(own, name),
  })

function standing(tx: Tx, statement: number, meanwhile: () => Promise<void>): Tx {
  let n = 0
  return new Proxy(tx, {
    get: (own, name) =>
      name === 'execute'
        ? async (...query: Parameters<Tx['execute']>) => {
            if (++n === statement) await meanwhile()
            return own.execute(...query)
          }
        : Reflect.get(own, name),
  })
}

for (const statement of [1, 2])
  test(`a leader that stands still before statement ${statement} of an anchor while another goes on anchors nothing old`, {
    skip: withoutPostgres,
  }, async () => {
    await using one = await testPostgres()
    const two = await openPostgres(one.url, () => undefined)
    await addBox(one.db, 'a')
    const collect = async (): Promise<void> => {
      await addRecords(two.db, 'a', 1)
      const made = await collectAt(two.db, NOW)
      if (made !== undefined) await two.db.transaction((tx) => pruneNodes(tx, made.index))
    }
    await collect()
    await addRecords(two.db, 'a', 1)
    const twoMore = async (): Promise<void> => {
      await collect()
      await collect()
    }
    const late = collectAnchor({
      ...{ db: delayed(one.db, statement, twoMore), now: () => NOW, log },
      checkLead: async () => undefined, // it led when it began
    })
    await late.catch(() => undefined)
    await collect()
    const anchors = await anchoringWorld(two.db, {} as never).anchors()
    assert.deepEqual(
      anchors.map(({ index }) => index),
      anchors.map((_, i) => i),
    )
    assert.equal(new Set(anchors.map(({ root }) => root)).size, anchors.length, 'each root is of another map')
    assert.equal(
      anchors.reduce((sum, { records }) => sum + records, 0),
      5,
    )
    await two.close()
  })
