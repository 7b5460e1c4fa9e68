import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@befaqt/domain/durations'
import { coupons } from '#server/db/schema/coupons.ts'
import { orders } from '#server/db/schema/orders.ts'
import { check, made, order, ordered, refusal } from '#server/testing/coupons.ts'
import { linesOf, moved, shopWithOrders } from '#server/testing/orders.ts'

test('a coupon of others, of another time, below its minimum, twice, or made up: refused, and nothing is taken', async () => {
  await using shop = await shopWithOrders()
  const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  await made(shop, 'early', { percent: 5, from: at(1) })
  await made(shop, 'over', { percent: 5, from: at(-2), until: at(-1) })
  await made(shop, 'ice-only', { percent: 5, products: ['ice'], minimum: 1_000 })
  await made(shop, 'fish', { percent: 5, categories: ['c'] })
  assert.equal(await refusal(shop, 'early', { ice: 1 }), 'early')
  assert.equal(await refusal(shop, 'over', { ice: 1 }), 'over')
  assert.equal(await refusal(shop, 'ice-only', { snapper: 1 }), 'goods')
  assert.equal(await refusal(shop, 'ice-only', { snapper: 1, ice: 1 }), 'minimum')
  assert.equal(await refusal(shop, 'none-such', { ice: 1 }), 'unknown')
  assert.deepEqual([await shop.stockOf('ice'), await shop.deps.db.$count(orders)], [50, 0])
  const fish = (await check(shop, 'fish', { ice: 2, snapper: 1 })).json()
  assert.deepEqual([fish.off, fish.products, fish.percent], [200, ['ice', 'snapper'], 5])

  for (const [body, path] of [
    [{ coupon: '!' }, 'coupon'],
    [{ coupon: 5 }, 'coupon'],
    [{ coupon: ['fish', 'early'] }, 'coupon'],
  ] as const) {
    const reply = await shop.place({ lines: linesOf({ ice: 1 }), ...body })
    assert.deepEqual([reply.statusCode, reply.json().error.fields[0].path], [400, path])
  }
  for (const [body, path, status] of [
    [{ code: 'FISH', percent: 5 }, 'code', 409],
    [{ code: 'x', percent: 5 }, 'code', 400],
    [{ code: 'abc', percent: 5, amount: 5 }, 'percent', 400],
    [{ code: 'abc', percent: 5, products: ['ice', 'gone'] }, 'products[1]', 400],
    [{ code: 'abc', percent: 5, categories: ['gone'] }, 'categories[0]', 400],
  ] as const) {
    const reply = await shop.admin('POST', '/api/coupon', body)
    assert.deepEqual([reply.statusCode, reply.json().error.fields[0].path], [status, path], reply.body)
  }
})

test('a coupon that orders have is ended and not deleted; both are in its history, and can be taken back', async () => {
  await using shop = await shopWithOrders()
  const { _id, version } = await made(shop, 'used', { percent: 5 })
  const other = await made(shop, 'unused', { percent: 5 })
  const placed = await ordered(shop, 'used', { ice: 1 })
  await moved(shop, placed._id, 'CANCELLED')
  const url = `/api/coupon/${_id}`
  const kept = await shop.admin('DELETE', url)
  assert.deepEqual([kept.statusCode, kept.json().error.code], [409, 'conflict'])
  assert.equal((await shop.admin('DELETE', `/api/coupon/${other._id}`)).statusCode, 204)
  assert.equal((await shop.admin('DELETE', `/api/coupon/${other._id}`)).statusCode, 404)
  const ended = await shop.admin('PATCH', url, { ended: true, version })
  assert.deepEqual([ended.json().state, ended.json().version], ['over', 2])
  assert.equal((await shop.admin('PATCH', url, { ended: true, version })).statusCode, 200, 'again')
  assert.equal((await shop.admin('PATCH', url, { ended: false, version })).json().error.code, 'version.stale')
  assert.equal((await shop.admin('PATCH', url, { ended: false, version: 2 })).json().state, 'open')
  const history = (await shop.admin('GET', `/api/history?entity=coupon&id=${_id}`)).json()
  assert.deepEqual(
    history.rows.map(({ action }: { action: string }) => action),
    ['update', 'update', 'create'],
  )
  assert.equal(await shop.deps.db.$count(coupons), 1)
})

test('whoever tries codes is slowed down, whatever they try next, and a right code costs no try', async () => {
  await using shop = await shopWithOrders()
  await made(shop, 'right', { percent: 5 })
  for (let i = 0; i < 25; i++) assert.equal((await check(shop, 'right', { ice: 1 })).statusCode, 200)
  for (let i = 0; i < 20; i++)
    assert.equal((await check(shop, `guess-${i}`, { ice: 1 })).json().error.reason, 'unknown')
  assert.equal((await check(shop, 'right', { ice: 1 })).statusCode, 429)
  const placed = await order(shop, 'right', { ice: 1 })
  assert.deepEqual([placed.statusCode, placed.json().error.code], [429, 'rate.limited'])
  assert.equal((await shop.place({ lines: linesOf({ ice: 1 }) })).statusCode, 201, 'orders without one go on')
})
