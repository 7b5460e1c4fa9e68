import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { PlacedOrder } from '@befaqt/domain/api/order-api'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { noticeTargets } from '#server/db/schema/excursions.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { cheapPasswords } from '#server/testing/accounts.ts'
import { address, buyer, moved, shopWithOrders } from '#server/testing/orders.ts'

const silent = { warn: () => undefined, error: () => undefined }
/** What somebody types who wants the shop to send it to others. */
const BAIT = 'Refund waits at https://evil.example/refund'
const names = { fname: BAIT, lname: BAIT }

test('nothing that a buyer typed is in an email of the shop, whatever field it was typed in', async () => {
  const came: EmailMessage[] = []
  const mailer = {
    send: async (message: EmailMessage) => void came.push(message),
    close: async () => undefined,
  }
  await using shop = await shopWithOrders({ deps: { mailer, passwords: cheapPasswords } })
  const mailed = async (): Promise<EmailMessage[]> => {
    const before = came.length
    await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), silent, new AbortController().signal)
    return came.slice(before)
  }
  const call = async (method: 'POST' | 'PATCH', url: string, payload: object) => {
    const reply = await shop.app.inject({
      method,
      url,
      payload,
      headers: { 'idempotency-key': randomUUID() },
    })
    assert.ok(reply.statusCode < 300, `${url}: ${reply.body}`)
    return reply
  }
  const order = {
    lines: [{ product_id: 'snapper', quantity: 1 }],
    contact: { ...buyer, ...names },
    note: `${BAIT}\n${BAIT}`,
  }
  const place = async (more: object = {}): Promise<PlacedOrder> =>
    (await shop.place({ ...order, ...more })).json()

  const email = 'ann@example.com'
  await call('POST', '/api/user/signUp', {
    ...names,
    email,
    phone: '',
    password: 'correct horse',
    confirmPassword: 'correct horse',
  })
  await call('POST', '/api/user/activate/again', { email })
  await call('PATCH', '/api/user/forgotpassword', { email })
  const picked = await place()
  const sent = await place({
    fulfilment: {
      kind: 'delivery',
      slot: shop.delivery,
      address: { ...address, street: BAIT, suburb: BAIT },
    },
  })
  await shop.admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher: sampleBox().fisher })
  await shop.admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'BOX-1', quantity: 20 }])
  for (const { _id } of [picked, sent]) {
    const lines = [{ position: 1, grams: 2_000, boxes: [{ boxID: 'BOX-1', amount: 2_000 }] }]
    await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })
    const key = new URL((_id === picked._id ? picked : sent).link).searchParams.get('key')
    const { total } = (await shop.app.inject(`/api/order/${_id}?key=${key}`)).json().totals
    await call('POST', `/api/order/${_id}/acceptance?key=${key}`, { total })
    await moved(shop, _id, 'PACKED')
  }
  await shop.admin('PUT', `/api/order/${picked._id}/slot`, { slot: await shop.newSlot({ capacity: 7 }) })
  await moved(shop, picked._id, 'READY')
  await moved(shop, sent._id, 'SENT')
  const toShop = { id: 'shop', kind: 'email' as const, address: 'shop@example.org', createdBy: 'admin' }
  await shop.deps.db.insert(noticeTargets).values(toShop)
  const complaint = { wrong: ['ill'], words: BAIT, wish: 'refund' }
  await call('POST', `/api/order/${picked._id}/complaint${new URL(picked.link).search}`, { complaint })
  await shop.admin('POST', '/api/box/BOX-1/recall', { reason: 'Too warm.' })
  const recalled = await mailed() // a withdrawal takes back what was not sent yet
  await shop.admin('POST', '/api/box/BOX-1/recall/withdrawal', { reason: 'It was the sensor.' })
  const sentSoFar = recalled.length + (await mailed()).length
  assert.ok(sentSoFar >= 11, `${sentSoFar} emails`)

  const amended = await place()
  const changes = { version: 1, note: `${BAIT}!`, lines: [{ position: 1, quantity: 2 }] }
  await call('POST', `/api/order/${amended._id}/amendment${new URL(amended.link).search}`, changes)
  assert.match((await mailed()).at(-1)?.subject ?? '', /was changed$/)

  const called = await place()
  const placed = (await mailed()).at(-1) // once it is cancelled it is not sent any more
  const { search } = new URL(called.link)
  await call('POST', `/api/order/${called._id}/cancellation${search}`, { reason: BAIT })
  const cancelled = (await mailed()).at(-1)
  assert.match(placed?.subject ?? '', /^Your order/)
  assert.match(cancelled?.subject ?? '', /was cancelled$/)
  for (const { subject, text, html } of came)
    assert.doesNotMatch(`${subject}\n${text}\n${html}`, /evil|Refund waits/, subject)

  const byShop = await place()
  await moved(shop, byShop._id, 'CANCELLED', { reason: 'The boat came home empty.' })
  assert.match(
    (await mailed()).at(-1)?.text ?? '',
    /The boat came home empty\./,
    'the shop’s own reason is mailed',
  )
  const { events } = (await shop.admin('GET', `/api/order/${called._id}/manage`)).json()
  assert.equal(events.at(-1).reason, BAIT, 'and managers read the buyer’s on the order')
})
