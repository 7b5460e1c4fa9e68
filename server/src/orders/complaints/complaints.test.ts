import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComplaintPage, ComplaintRow } from '@befaqt/domain/api/complaint-api'
import { COMPLAINT_DAYS, MAX_COMPLAINTS, MAX_ROUNDS } from '@befaqt/domain/complaint'
import { DAY_MS } from '@befaqt/domain/durations'
import { eq, sql } from 'drizzle-orm'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { complaintPhotos, complaints } from '#server/db/schema/complaints.ts'
import { noticeTargets } from '#server/db/schema/excursions.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { orderContacts, orders, slots } from '#server/db/schema/orders.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { attention } from '#server/ops/attention.ts'
import { callerOf, owner } from '#server/testing/caller.ts'
import {
  type OrderByLink,
  packedOrder,
  placedOrder,
  said,
  say,
  seenComplaints,
  spoilt,
} from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

/** What a buyer does with a complaint, by the link of its order. */
const move = ({ app }: OrderShop, { path, query }: OrderByLink, id: string, payload: object) =>
  app.inject({ method: 'POST', url: `${path}/complaint/${id}${query}`, payload })

const decide = ({ admin }: OrderShop, id: string, decision: object) =>
  admin('PATCH', `/api/complaint/${id}`, decision)

async function decided(...asked: Parameters<typeof decide>) {
  const reply = await decide(...asked)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

/** Kinds of emails about complaints in the queue, in their order. */
const mailed = async ({ deps: { db } }: OrderShop): Promise<string[]> =>
  (await db.select().from(jobs).where(eq(jobs.queue, MAIL_QUEUE)).orderBy(jobs.id))
    .map(({ payload }) => `${payload.kind} ${payload.to}`)
    .filter((kind) => kind.startsWith('complaint'))

const tellShop = ({ deps }: OrderShop) =>
  deps.db
    .insert(noticeTargets)
    .values({ id: 'shop', kind: 'email', address: 'shop@example.org', createdBy: 'admin' })

/** The code and message of a refusal. */
const refusal = (reply: Awaited<ReturnType<typeof say>>): [number, string, string] => {
  assert.ok(reply.statusCode >= 400, reply.body)
  const { code, message } = reply.json().error
  return [reply.statusCode, code, message]
}

for (const [name, open] of testDatabases)
  test(`${name}: a complaint is sent, answered with a refund, opened again, and ended; each is told once`, async () => {
    await using shop = await shopWithOrders({ open })
    await tellShop(shop)
    const order = await packedOrder(shop)
    const { _id: id } = await said(shop, order)
    assert.deepEqual(await mailed(shop), [
      'complaint-received ann@example.org',
      'complaint-notice shop@example.org',
    ])
    const first = await seenComplaints(shop, order)
    assert.deepEqual([first.open, first.complaints[0]?.acts], [false, ['withdraw']])

    const [row]: ComplaintRow[] = (await shop.admin('GET', `/api/complaint?q=${order.number}`)).json().rows
    const told = [row?._id, row?.toCheck, row?.order.number, row?.words]
    assert.deepEqual(told, [id, ['BOX-1'], order.number, spoilt.words])
    const tooMuch = await decide(shop, id, { act: 'answer', words: 'Sorry.', refund: 3_501 })
    assert.deepEqual(refusal(tooMuch).slice(0, 2), [400, 'input.invalid'])
    const answered = await decided(shop, id, { act: 'answer', words: 'We are sorry.', refund: 3_000 })
    assert.deepEqual([answered.status, answered.promised, answered.refunded], ['ANSWERED', 3_000, null])
    assert.equal((await mailed(shop)).at(-1), 'complaint-answered ann@example.org')

    const again = await move(shop, order, id, { act: 'reopen', words: 'The bag was torn, too.' })
    assert.equal(again.statusCode, 200, again.body)
    const [reopened] = (await shop.admin('GET', '/api/complaint')).json().rows
    assert.equal(
      reopened.words,
      'The bag was torn, too.',
      'the list says what the buyer wrote last, not the shop',
    )
    assert.deepEqual((await mailed(shop)).slice(-2), [
      'complaint-received ann@example.org',
      'complaint-notice shop@example.org',
    ])
    await decided(shop, id, { act: 'answer', words: 'All of it, then.', refund: 3_500 })
    const given = await decided(shop, id, { act: 'record refund', way: 'bank' })
    assert.equal(given.refunded.way, 'bank')
    assert.equal((await decide(shop, id, { act: 'record refund', way: 'cash' })).statusCode, 409, 'once')
    const promised = await decided(shop, id, { act: 'undo refund' })
    assert.deepEqual([promised.promised, promised.refunded], [3_500, null])
    assert.equal((await decide(shop, id, { act: 'undo refund' })).statusCode, 409, 'once, too')
    await decided(shop, id, { act: 'record refund', way: 'cash' })
    const another = await decide(shop, id, { act: 'answer', words: 'Less.', refund: 1 })
    assert.deepEqual(refusal(another).slice(0, 2), [400, 'input.invalid'], 'what was given back stays')
    assert.equal((await decided(shop, id, { act: 'close' })).status, 'CLOSED')
    const [seen] = (await seenComplaints(shop, order)).complaints
    assert.deepEqual(
      seen?.words.map(({ by, who, text }) => [by, who, text]),
      [
        ['buyer', null, spoilt.words],
        ['shop', null, 'We are sorry.'],
        ['buyer', null, 'The bag was torn, too.'],
        ['shop', null, 'All of it, then.'],
      ],
      'who in the shop wrote it is not told',
    )
    const [managed] = (await shop.admin('GET', `${order.path}/complaint/manage`)).json()
    assert.equal(managed.words[1].who, 'admin Sample')
  })

for (const [name, open] of testDatabases)
  test(`${name}: of two sent at once one is taken; taken back, it can be said anew, and not without end`, async () => {
    await using shop = await shopWithOrders({ open })
    const order = await packedOrder(shop)
    const replies = await Promise.all([say(shop, order), say(shop, order)])
    assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [201, 409])
    assert.equal(await shop.deps.db.$count(complaints), 1)
    for (let n = 1; n <= MAX_COMPLAINTS; n++) {
      const [one] = (await seenComplaints(shop, order)).complaints
      if (one === undefined) throw new Error('it was sent')
      assert.equal((await move(shop, order, one._id, { act: 'withdraw' })).statusCode, 200)
      const reply = await say(shop, order)
      assert.equal(reply.statusCode, n < MAX_COMPLAINTS ? 201 : 409, reply.body)
    }
    const [last] = (await seenComplaints(shop, order)).complaints
    const reopen = () => move(shop, order, last?._id ?? '', { act: 'reopen', words: 'It is so.' })
    const withdraw = () => move(shop, order, last?._id ?? '', { act: 'withdraw' })
    for (let n = 1; n < MAX_ROUNDS; n++) {
      assert.equal((await reopen()).statusCode, 200)
      assert.equal((await withdraw()).statusCode, 200)
    }
    assert.match(refusal(await reopen())[2], /ring us/)
  })

test('it is refused before packing, after the time, of what was cancelled, of a buyer who is forgotten, and for the shop itself', async () => {
  let now = Date.now()
  await using shop = await shopWithOrders({ deps: { now: () => new Date(now) } })
  const placed = await placedOrder(shop)
  assert.deepEqual(refusal(await say(shop, placed)).slice(0, 2), [409, 'order.state'])
  assert.equal((await seenComplaints(shop, placed)).open, false)
  const cancelled = await packedOrder(shop)
  await moved(shop, cancelled.id, 'CANCELLED')
  assert.match(refusal(await say(shop, cancelled))[2], /was cancelled/)
  const order = await packedOrder(shop)
  const byShop = await shop.admin('POST', `${order.path}/complaint`, { complaint: spoilt })
  assert.equal(byShop.statusCode, 403, byShop.body)
  const [slot] = await shop.deps.db.select().from(slots).where(eq(slots.id, shop.pickup))
  const end = (slot?.endsAt.getTime() ?? 0) + COMPLAINT_DAYS * DAY_MS
  now = end + 1
  assert.deepEqual(refusal(await say(shop, order)).slice(0, 2), [409, 'conflict'])
  now = end
  const { _id: id } = await said(shop, order)
  now = end + 3 * DAY_MS
  await decided(shop, id, { act: 'answer', words: 'We looked at it.' })
  now += COMPLAINT_DAYS * DAY_MS
  const reopened = await move(shop, order, id, { act: 'reopen', words: 'No.' })
  assert.equal(reopened.statusCode, 200, 'an answer leaves time to reply to it')
  await shop.deps.db.delete(orderContacts).where(eq(orderContacts.orderId, order.id))
  assert.equal((await decide(shop, id, { act: 'answer', words: 'Hello?' })).statusCode, 409)
  const ended = await decided(shop, id, { act: 'close' })
  assert.deepEqual([ended.status, ended.words], ['CLOSED', []])
  const forgotten = await packedOrder(shop)
  await shop.deps.db.delete(orderContacts).where(eq(orderContacts.orderId, forgotten.id))
  assert.match(refusal(await say(shop, forgotten))[2], /forgotten/)
})

test('what is said is checked: lines of the order, one reason at least, words, a wish', async () => {
  await using shop = await shopWithOrders()
  const order = await packedOrder(shop)
  const pathsOf = async (input: unknown): Promise<string[]> => {
    const reply = await say(shop, order, input)
    assert.equal(reply.statusCode, 400, reply.body)
    return reply.json().error.fields.map(({ path }: { path: string }) => path)
  }
  assert.deepEqual(await pathsOf({ ...spoilt, lines: [3] }), ['lines[0]'])
  assert.deepEqual(await pathsOf({ ...spoilt, wrong: [] }), ['wrong'])
  assert.deepEqual(await pathsOf({ ...spoilt, words: '  ' }), ['words'])
  assert.deepEqual(await pathsOf({ ...spoilt, words: 'x'.repeat(2_001) }), ['words'])
  assert.deepEqual(await pathsOf({ ...spoilt, wish: 'a million', wrong: ['taste'] }), ['wrong[0]', 'wish'])
  assert.equal(await shop.deps.db.$count(complaints), 0)
})

for (const [name, open] of testDatabases)
  test(`${name}: not fresh, the box waits for somebody to look at it, also once it is taken back, and stays on sale`, async () => {
    await using shop = await shopWithOrders({ open })
    const order = await packedOrder(shop)
    const { _id: id } = await said(shop, order)
    const found = async () =>
      (await attention(shop.deps, owner)).filter(({ kind }) => kind.startsWith('complaint'))
    const ofBox = async (boxID = 'BOX-1') => (await shop.admin('GET', `/api/box/${boxID}/complaints`)).json()
    assert.deepEqual(
      (await found()).map(({ kind, count }) => [kind, count]),
      [
        ['complaints-food', 1],
        ['complaints', 1],
      ],
    )
    const [told] = await ofBox()
    assert.deepEqual([told.order.number, told.titles, told.checked], [order.number, ['Snapper'], null])
    assert.equal((await shop.admin('GET', '/api/box/BOX-1/sale')).json().offSale, null)
    await move(shop, order, id, { act: 'withdraw' })
    assert.deepEqual(
      (await found()).map(({ kind }) => kind),
      ['complaints-food'],
    )
    const listed = async (state: string) =>
      (await shop.admin('GET', `/api/complaint?state=${state}`)).json().rows.length
    assert.deepEqual([await listed('check'), await listed('OPEN')], [1, 0])
    await decided(shop, id, { act: 'check boxes', found: 'Smelt and looked at: good.' })
    assert.equal((await decide(shop, id, { act: 'check boxes', found: 'Again.' })).statusCode, 409)
    assert.deepEqual([await found(), await listed('check')], [[], 0])
    assert.equal((await ofBox())[0].checked.who, 'admin Sample')
    await decided(shop, id, { act: 'undo check' })
    assert.deepEqual(
      [(await found()).map(({ kind }) => kind), await listed('check')],
      [['complaints-food'], 1],
    )
    assert.equal((await decide(shop, id, { act: 'undo check' })).statusCode, 409, 'once')
    await decided(shop, id, { act: 'check boxes', found: 'The right one: good, too.' })
    const other = await packedOrder(shop)
    await said(shop, other, { ...spoilt, lines: [2], wrong: ['ill'] })
    assert.equal((await ofBox()).length, 1, 'the ice is from no box')
    assert.equal((await found())[0]?.kind, 'complaints-food', 'somebody has to look all the same')
  })

test('who may: the buyer by account or link, and the shop; nobody else learns of anything', async () => {
  await using shop = await shopWithOrders()
  const order = await packedOrder(shop)
  const other = await packedOrder(shop)
  const { _id: id } = await said(shop, order)
  const bea = await callerOf(shop, 'bea', 'USER')
  const url = `${order.path}/complaint`
  for (const path of [url, `${url}${other.query}`, `${url}?key=x`]) {
    assert.equal((await shop.app.inject(path)).statusCode, 404, path)
    assert.equal((await bea('GET', path)).statusCode, 404, path)
    assert.equal((await bea('POST', path, { complaint: spoilt })).statusCode, 404, path)
  }
  assert.equal((await move(shop, other, id, { act: 'withdraw' })).statusCode, 404, 'of another order')
  const limited = async (boxes: string[] | null) => {
    const asked = { name: 'key', rights: ['order:write' as const], boxes }
    const { key } = await createApiKey(shop.deps.db, asked, 'test', shop.deps.now())
    return (method: 'GET' | 'PATCH', path: string, payload?: object) =>
      shop.app.inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${key}` },
        ...(payload && { payload }),
      })
  }
  const own = await limited(['BOX-1'])
  const all = await limited(null)
  for (const path of [url, `${url}/manage`, '/api/complaint']) {
    assert.equal((await own('GET', path)).statusCode, 403, path)
    assert.equal((await all('GET', path)).statusCode, 200, path)
  }
  assert.equal((await own('PATCH', `/api/complaint/${id}`, { act: 'close' })).statusCode, 403)
  const ofBox = await own('GET', '/api/box/BOX-1/complaints')
  assert.deepEqual([ofBox.statusCode, ofBox.json().length], [200, 1])
  assert.doesNotMatch(ofBox.body, /ammonia|ann@|Lee/)
  const ann = await callerOf(shop, 'ann', 'USER')
  await shop.deps.db.update(orders).set({ userId: 'ann' }).where(eq(orders.id, order.id))
  assert.equal((await ann('GET', url)).json().complaints.length, 1, 'her own account, without the link')
})

test('lists are read in parts: open ones first, the newest of each first, each once', async () => {
  await using shop = await shopWithOrders()
  const order = await packedOrder(shop)
  const { db } = shop.deps
  const row = (n: number) => ({
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    orderId: order.id,
    status: n === 7 ? ('OPEN' as const) : ('CLOSED' as const),
    lines: [],
    wrong: ['late' as const],
    wish: 'tell' as const,
    aboutBoxes: false,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, Math.floor(n / 3))),
  })
  await db.insert(complaints).values(Array.from({ length: 120 }, (_, n) => row(n)))
  await db.update(complaints).set({ createdAt: sql`created_at + right(id::text, 3)::int * interval '1 us'` })
  const ids: number[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: ComplaintPage = (await shop.admin('GET', `/api/complaint${next && `?after=${next}`}`)).json()
    ids.push(...page.rows.map(({ _id }: ComplaintRow) => Number(_id.slice(-3))))
    next = page.next
  }
  const later = Array.from({ length: 120 }, (_, n) => 119 - n).filter((n) => n !== 7)
  assert.deepEqual(ids, [7, ...later], 'those of one millisecond, too')
  assert.equal((await shop.admin('GET', '/api/complaint?after=x')).statusCode, 400)
  assert.equal((await shop.admin('GET', '/api/complaint?q=Lee')).json().rows.length, 0, 'by number alone')
  assert.equal(await db.$count(complaintPhotos), 0)
})
