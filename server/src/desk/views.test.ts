import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeskView } from '@befaqt/domain/api/desk-api'
import { type DeskList, MAX_VIEWS } from '@befaqt/domain/desk-views'
import { DAY_MS } from '@befaqt/domain/durations'
import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema/accounts.ts'
import { deskViews, openingViews } from '#server/db/schema/desk.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { deskRetention } from './retention.ts'

const VIEWS = '/api/manage/desk/view'
const drafts = { list: 'product', name: 'Drafts', query: 'status=DRAFT', shared: false }

async function added(call: Caller, view: object = {}): Promise<DeskView> {
  const reply = await call('POST', VIEWS, { ...drafts, ...view })
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json()
}

async function listed(call: Caller, list: DeskList = 'product'): Promise<DeskView[]> {
  const reply = await call('GET', `${VIEWS}?list=${list}`)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json().views
}

const namesOf = async (call: Caller, list?: DeskList) =>
  (await listed(call, list)).map(({ name, owner, opens }) => [name, owner, opens])

const statusOf = async (...[call, ...asked]: [Caller, ...Parameters<Caller>]): Promise<number> =>
  (await call(...asked)).statusCode

for (const [name, open] of testDatabases) {
  test(`${name}: a view is its owner’s, others have it while it is shared, and it opens the list for who wants it`, async () => {
    await using shop = await testShop({ open })
    const kim = await callerOf(shop, 'kim', 'USER', ['shop:write'])
    const pat = await callerOf(shop, 'pat', 'USER', ['shop:write'])
    const owner = await callerOf(shop, 'olga', 'ADMIN')
    const { _id, version, query } = await added(kim, { query: 'page=3&sort=price&status=DRAFT&evil=1' })
    assert.equal(query, 'status=DRAFT&sort=price')
    assert.deepEqual(await namesOf(kim), [['Drafts', null, false]])
    assert.deepEqual(await namesOf(pat), [])
    const change = (call: Caller, patch: object, at = version) =>
      call('PATCH', `${VIEWS}/${_id}`, patch, { 'if-match': `"${at}"` })
    assert.equal((await change(pat, { name: 'Mine' })).statusCode, 404, 'what is not shared is not there')
    assert.equal((await change(owner, { name: 'Mine' })).statusCode, 404)

    assert.equal((await change(kim, { shared: true })).statusCode, 200)
    assert.equal((await change(kim, { name: 'Late' })).statusCode, 409, 'of a second tab')
    assert.deepEqual(await namesOf(pat), [['Drafts', 'kim', false]])
    assert.equal((await change(pat, { name: 'Mine' }, 2)).statusCode, 403)
    assert.equal((await pat('DELETE', `${VIEWS}/${_id}`)).statusCode, 403)
    const opening = (view: string | null, list = 'product') =>
      pat('PUT', '/api/manage/desk/opening', { list, view })
    assert.equal((await opening(_id)).statusCode, 204)
    assert.equal((await opening(_id, 'category')).statusCode, 404, 'of another list')
    assert.deepEqual(await namesOf(pat), [['Drafts', 'kim', true]])
    assert.deepEqual(await namesOf(kim), [['Drafts', null, false]], 'for pat alone')

    assert.equal((await kim('DELETE', `${VIEWS}/${_id}`)).statusCode, 204)
    assert.equal((await kim('DELETE', `${VIEWS}/${_id}`)).statusCode, 204, 'twice is once')
    assert.deepEqual(await namesOf(pat), [])
    assert.equal((await change(kim, { name: 'Late' }, 2)).statusCode, 404)
    assert.equal((await opening(_id)).statusCode, 404)
    assert.equal((await kim('POST', `${VIEWS}/${_id}/restoration`)).statusCode, 200)
    assert.equal((await kim('POST', `${VIEWS}/${_id}/restoration`)).statusCode, 200, 'twice is once')
    assert.deepEqual(await namesOf(pat), [['Drafts', 'kim', true]], 'and opens the list again')
    assert.equal((await opening(_id)).statusCode, 204)
    assert.equal((await opening(null)).statusCode, 204)
    assert.deepEqual(await namesOf(pat), [['Drafts', 'kim', false]])

    assert.equal((await change(owner, { name: 'All drafts' }, 2)).statusCode, 200, 'an owner of the shop may')
    assert.deepEqual(await namesOf(kim), [['All drafts', null, false]])
    await opening(_id)
    assert.equal((await change(owner, { shared: false }, 3)).statusCode, 200)
    assert.deepEqual(await namesOf(pat), [])
    await shop.deps.db.delete(users).where(eq(users.id, 'kim'))
    assert.equal(await shop.deps.db.$count(deskViews), 0, 'it goes with its owner')
    assert.equal(await shop.deps.db.$count(openingViews), 0)
  })

  test(`${name}: a view keeps its columns in their order, the usual ones as no question, and what is gone by its name`, async () => {
    await using shop = await testShop({ open })
    const kim = await callerOf(shop, 'kim', 'USER', ['shop:write'])
    const queryOf = async (cols: string) => {
      const { _id, query } = await added(kim, { query: `status=DRAFT&cols=${cols}` })
      await kim('DELETE', `${VIEWS}/${_id}`)
      return query
    }
    assert.equal(await queryOf('product.status.price.status'), 'status=DRAFT&cols=product.status.price')
    assert.equal(await queryOf('product.price.discount.stock.shelf.status'), 'status=DRAFT')
    assert.equal(await queryOf('product..weather.price'), 'status=DRAFT&cols=product.weather.price')
    const many = Array.from({ length: 50 }, (_, n) => `${'x'.repeat(30)}${n}`).join('.')
    assert.equal(await queryOf(many), `status=DRAFT&cols=${'x'.repeat(20)}`)
    const wide = await queryOf(Array.from({ length: 50 }, (_, n) => `x${n}`).join('.'))
    assert.equal(wide.split('.').length, 20)
  })

  test(`${name}: names are told apart by more than capitals, also of views that are added at once, and there are not too many`, async () => {
    await using shop = await testShop({ open })
    const kim = await callerOf(shop, 'kim', 'USER', ['shop:write'])
    const pat = await callerOf(shop, 'pat', 'USER', ['shop:write'])
    const { _id } = await added(kim, { name: 'Straße İ' })
    for (const same of ['STRASSE İ', ' straße  i̇ '])
      assert.equal(await statusOf(kim, 'POST', VIEWS, { ...drafts, name: same }), 409, same)
    await added(kim, { name: 'Strase' })
    await added(kim, { name: 'Straße İ', list: 'category' })
    await added(pat, { name: 'Straße İ', shared: true })
    assert.equal(await statusOf(kim, 'PATCH', `${VIEWS}/${_id}`, { shared: true }), 409, 'one is shared')
    assert.equal(await statusOf(kim, 'PATCH', `${VIEWS}/${_id}`, { name: 'strasse i̇' }), 200, 'its own')
    assert.equal(await statusOf(kim, 'PATCH', `${VIEWS}/${_id}`, { name: 'STRASE' }), 409)

    assert.equal(await statusOf(kim, 'DELETE', `${VIEWS}/${_id}`), 204)
    await added(kim, { name: 'Straße İ' })
    assert.equal(await statusOf(kim, 'POST', `${VIEWS}/${_id}/restoration`), 409, 'its name is taken by now')

    const atOnce = await Promise.all(
      Array.from({ length: 4 }, () => statusOf(pat, 'POST', VIEWS, { ...drafts, name: 'Twice' })),
    )
    assert.deepEqual(atOnce.sort(), [201, 409, 409, 409])
    for (let n = 2; n < MAX_VIEWS - 1; n++) await added(pat, { name: `View ${n}` })
    const last = await Promise.all(
      [1, 2, 3].map((n) => statusOf(pat, 'POST', VIEWS, { ...drafts, name: `Last ${n}` })),
    )
    assert.deepEqual(last.sort(), [201, 409, 409])
    for (let n = 0; n < MAX_VIEWS + 3; n++) {
      const gone = await added(kim, { name: `Gone ${n}` })
      await kim('DELETE', `${VIEWS}/${gone._id}`)
    }
    assert.equal(await shop.deps.db.$count(deskViews, eq(deskViews.userId, 'kim')), 3 + MAX_VIEWS)
    const [{ end } = assert.fail()] = deskRetention
    const now = shop.deps.now()
    assert.equal(await end(shop.deps.db, now, 100), 0)
    assert.equal(await end(shop.deps.db, new Date(now.getTime() + DAY_MS + 60_000), 100), MAX_VIEWS)
  })
}

test('views are of lists that one’s rights open, and where people are searched for, no search is kept', async () => {
  await using shop = await testShop()
  const kim = await callerOf(shop, 'kim', 'USER', ['shop:write'])
  const pat = await callerOf(shop, 'pat', 'USER', ['order:read'])
  const { _id } = await added(kim, { shared: true })
  assert.equal(await statusOf(pat, 'GET', `${VIEWS}?list=product`), 403)
  assert.equal(await statusOf(pat, 'POST', VIEWS, drafts), 403)
  assert.equal(await statusOf(pat, 'PATCH', `${VIEWS}/${_id}`, { name: 'x' }), 403)
  assert.equal(await statusOf(pat, 'PUT', '/api/manage/desk/opening', { list: 'product', view: _id }), 403)
  assert.equal(await statusOf(pat, 'GET', `${VIEWS}?list=nothing`), 400)
  const open = await added(pat, { list: 'order', query: 'q=ann%40example.org&status=PACKED&after=x' })
  assert.equal(open.query, 'status=PACKED')
  const customer = { list: 'customer', query: 'q=ann&after=x&cols=name.last', name: 'Last slot' }
  assert.equal(await statusOf(pat, 'POST', VIEWS, { ...drafts, ...customer }), 403)
  const clerk = await callerOf(shop, 'cass', 'USER', ['customer:read'])
  assert.equal((await added(clerk, customer)).query, 'cols=name.last')
  for (const list of ['key', 'staff']) {
    assert.equal(await statusOf(clerk, 'GET', `${VIEWS}?list=${list}`), 403, 'for owners alone')
    assert.equal(await statusOf(clerk, 'POST', VIEWS, { ...drafts, list }), 403)
  }
  const olga = await callerOf(shop, 'olga', 'ADMIN')
  assert.equal((await added(olga, { list: 'key', query: 'q=x&cols=key.rights' })).query, 'cols=key.rights')
  const packer = await callerOf(shop, 'lou', 'USER', ['order:write'])
  await added(packer, { list: 'order', name: 'Complaints', query: 'status=complaint', shared: true })
  const seen = (await namesOf(pat, 'order')).map(([name]) => name)
  assert.deepEqual(seen, ['Drafts', 'Complaints'], 'who reads orders reads what their buyers say')
  assert.equal((await namesOf(packer, 'order')).length, 1)
  const kept = async (query: string) =>
    (await added(packer, { list: 'order', name: query.slice(-40), query })).query
  const usual = 'order.wrong.wished.since.state'
  assert.equal(await kept(`status=complaint-check&cols=${usual}`), 'status=complaint-check', 'its usual ones')
  assert.equal(await kept(`status=open&cols=${usual}`), `status=open&cols=${usual}`, 'none of the queue’s')
  assert.equal(await kept('status=waiting&cols=buyer.total'), 'status=waiting&cols=buyer.total')
  await shop.deps.db
    .update(users)
    .set({ rights: ['order:read'] })
    .where(eq(users.id, 'kim'))
  assert.equal(await statusOf(kim, 'GET', `${VIEWS}?list=product`), 403, 'once the right is taken back')
  assert.equal(await statusOf(kim, 'DELETE', `${VIEWS}/${_id}`), 403)
  for (const wrong of [
    { name: '' },
    { name: 'x'.repeat(41) },
    { name: 'a\u202eb' },
    { query: 'x'.repeat(2001) },
  ])
    assert.equal(await statusOf(pat, 'POST', VIEWS, { ...drafts, list: 'order', ...wrong }), 400)
})
