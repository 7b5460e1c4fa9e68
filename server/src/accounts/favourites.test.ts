import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_FAVOURITES } from '@befaqt/domain/limits'
import { eq } from 'drizzle-orm'
import { favourites, users } from '#server/db/schema/accounts.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

/** Products p0, p1 and so on. */
async function stock({ deps }: TestShop, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `p${i}`)
  await deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await deps.db.insert(products).values(ids.map((id) => ({ id, title: `Fish ${id}`, categoryId: 'c' })))
  return ids
}

const URL = '/api/user/favourites'

async function idsOf(by: Caller): Promise<string[]> {
  const reply = await by('GET', URL)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json().favourites.map(({ _id }: { _id: string }) => _id)
}

async function add(by: Caller, ids: readonly string[]): Promise<{ leftOut: number }> {
  const reply = await by('POST', URL, { products: [...ids] })
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

for (const [name, open] of testDatabases) {
  test(`${name}: what a device kept joins what the account keeps, and what was removed stays so`, async () => {
    await using shop = await testShop({ open })
    await stock(shop, 5)
    const [ben, eve] = [await callerOf(shop, 'ben', 'USER'), await callerOf(shop, 'eve', 'USER')]
    assert.equal((await shop.app.inject(URL)).statusCode, 401)
    await add(ben, ['p1'])
    await add(ben, ['p3', 'p1', 'p2', 'p3', 'gone'])
    assert.deepEqual(
      await idsOf(ben),
      ['p3', 'p2', 'p1'],
      'each once, the newest first, without what is no product',
    )
    await add(eve, ['p2'])
    for (const time of ['once', 'twice'])
      assert.equal((await ben('DELETE', `${URL}/p2`)).statusCode, 204, time)
    assert.deepEqual([await idsOf(ben), await idsOf(eve)], [['p3', 'p1'], ['p2']], 'nobody else’s')
    await add(ben, ['p4'])
    assert.deepEqual(await idsOf(ben), ['p4', 'p3', 'p1'], 'adding another brings nothing back')
  })

  test(`${name}: a product that is deleted stays in the list under its name, until it is removed`, async () => {
    await using shop = await testShop({ open })
    await stock(shop, 2)
    const ben = await callerOf(shop, 'ben', 'USER')
    await add(ben, ['p0', 'p1'])
    await shop.deps.db.delete(products).where(eq(products.id, 'p0'))
    assert.deepEqual((await ben('GET', URL)).json().favourites[0], { _id: 'p0', title: 'Fish p0' })
    assert.equal((await ben('DELETE', `${URL}/p0`)).statusCode, 204)
    assert.deepEqual(await idsOf(ben), ['p1'])
    await add(ben, ['p0'])
    assert.deepEqual(await idsOf(ben), ['p1'], 'what is no product can’t be added')
  })

  test(`${name}: a list has a limit, also for two devices at once`, async () => {
    await using shop = await testShop({ open })
    const ids = await stock(shop, MAX_FAVOURITES + 20)
    const ben = await callerOf(shop, 'ben', 'USER')
    await add(ben, ids.slice(0, MAX_FAVOURITES - 5))
    const both = await Promise.all([
      add(ben, ids.slice(MAX_FAVOURITES - 5, MAX_FAVOURITES + 5)),
      add(ben, ids.slice(MAX_FAVOURITES + 5)),
    ])
    assert.equal((await idsOf(ben)).length, MAX_FAVOURITES)
    assert.equal(both[0].leftOut + both[1].leftOut, 20)
    const tooMany = await ben('POST', URL, { products: [...ids] })
    assert.equal(tooMany.statusCode, 400)
  })

  test(`${name}: favourites go with the account`, async () => {
    await using shop = await testShop({ open })
    await stock(shop, 1)
    const [ben, boss] = [await callerOf(shop, 'ben', 'USER'), await callerOf(shop, 'boss', 'ADMIN')]
    await add(ben, ['p0'])
    await shop.deps.db.update(users).set({ status: 'DISABLED' }).where(eq(users.id, 'ben'))
    const reply = await boss('DELETE', '/api/user/ben')
    assert.ok(reply.statusCode < 300, reply.body)
    assert.equal(await shop.deps.db.$count(favourites), 0)
  })
}
