import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { testShop } from '#server/testing/shop.ts'
import { chainHealth } from './ledger-health.ts'

test('who asks for the state of the ledger at the same time gets one answer, also none; who asks later a new one', async (t) => {
  await using shop = await testShop()
  const { deps } = shop
  const asked = t.mock.method(deps.chain, 'blockNumber', async () => asked.mock.callCount())
  const twice = () =>
    Promise.allSettled([chainHealth(deps), chainHealth({ ...deps, now: () => new Date(0) })])
  const [one, two] = await twice()
  assert.deepEqual([one.status, two.status, asked.mock.callCount()], ['fulfilled', 'fulfilled', 1])
  const block = async () => (await chainHealth(deps)).blockNumber
  assert.notEqual(await block(), await block(), 'nothing is kept')

  await deps.db.execute(sql`alter table ledgers rename to put_aside`)
  assert.deepEqual(
    (await twice()).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(asked.mock.callCount(), 4)
  await deps.db.execute(sql`alter table put_aside rename to ledgers`)
  assert.equal((await chainHealth(deps)).fault, null, 'a fault is not kept either')
})
