import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { purge } from '#server/db/retention.ts'
import { users } from '#server/db/schema/accounts.ts'
import { supplierLabels } from '#server/db/schema/suppliers.ts'
import { removeUnused } from '#server/files/store-file.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import {
  ago,
  caught,
  common,
  DAY,
  type FieldShop,
  factsOf,
  fieldShop,
  fisher,
  handed,
  send,
  supplier,
} from '#server/testing/field.ts'
import { fieldRetention } from './retention.ts'

const MINUTE = 60_000
const kindsOf = async (shop: FieldShop, box: string) => (await factsOf(shop, box)).map(({ kind }) => kind)

async function fieldOf(shop: FieldShop) {
  const ann = await supplier(shop, 'ann', 'Sample Fisher')
  const bo = await supplier(shop, 'bo', 'Sample Carrier')
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const allot = (userId: string, first: string, count: number) =>
    admin('POST', `/api/manage/supplier/${userId}/labels`, { first, count })
  const decide = (id: string, confirmed: boolean, reason = confirmed ? undefined : 'Not yours') =>
    admin('POST', `/api/manage/supplier/claim/${id}`, { confirmed, reason })
  return { ann, bo, admin, allot, decide }
}

for (const [name, open] of testDatabases) {
  test(`${name}: a supplier registers boxes under its labels and what phones propose; others wait whole`, async () => {
    await using shop = await fieldShop({ open })
    const { ann, bo, admin, allot, decide } = await fieldOf(shop)
    assert.equal((await allot('ann', 'L-0001', 100)).json().last, 'L-0100')
    const stateOf = async (call: typeof ann, by: string, box: string, more = {}) =>
      (await send(call, caught(by, box, more))).json().claim
    assert.equal(await stateOf(ann, 'ann', 'L-0100'), null)
    assert.equal(await stateOf(ann, 'ann', 'F-2345-WXYZ'), null, 'as a phone proposes it')
    for (const [call, by, box] of [
      [bo, 'bo', 'L-0002'],
      [ann, 'ann', 'L-0101'],
      [ann, 'ann', 'L-100'],
      [ann, 'ann', 'BOX'],
    ] as const)
      assert.equal(await stateOf(call, by, box), 'waiting', box)
    assert.equal((await shop.app.inject('/api/box/BOX')).statusCode, 404, 'nothing is registered')
    for (const box of ['BOX', 'L-0100']) {
      const again = (await send(ann, caught('ann', box))).json().error
      assert.deepEqual([again.code, again.message.includes(box)], ['conflict', true], box)
    }
    const { claims } = (await admin('GET', '/api/manage/supplier')).json()
    const waiting = claims.find(({ boxID }: { boxID: string }) => boxID === 'BOX')
    assert.deepEqual(
      [waiting.kind, waiting.caught.species, waiting.caught.doubt, waiting.waitsUntil],
      ['catch', 'Snapper', 'number', null],
    )
    assert.equal((await ann('POST', `/api/field/claim/${waiting.id}`, { confirmed: true })).statusCode, 404)
    shop.wait(8 * DAY)
    await purge(shop.deps.db, shop.deps.now(), fieldRetention)
    const listed = (await ann('GET', '/api/field/claim')).json()
    assert.ok(
      listed.some(({ id, state }: { id: string; state: string }) => id === waiting.id && state === 'waiting'),
    )
    assert.equal((await decide(waiting.id, true)).statusCode, 200)
    assert.equal((await decide(waiting.id, false)).statusCode, 409)
    assert.deepEqual(await kindsOf(shop, 'BOX'), ['registration', 'catch'])
    const own = (await ann('GET', '/api/field/box')).json()
    assert.ok(own.some(({ boxID, own }: { boxID: string; own: boolean }) => boxID === 'BOX' && own))
  })

  test(`${name}: a catch kept for longer than two weeks waits with all that was sent of its box`, async () => {
    await using shop = await fieldShop({ open })
    const { ann, bo, admin, decide } = await fieldOf(shop)
    const at = (minutes: number) => ({ madeAt: ago(15 * DAY - minutes * MINUTE) })
    const box = 'F-2345-2346'
    const read = (by: string, minutes: number) => ({
      ...common(by, box),
      ...{ kind: 'reading', iotID: 'Ruuvi 884F', temperature: 1.5, ...at(minutes) },
    })
    assert.equal(
      (await send(ann, caught('ann', 'F-2345-2345', { madeAt: ago(14 * DAY) }))).json().claim,
      null,
    )
    const old = caught('ann', box, at(0))
    assert.equal((await send(ann, old)).json().claim, 'waiting')
    assert.equal((await send(ann, old)).statusCode, 200, 'sent twice')
    const others = [
      read('ann', 10),
      handed('ann', box, 'Sample Fisher', 'Sydney Fish Market', at(20)),
      read('ann', 30),
    ]
    for (const other of others) assert.equal((await send(ann, other)).json().claim, 'waiting')
    assert.equal((await send(bo, read('bo', 10))).statusCode, 404, 'another’s')
    const [claim] = (await admin('GET', '/api/manage/supplier')).json().claims
    assert.deepEqual([claim.id, claim.caught.doubt, claim.entries], [old.id, 'old', 3])
    const both = await Promise.all([decide(old.id, true), decide(old.id, true)])
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 409])
    assert.deepEqual(await kindsOf(shop, box), [
      ...['registration', 'catch', 'tracking', 'freshness', 'handover'],
    ])
    assert.equal((await factsOf(shop, box))[1].data.time, ago(15 * DAY).replace('.000', ''))
    const states = await Promise.all(others.map(async (other) => (await send(ann, other)).json().claim))
    assert.deepEqual(states, ['confirmed', 'confirmed', 'refused'], 'the last was made after it went on')
  })

  test(`${name}: what is sent after the labels went to another waits, or names the number; nothing is lost`, async () => {
    await using shop = await fieldShop({ open })
    const { ann, bo, admin, allot, decide } = await fieldOf(shop)
    const { id } = (await allot('ann', 'L-1', 3)).json()
    await admin('DELETE', `/api/manage/supplier/labels/${id}`)
    assert.equal((await allot('bo', 'L-1', 3)).statusCode, 201)
    const [kept, late, left] = [caught('ann', 'L-1'), caught('ann', 'L-2'), caught('ann', 'L-3')]
    assert.equal((await send(ann, kept)).json().claim, 'waiting')
    const read = { ...common('ann', 'L-1'), kind: 'reading', iotID: 'Ruuvi 884F', temperature: 1.5 }
    assert.equal((await send(ann, read)).json().claim, 'waiting')
    assert.equal((await send(bo, caught('bo', 'L-1'))).json().claim, null)
    assert.equal((await send(bo, caught('bo', 'L-2'))).json().claim, null)
    assert.equal((await send(ann, kept)).json().claim, 'waiting', 'sent twice')
    const refused = (await send(ann, late)).json().error
    assert.deepEqual([refused.code, /L-2 .*another label/.test(refused.message)], ['conflict', true])
    const taken = await decide(kept.id, true)
    assert.deepEqual([taken.statusCode, taken.json().error.message.includes('L-1')], [409, true])
    const claimOf = async () => (await ann('GET', '/api/field/claim')).json()[0]
    assert.equal((await claimOf()).state, 'waiting')
    const reasonless = await decide(kept.id, false, ' ')
    assert.deepEqual(reasonless.json().error.fields[0].path, 'reason')
    assert.equal((await decide(kept.id, false, 'That label is Bo’s.')).statusCode, 200)
    const told = await claimOf()
    assert.deepEqual([told.state, told.reason, told.entries], ['refused', 'That label is Bo’s.', 1])
    assert.equal((await decide(kept.id, true)).statusCode, 409)
    assert.deepEqual(await kindsOf(shop, 'L-1'), ['registration', 'catch'], 'of Bo alone')

    assert.equal((await send(ann, left)).json().claim, 'waiting')
    const { db } = shop.deps
    await db.delete(users).where(eq(users.id, 'ann'))
    const [waiting] = (await admin('GET', '/api/manage/supplier')).json().claims
    assert.equal(waiting.caught.by, 'Sample Fisher', 'the supplier left')
    assert.equal((await decide(left.id, true)).statusCode, 200)
    assert.deepEqual(await kindsOf(shop, 'L-3'), ['registration', 'catch'])
    assert.equal((await send(bo, caught('bo', 'L-3'))).json().error.code, 'conflict')
  })

  test(`${name}: a phone is told which numbers of its labels are free`, async () => {
    await using shop = await fieldShop({ open })
    const { ann, bo, admin, allot } = await fieldOf(shop)
    await shop.deps.db.delete(supplierLabels)
    const free = async (call = ann) => (await call('GET', '/api/field/user')).json().labels
    assert.deepEqual(await free(), [])
    await allot('ann', 'L-098', 60)
    for (const boxID of ['L-099', 'L-0100', 'L-158', 'L-1A0'])
      await admin('POST', '/api/box/registration', { boxID, fisher })
    await send(ann, caught('ann', 'L-098'))
    await send(bo, caught('bo', 'L-101'))
    await send(ann, caught('ann', 'L-102', { madeAt: ago(15 * DAY) }))
    const [labels] = await free()
    assert.deepEqual([labels.first, labels.last, labels.free, labels.next.length], ['L-098', 'L-157', 57, 50])
    assert.deepEqual(labels.next.slice(0, 3), ['L-100', 'L-101', 'L-103'], 'what another sent does not count')
    assert.deepEqual(await free(bo), [])
  })

  test(`${name}: labels are allotted once, and what is taken back waits again`, async () => {
    await using shop = await fieldShop({ open })
    const { ann, admin, allot } = await fieldOf(shop)
    const both = await Promise.all([allot('ann', 'L-010', 10), allot('bo', 'L-019', 10)])
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [201, 409])
    assert.equal((await allot('bo', 'L-0010', 10)).statusCode, 201, 'of another number of digits')
    assert.equal((await allot('nobody', 'N-1', 1)).statusCode, 404)
    for (const [first, count] of [
      ['F-2345-2000', 5],
      ['L-', 5],
      ['L-99', 2],
      ['L-1', 0],
    ] as const)
      assert.equal((await allot('ann', first, count)).json().error.code, 'input.invalid', first)
    const { id } = (await allot('ann', 'K-1', 2)).json()
    assert.equal((await send(ann, caught('ann', 'K-1'))).json().claim, null)
    const take = () => admin('DELETE', `/api/manage/supplier/labels/${id}`)
    assert.deepEqual([(await take()).statusCode, (await take()).statusCode], [204, 404])
    assert.equal((await send(ann, caught('ann', 'K-2'))).json().claim, 'waiting')
    assert.equal(
      (await send(ann, handed('ann', 'K-1', 'Sample Fisher', 'Sydney Fish Market'))).statusCode,
      201,
    )
  })
}

test('the photo of a catch stays while it waits, and goes when it is refused', async () => {
  await using shop = await fieldShop()
  const { ann, decide } = await fieldOf(shop)
  const entry = caught('ann', 'BOX')
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('entry', JSON.stringify(entry))
  form.set('photo', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg')
  const body = new Response(form)
  const headers = { 'content-type': body.headers.get('content-type') ?? '' }
  const sent = await ann('POST', '/api/field/entry', Buffer.from(await body.arrayBuffer()), headers)
  assert.equal(sent.json().claim, 'waiting', sent.body)
  const [claim] = (await ann('GET', '/api/field/claim')).json()
  const { img } = claim.caught
  const { db } = shop.deps
  await removeUnused(db, img)
  assert.equal((await shop.app.inject(`/api/file/${img}`)).statusCode, 200)
  assert.equal((await decide(entry.id, false)).json().seq, null)
  await removeUnused(db, img)
  assert.equal((await shop.app.inject(`/api/file/${img}`)).statusCode, 404)
  const [told] = (await ann('GET', '/api/field/claim')).json()
  assert.deepEqual([told.state, told.caught], ['refused', null])
})
