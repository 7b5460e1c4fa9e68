import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { shopWithOrders } from '#server/testing/orders.ts'

/** A language sorts them as they stand, bytes the other way round. */
const BOXES = ['a-1', 'B-2']
const PACKINGS = 40

for (const collation of ['usual', 'C'] as const)
  test(`PostgreSQL, ${collation} collation: packing from boxes beside readings of the same boxes meets no deadlock`, {
    skip: withoutPostgres,
  }, async () => {
    const database = await testPostgres(collation)
    await using shop = await shopWithOrders({ open: async () => database })
    const { fisher } = sampleBox()
    for (const boxID of BOXES)
      assert.equal((await shop.admin('POST', '/api/box/registration', { boxID, fisher })).statusCode, 201)
    const links = BOXES.map((boxID) => ({ boxID, quantity: 1_000 }))
    assert.equal((await shop.admin('PUT', '/api/product/snapper/boxes', links)).statusCode, 200)
    const { _id } = await shop.placed({ snapper: 2 })

    let isOver = false
    const refused: string[] = []
    let batches = 0
    const send = async (sender: number): Promise<void> => {
      for (let i = 0; !isOver; i++) {
        const time = new Date(Date.now() - 1_000 * i).toISOString()
        const readings = BOXES.map((box) => ({
          ...{ box, iotID: `L-${sender}`, time, id: `${sender}-${box}-${i}` },
          ...{ latitude: -33.5, longitude: 151.5, temperature: 2 },
        }))
        const reply = await shop.admin('POST', '/api/tracking', { readings })
        if (reply.statusCode !== 200) refused.push(`readings ${reply.statusCode} ${reply.body}`)
        batches++
      }
    }
    const senders = [send(1), send(2)]
    for (let i = 0; i < PACKINGS; i++) {
      const boxes = BOXES.map((boxID) => ({ boxID, amount: 1_000 }))
      const lines = [{ position: 1, grams: 2_000, scale: 'Bench 1', boxes }]
      const reply = await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })
      if (reply.statusCode !== 200) refused.push(`packing ${reply.statusCode} ${reply.body}`)
    }
    isOver = true
    await Promise.all(senders)
    assert.ok(batches > 2, `${batches} batches of readings`)
    assert.deepEqual(refused, [])
    const [met] = await rows<{ n: number }>(
      database.db,
      sql`select deadlocks::int as n from pg_stat_database where datname = current_database()`,
    )
    assert.equal(met?.n, 0, 'no transaction had to be repeated either')
  })
