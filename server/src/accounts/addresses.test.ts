import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SavedAddressView } from '@befaqt/domain/api/account-api'
import { MAX_ADDRESSES } from '@befaqt/domain/limits'
import { addresses } from '#server/db/schema/accounts.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'

const home = { label: 'Home', street: '7 Pier St', suburb: 'Pyrmont', state: 'NSW', postcode: '2009' }
const at = (street: string, more: object = {}) => ({ ...home, label: street, street, ...more })
const PATH = '/api/user/address'

async function kept(call: Caller, body: object): Promise<SavedAddressView> {
  const reply = await call('POST', PATH, body)
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json()
}

/** Its addresses by their names; a star is the preferred one. */
const listed = async (call: Caller): Promise<string[]> =>
  (await call('GET', '/api/user'))
    .json()
    .addresses.map((one: SavedAddressView) => one.label + (one.preferred ? '*' : ''))

for (const [name, open] of testDatabases)
  test(`${name}: an account keeps addresses, one of them preferred, until it deletes them or goes`, async () => {
    await using shop = await testShop({ open })
    const ann = await callerOf(shop, 'ann', 'USER')
    const bea = await callerOf(shop, 'bea', 'USER')
    assert.deepEqual(await listed(ann), [])
    const first = await kept(ann, home)
    assert.equal(first.preferred, true, 'the first one')
    assert.deepEqual(await kept(ann, { ...home, label: 'Again', street: '7 PIER ST' }), first, 'kept once')
    const work = await kept(ann, at('Work'))
    assert.deepEqual(await listed(ann), ['Home*', 'Work'])
    await kept(ann, at('Boat', { preferred: true }))
    assert.deepEqual(await listed(ann), ['Boat*', 'Home', 'Work'])
    assert.equal((await kept(ann, { ...home, preferred: true })).preferred, true, 'preferred since')
    assert.deepEqual(await listed(ann), ['Home*', 'Work', 'Boat'])

    const change = (call: Caller, body: object) => call('PUT', `${PATH}/${work._id}`, body)
    assert.equal((await change(bea, at('Eve'))).statusCode, 404, 'somebody else’s')
    assert.equal((await change(ann, at('Office', { preferred: true }))).statusCode, 200)
    assert.equal((await change(ann, at('Office'))).json().preferred, true, 'until another is preferred')
    assert.deepEqual(await listed(ann), ['Office*', 'Home', 'Boat'])

    assert.equal((await bea('DELETE', `${PATH}/${work._id}`)).statusCode, 204)
    assert.equal((await listed(ann)).length, 3, 'somebody else’s stays')
    for (const _ of 'twice') assert.equal((await ann('DELETE', `${PATH}/${work._id}`)).statusCode, 204)
    assert.deepEqual(await listed(ann), ['Home*', 'Boat'])
    assert.equal((await change(ann, at('Office'))).json().error.code, 'not_found')
    assert.deepEqual((await ann('GET', '/api/user/data')).json().addresses[0].street, home.street)

    const many = Array.from({ length: MAX_ADDRESSES }, (_, i) => ann('POST', PATH, at(`${i} Quay`)))
    const codes = (await Promise.all(many)).map(({ statusCode }) => statusCode)
    assert.equal(codes.filter((code) => code === 201).length, MAX_ADDRESSES - 2)
    assert.equal(codes.filter((code) => code === 409).length, 2)
    assert.equal((await ann('POST', '/api/user/erasure')).statusCode, 204)
    assert.equal(await shop.deps.db.$count(addresses), 0)
  })

test('bad addresses are refused', async () => {
  await using shop = await testShop()
  const ann = await callerOf(shop, 'ann', 'USER')
  for (const bad of [{}, { ...home, label: '' }, { ...home, postcode: '20' }, { ...home, more: 1 }])
    assert.equal((await ann('POST', PATH, bad)).statusCode, 400)
  assert.deepEqual(await listed(ann), [])
})
