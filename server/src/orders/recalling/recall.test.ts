import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxPageView } from '@befaqt/domain/api/box-api'
import type { RecallView } from '@befaqt/domain/api/recall-api'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { and, eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { records } from '#server/db/schema/boxes.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { refusal, smtpServer } from '#server/testing/smtp-server.ts'

const silent = { warn: () => undefined, error: () => undefined }
const URL = '/api/box/BOX-1/recall'
const REASON = 'It was too warm on the road.'

/** Two boxes with snapper, and an order packed from the first for each of these buyers. */
async function shopWithBuyers(emails: readonly string[], options: Parameters<typeof shopWithOrders>[0] = {}) {
  const shop = await shopWithOrders(options)
  const { fisher } = sampleBox()
  for (const boxID of ['BOX-1', 'BOX-2']) await shop.admin('POST', '/api/box/registration', { boxID, fisher })
  const links = ['BOX-1', 'BOX-2'].map((boxID) => ({ boxID, quantity: 20 }))
  await shop.admin('PUT', '/api/product/snapper/boxes', links)
  const ids: string[] = []
  for (const email of emails) {
    const reply = await shop.place({ lines: linesOf({ snapper: 1 }), contact: { ...buyer, email } })
    const { _id } = reply.json()
    assert.equal((await pack(shop, _id, 'BOX-1')).statusCode, 200)
    ids.push(_id)
  }
  return { ...shop, ids }
}

const pack = (shop: OrderShop, id: string, boxID: string) =>
  shop.admin('PUT', `/api/order/${id}/packing`, {
    lines: [{ position: 1, grams: 1_000, boxes: [{ boxID, amount: 1_000 }] }],
  })

const told = ({ orders }: RecallView) => orders.map(({ notice }) => notice).sort()

const sendMail = ({ deps }: OrderShop) =>
  runDueJobs(deps.db, interactiveJobs(deps), silent, new AbortController().signal)

const queued = ({ deps }: OrderShop, kind: string) =>
  deps.db.$count(jobs, and(eq(jobs.queue, MAIL_QUEUE), sql`payload->>'kind' = ${kind}`))

const pageOf = async ({ app }: OrderShop): Promise<BoxPageView> =>
  (await app.inject('/api/box/BOX-1/page')).json()

for (const [name, open] of testDatabases)
  test(`${name}: a recall is in the history and on the page, tells every buyer, says who was not reached, and ends`, async () => {
    const emails = ['ann@example.org', 'gone@example.org', 'bea@example.org']
    let refuses = true
    await using smtp = await smtpServer(undefined, (to) =>
      refuses && to.includes('gone') ? refusal(550, 'No such user') : null,
    )
    await using shop = await shopWithBuyers(emails, { open, env: { SMTP_URL: smtp.url } })
    const { admin, app, ids, deps } = shop
    const [first = ''] = ids
    await moved(shop, first, 'PACKED')
    await rows(deps.db, sql`delete from order_contacts where email = 'bea@example.org'`)
    const preview: RecallView = (await admin('GET', URL)).json()
    assert.deepEqual([preview.recall, told(preview)], [null, ['no contact', 'none', 'none']])
    assert.equal((await app.inject('/api/product/snapper')).json().box?.boxID, 'BOX-1')

    const replies = await Promise.all([1, 2].map(() => admin('POST', URL, { reason: REASON })))
    assert.deepEqual(
      replies.map(({ statusCode }) => statusCode),
      [200, 200],
    )
    assert.equal(await queued(shop, 'order-recalled'), 2, 'one email for each, although it was sent twice')
    assert.equal((await admin('POST', URL, { reason: 'Another' })).json().error.code, 'box.recalled')
    const { recall, records: history } = await pageOf(shop)
    assert.deepEqual([recall?.reason, recall?.inHistory, history.at(-1)?.kind], [REASON, true, 'recall'])
    const [record] = await deps.db.select().from(records).where(eq(records.kind, 'recall'))
    assert.deepEqual(JSON.parse(record?.body ?? '').data, { reason: REASON })
    assert.equal((await app.inject('/api/product/snapper')).json().box?.boxID, 'BOX-2', 'on no card')
    assert.deepEqual((await admin('GET', '/api/product/snapper/manage')).json().recalledBoxes, ['BOX-1'])

    const [, second = ''] = ids
    assert.equal((await pack(shop, second, 'BOX-1')).json().error.code, 'box.recalled')
    for (const [id, status] of [
      [first, 'READY'],
      [second, 'PACKED'],
    ] as const)
      assert.equal((await admin('PATCH', `/api/order/${id}`, { status })).json().error.code, 'box.recalled')
    const order = (await admin('GET', `/api/order/${first}`)).json()
    assert.deepEqual(order.lines[0].boxes, [{ boxID: 'BOX-1', amount: 1_000, recall: REASON, sale: 2 }])

    await sendMail(shop)
    const after: RecallView = (await admin('GET', URL)).json()
    assert.deepEqual(told(after), ['given up', 'no contact', 'sent'])
    assert.match(after.orders.find(({ notice }) => notice === 'given up')?.noticeError ?? '', /No such user/)
    refuses = false
    assert.deepEqual(told((await admin('POST', `${URL}/notices`)).json()), ['no contact', 'sent', 'waiting'])
    await admin('POST', `${URL}/notices`)
    await sendMail(shop)
    assert.deepEqual(told((await admin('GET', URL)).json()), ['no contact', 'sent', 'sent'])
    const mails = smtp.mails.filter(({ raw }) => raw.includes('Please do not eat this fish'))
    assert.equal(mails.length, 2, 'nobody is told twice')

    const csv = (await admin('GET', `${URL}.csv`)).body.trim().split('\r\n')
    assert.equal(csv[0], 'order,status,name,email,phone,bought,notice,error')
    assert.match(csv.join(), /,PACKED,Ann Lee,ann@example.org,0400 000 000,Snapper 1 kg,sent,/)

    assert.equal(
      (await admin('POST', `${URL}/withdrawal`, { reason: 'The sensor was wrong.' })).statusCode,
      200,
    )
    assert.equal((await pageOf(shop)).recall, null)
    assert.equal(await queued(shop, 'order-recall-withdrawn'), 2)
    assert.equal((await admin('POST', `${URL}/notices`)).json().error.code, 'box.not_recalled')
    await moved(shop, first, 'READY')
    assert.equal((await app.inject('/api/product/snapper')).json().box?.boxID, 'BOX-1')
  })

test('what was bought of a recalled box is told by weight, or as it is counted', async () => {
  await using shop = await shopWithBuyers(['ann@example.org'])
  await shop.admin('PUT', '/api/product/ice/boxes', [{ boxID: 'BOX-1', quantity: 9 }])
  const { _id: id } = await shop.placed({ ice: 2 })
  const lines = [{ position: 1, boxes: [{ boxID: 'BOX-1', amount: 2 }] }]
  assert.equal((await shop.admin('PUT', `/api/order/${id}/packing`, { lines })).statusCode, 200)
  const { body } = await shop.admin('GET', `${URL}.csv`)
  assert.match(body, /,Snapper 1 kg,/)
  assert.match(body, /,Ice 2 × bag,/)
})

test('what a cancelled order had from a recalled box is not sold again, and is a loss of that box', async () => {
  await using shop = await shopWithBuyers(['ann@example.org', 'bea@example.org'])
  const { admin, ids } = shop
  const [sold = '', assigned = ''] = ids
  await moved(shop, sold, 'PACKED')
  const before = await shop.stockOf('snapper')
  await admin('POST', URL, { reason: REASON })
  for (const id of [sold, assigned]) await moved(shop, id, 'CANCELLED', { reason: 'Recalled.' })
  const [balance] = (await admin('GET', '/api/box/BOX-1/balance')).json()
  assert.equal(await shop.stockOf('snapper'), before)
  assert.deepEqual([balance.sold, balance.lost, balance.left], [0, 2_000, balance.in - 2_000])
  const { records: history } = await pageOf(shop)
  const kinds = history.map(({ kind }) => kind)
  assert.deepEqual(kinds.slice(-4), ['recall', 'sale', 'loss', 'loss'])
})

test('a sealed box is recalled without a record, and one that its history recalls stays so', async () => {
  await using shop = await shopWithBuyers([])
  const { admin } = shop
  await admin('POST', '/api/box/BOX-1/seal', {})
  assert.equal((await admin('POST', URL, { reason: REASON })).json().recall.inHistory, false)
  assert.deepEqual((await pageOf(shop)).recall?.inHistory, false)
  assert.equal((await admin('POST', `${URL}/withdrawal`, { reason: 'No' })).json().recall, null)
  const other = '/api/box/BOX-2'
  await admin('POST', `${other}/recall`, { reason: REASON })
  await admin('POST', `${other}/seal`, {})
  const refused = await admin('POST', `${other}/recall/withdrawal`, { reason: 'No' })
  assert.equal(refused.json().error.code, 'box.sealed')
})

test('recalls are for managers, with a reason', async () => {
  await using shop = await shopWithBuyers([])
  const user = await callerOf(shop, 'user', 'USER')
  for (const [method, url] of [
    ['GET', URL],
    ['GET', `${URL}.csv`],
    ['POST', URL],
    ['POST', `${URL}/notices`],
    ['POST', `${URL}/withdrawal`],
  ] as const) {
    const payload = method === 'POST' ? { reason: REASON } : undefined
    assert.equal((await user(method, url, payload)).statusCode, 403, url)
    assert.equal((await shop.app.inject({ method, url, ...(payload && { payload }) })).statusCode, 401, url)
  }
  for (const reason of ['', ' ', 'a\u0000', 'x'.repeat(501), 'two\nlines', 1, undefined]) {
    const reply = await shop.admin('POST', URL, { reason })
    assert.deepEqual([reply.statusCode, reply.json().error.fields[0].path], [400, 'reason'], String(reason))
  }
  assert.equal((await shop.admin('POST', '/api/box/NONE/recall', { reason: REASON })).statusCode, 404)
  assert.equal((await pageOf(shop)).recall, null)
})

for (const [name, open] of testDatabases)
  test(`${name}: an email that was sent, but can't be noted, is not sent again by itself`, async () => {
    await using smtp = await smtpServer()
    await using shop = await shopWithBuyers(['ann@example.org'], { open, env: { SMTP_URL: smtp.url } })
    await shop.admin('POST', URL, { reason: REASON })
    const { db } = shop.deps
    await rows(db, sql`alter table recall_notices add constraint refuses check (sent_at is null)`)
    for (const _ of [1, 2]) {
      await sendMail(shop)
      await rows(db, sql`update jobs set run_at = now(), leased_until = null where queue = ${MAIL_QUEUE}`)
    }
    const sent = smtp.mails.filter(({ raw }) => raw.includes('Please do not eat this fish'))
    assert.equal(sent.length, 1)
    const { orders }: RecallView = (await shop.admin('GET', URL)).json()
    assert.match(orders[0]?.noticeError ?? '', /could not be noted/)
    assert.deepEqual(told({ orders } as RecallView), ['given up'])
  })

test('a box is recalled once, and only what is recalled is told again or withdrawn', async () => {
  await using shop = await shopWithBuyers(['ann@example.org'])
  const attempts = [
    ['POST', URL, { reason: REASON }],
    ['POST', URL, { reason: 'Another one.' }],
    ['POST', `${URL}/notices`, undefined],
    ['POST', `${URL}/withdrawal`, { reason: 'It was the other box.' }],
  ] as const
  const tries = async (...which: number[]) => {
    const said: string[] = []
    for (const i of which) {
      const [method, url, payload] = attempts[i] ?? attempts[0]
      const reply = await shop.admin(method, url, payload)
      said.push(
        `${reply.statusCode} ${reply.json().error?.code ?? (reply.json().recall ? 'recalled' : 'not')}`,
      )
    }
    return said
  }
  assert.deepEqual(await tries(2, 3), ['409 box.not_recalled', '409 box.not_recalled'])
  assert.deepEqual(await tries(0, 0, 1, 2), [
    '200 recalled',
    '200 recalled',
    '409 box.recalled',
    '200 recalled',
  ])
  assert.deepEqual(await tries(3, 3, 1), ['200 not', '409 box.not_recalled', '200 recalled'])
})
