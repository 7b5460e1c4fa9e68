import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { purge } from '#server/db/retention.ts'
import { excursions } from '#server/db/schema/excursions.ts'
import { fieldEntries } from '#server/db/schema/suppliers.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import {
  ago,
  caught,
  common,
  DAY,
  type FieldShop,
  factsOf,
  fieldShop,
  handed,
  send,
  supplier,
} from '#server/testing/field.ts'
import { fieldRetention } from './retention.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const read = (madeBy: string, box: string, minutesAgo: number, temperature = 1.5) => ({
  ...common(madeBy, box),
  ...{ kind: 'reading', iotID: 'Ruuvi 884F', temperature, madeAt: ago(minutesAgo * MINUTE) },
})
/** The hand-over of a box of Ann's to Bo, as one of them says it. */
const over = (madeBy: string, box: string, more: object = {}) =>
  handed(madeBy, box, 'Sample Fisher', 'Sample Carrier', { madeAt: ago(50 * MINUTE), ...more })

const kindsOf = async (shop: FieldShop, box: string) => (await factsOf(shop, box)).map(({ kind }) => kind)
const decide = (call: Caller, id: string, confirmed: boolean) =>
  call('POST', `/api/field/claim/${id}`, { confirmed })
const claimsOf = async (call: Caller) => (await call('GET', '/api/field/claim')).json()

/** Ann, whose boxes these are, Bo, who says they came to him, and others; the boxes were caught two hours ago. */
async function fieldOf(shop: FieldShop, ...boxes: string[]) {
  const ann = await supplier(shop, 'ann', 'Sample Fisher')
  const bo = await supplier(shop, 'bo', 'Sample Carrier')
  const cy = await supplier(shop, 'cy', 'Sample Stranger')
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  for (const box of boxes) await send(ann, caught('ann', box, { madeAt: ago(2 * HOUR) }))
  return { ann, bo, cy, admin }
}

for (const [name, open] of testDatabases) {
  test(`${name}: who says that another's box came to them takes nothing and learns nothing`, async () => {
    await using shop = await fieldShop({ open })
    const { ann, bo } = await fieldOf(shop, 'C-1')
    const before = await factsOf(shop, 'C-1')
    const claim = handed('bo', 'C-1', 'x', 'Sample Carrier', { madeAt: ago(50 * MINUTE) })
    for (const [entry, status] of [
      [claim, 201],
      [over('bo', 'C-1'), 409],
    ] as const) {
      const answer = await send(bo, entry)
      assert.equal(answer.statusCode, status, answer.body)
      assert.doesNotMatch(answer.body, /Sample Fisher/, 'the holder’s name')
    }
    for (const minutes of [45, 36, 27, 18, 9, 1]) {
      const answer = await send(bo, read('bo', 'C-1', minutes, 28))
      assert.deepEqual([answer.statusCode, answer.json().claim, answer.json().seq], [201, 'waiting', null])
    }
    assert.deepEqual(await factsOf(shop, 'C-1'), before, 'nothing was written into its history')
    const page = (await shop.app.inject('/api/box/C-1')).json()
    assert.equal(page.iotResult, null)
    assert.equal((await shop.deps.db.select().from(excursions)).length, 0)
    const given = await send(ann, handed('ann', 'C-1', 'Sample Fisher', 'Sydney Fish Market'))
    assert.equal(given.statusCode, 201, given.body)
    assert.deepEqual(await kindsOf(shop, 'C-1'), ['registration', 'catch', 'handover'])
  })

  test(`${name}: both sides' words are one hand-over, whoever says it first, and readings sent meanwhile count`, async () => {
    await using shop = await fieldShop({ open })
    const { ann, bo } = await fieldOf(shop, 'C-2', 'C-3')
    const claim = await send(bo, over('bo', 'C-2'))
    const reading = read('bo', 'C-2', 30, 2.5)
    const kept = await send(bo, reading)
    assert.deepEqual([kept.statusCode, kept.json().claim, kept.json().seq], [201, 'waiting', null])
    assert.equal((await send(bo, reading)).statusCode, 200, 'sent twice')
    assert.equal((await send(ann, over('ann', 'C-2'))).statusCode, 201)
    assert.deepEqual(await kindsOf(shop, 'C-2'), [
      ...['registration', 'catch', 'handover', 'tracking'],
      'freshness',
    ])
    const [own] = await claimsOf(bo)
    assert.deepEqual([own.id, own.state, own.entries], [claim.json().id, 'confirmed', 1])
    assert.equal((await send(bo, reading)).json().claim, 'confirmed')

    const first = await send(ann, over('ann', 'C-3'))
    const second = await send(bo, over('bo', 'C-3', { madeAt: ago(48 * MINUTE) }))
    assert.deepEqual([second.statusCode, second.json().seq], [201, first.json().seq])
    assert.deepEqual(await kindsOf(shop, 'C-3'), ['registration', 'catch', 'handover'])
  })

  test(`${name}: the holder or a manager decides, once and in time, and nobody else`, async () => {
    await using shop = await fieldShop({ open })
    const { ann, bo, cy, admin } = await fieldOf(shop, 'D-1', 'D-2', 'D-3')
    const manage = (id: string, confirmed: boolean) =>
      admin('POST', `/api/manage/supplier/claim/${id}`, { confirmed })
    const claims: Record<string, string> = {}
    for (const box of ['D-1', 'D-2', 'D-3']) {
      claims[box] = (await send(bo, over('bo', box))).json().id
      await send(bo, read('bo', box, 20))
    }
    const [one = '', two = '', three = ''] = Object.values(claims)
    for (const call of [bo, cy]) assert.equal((await decide(call, one, true)).statusCode, 404)
    assert.deepEqual([(await claimsOf(ann)).length, (await claimsOf(cy)).length], [3, 0])
    assert.equal((await admin('GET', '/api/manage/supplier')).json().claims.length, 3)
    const both = await Promise.all([decide(ann, one, true), manage(one, false)])
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 409].sort())
    const refused = await decide(ann, two, false)
    assert.deepEqual([refused.statusCode, refused.json().seq], [200, null])
    const [told] = (await claimsOf(bo)).filter(({ id }: { id: string }) => id === two)
    assert.deepEqual([told.state, told.said], ['refused', null])
    assert.doesNotMatch(JSON.stringify(told), /Sample Fisher/)
    assert.deepEqual(await kindsOf(shop, 'D-2'), ['registration', 'catch'])
    shop.wait(DAY)
    assert.equal((await manage(three, true)).statusCode, 409, 'it lapsed')
    const [lapsed] = (await claimsOf(bo)).filter(({ id }: { id: string }) => id === three)
    assert.equal(lapsed.state, 'lapsed')
    assert.deepEqual(await kindsOf(shop, 'D-3'), ['registration', 'catch'])
    assert.equal((await admin('GET', '/api/manage/supplier')).json().claims.length, 0)
  })

  test(`${name}: readings count from whoever held the box at their time`, async () => {
    await using shop = await fieldShop({ open })
    const { ann, bo } = await fieldOf(shop, 'H-1')
    await send(ann, over('ann', 'H-1'))
    const code = async (call: Caller, entry: object) => (await send(call, entry)).json().error?.code ?? 'ok'
    assert.equal(await code(ann, read('ann', 'H-1', 55)), 'ok', 'late, from before')
    assert.equal(await code(ann, read('ann', 'H-1', 45)), 'auth.forbidden', 'it was with Bo')
    assert.equal(await code(bo, read('bo', 'H-1', 54)), 'auth.forbidden', 'it was with Ann')
    assert.equal(await code(bo, read('bo', 'H-1', 44)), 'ok')
  })
}

test('every field operation on a box × its holder, the other side, somebody else, a manager', async () => {
  await using shop = await fieldShop()
  const callers = await fieldOf(shop)
  const is = { holder: 'ann', 'other side': 'bo', 'somebody else': 'cy', manager: 'admin' } as const
  const what = {
    catch: (by: string, box: string) => caught(by, box, { madeAt: ago(40 * MINUTE) }),
    'hand-over': (by: string, box: string) => over(by, box),
    'refusal of it': (by: string, box: string) => over(by, box, { accepted: false, reason: 'Too warm' }),
    reading: (by: string, box: string) => read(by, box, 30),
  }
  const expected = {
    catch: [409, 409, 409, 403],
    'hand-over': ['recorded', 'waiting', 403, 403],
    'refusal of it': ['recorded', 'waiting', 403, 403],
    reading: ['recorded', 403, 403, 403],
    confirmation: [200, 404, 404, 200],
    'list of claims': [1, 0, 0, 1],
  }
  const found: Record<string, unknown[]> = {}
  for (const [i, who] of Object.values(is).entries()) {
    const call = callers[who]
    for (const [j, [kind, make]] of Object.entries(what).entries()) {
      const box = `M-${i}${j}`
      await send(callers.ann, caught('ann', box, { madeAt: ago(2 * HOUR) }))
      const answer = await send(call, make(who, box))
      const said = answer.json()
      found[kind] ??= []
      found[kind].push(answer.statusCode === 201 ? (said.claim ?? 'recorded') : answer.statusCode)
    }
    const box = `M-${i}9`
    await send(callers.ann, caught('ann', box, { madeAt: ago(2 * HOUR) }))
    const { id } = (await send(callers.bo, over('bo', box))).json()
    const isManager = who === 'admin'
    const listed = isManager
      ? (await call('GET', '/api/manage/supplier')).json().claims
      : await claimsOf(call)
    found['list of claims'] ??= []
    found['list of claims'].push(
      listed.filter((claim: { id: string; own: boolean }) => claim.id === id && !claim.own).length,
    )
    const path = isManager ? `/api/manage/supplier/claim/${id}` : `/api/field/claim/${id}`
    found.confirmation ??= []
    found.confirmation.push((await call('POST', path, { confirmed: true })).statusCode)
  }
  assert.deepEqual(found, expected)
})

for (const [name, open] of testDatabases)
  test(`${name}: what a claim said goes a week after it lapsed, and is not taken twice`, async () => {
    await using shop = await fieldShop({ open })
    const { bo } = await fieldOf(shop, 'C-1')
    const claim = over('bo', 'C-1')
    const sent = [claim, read('bo', 'C-1', 40)]
    for (const entry of sent) assert.equal((await send(bo, entry)).statusCode, 201)
    const { db, now } = shop.deps
    const said = async () => {
      await purge(db, now(), fieldRetention)
      const found = await db.select().from(fieldEntries).where(eq(fieldEntries.claim, claim.id))
      return found.map(({ kept }) => kept !== null)
    }
    shop.wait(7 * DAY)
    assert.deepEqual(await said(), [true, true])
    shop.wait(2 * DAY)
    assert.deepEqual(await said(), [false, false])
    for (const entry of sent) assert.equal((await send(bo, entry)).statusCode, 200)
  })
