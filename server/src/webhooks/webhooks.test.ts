import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { MAX_WEBHOOK_WAITING, MAX_WEBHOOKS } from '@befaqt/domain/webhook'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { consume } from '#server/db/consume.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import { purge } from '#server/db/retention.ts'
import { webhookJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { shopWithOrders, snapperBox } from '#server/testing/orders.ts'
import { webhookRetention } from './retention.ts'
import { webhookConsumer } from './tell-webhooks.ts'

const silent = { warn: () => undefined, error: () => undefined }
const URL_OF = '/api/manage/webhook'

type Heard = { headers: IncomingHttpHeaders; body: string }

/** A shop, and somebody's machine that listens. */
async function toldShop(open?: (typeof testDatabases)[number][1]) {
  const heard: Heard[] = []
  const answer = { status: 200 }
  const listener = createServer(async (request, response) => {
    heard.push({ headers: request.headers, body: await text(request) })
    response.writeHead(answer.status).end()
  }).listen(0, '127.0.0.1')
  await new Promise((done) => listener.once('listening', done))
  const address = `http://localhost:${(listener.address() as AddressInfo).port}/hook`
  const shop = await shopWithOrders({ env: { WEBHOOK_PRIVATE_HOSTS: 'localhost' }, ...(open && { open }) })
  const { db } = shop.deps
  const follow = async (): Promise<void> => {
    while (await consume(db, webhookConsumer, silent));
  }
  await follow()
  const run = () => runDueJobs(db, webhookJobs(shop.deps), silent, new AbortController().signal)
  return {
    ...shop,
    address,
    heard,
    answer,
    follow,
    add: (...kinds: string[]) => shop.admin('POST', URL_OF, { address, kinds }),
    list: async () => (await shop.admin('GET', URL_OF)).json().webhooks,
    /** Follows what happened, and sends what waits, as if its time had come. */
    send: async () => {
      await follow()
      await rows(db, sql`update jobs set run_at = now() where queue = 'webhook.send'`)
      await run()
    },
    [Symbol.asyncDispose]: async () => {
      listener.close()
      await shop[Symbol.asyncDispose]()
    },
  }
}

for (const [name, open] of testDatabases)
  test(`${name}: what changes within a moment is one signed message about how it is now, and nothing personal`, async () => {
    await using shop = await toldShop(open)
    const { secret } = (await shop.add('order.changed', 'product.changed')).json()
    const first = await shop.placed({ snapper: 2 })
    const second = await shop.placed({ ice: 1 })
    await shop.admin('PATCH', `/api/order/${second._id}`, { status: 'CANCELLED', reason: 'asked for' })
    await shop.send()
    const sent = shop.heard.map(({ body }) => JSON.parse(body))
    const orders = sent.find(({ type }) => type === 'order.changed')
    assert.deepEqual(
      sent.map(({ type }) => type).sort(),
      ['order.changed', 'product.changed'],
      'not one for each change',
    )
    type Told = { _id: string; number: string; status: string }
    const told = new Map(orders.data.orders.map((one: Told) => [one._id, one]))
    assert.deepEqual(
      [told.get(first._id), told.get(second._id)].map((one) => (one as Told).status),
      ['PLACED', 'CANCELLED'],
    )
    assert.doesNotMatch(JSON.stringify(sent), /ann@example|Ann|0400/)
    for (const { headers, body } of shop.heard) {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(signed)
        .digest('base64')
      assert.equal(headers['webhook-signature'], `v1,${mac}`)
    }
    const [listed] = await shop.list()
    assert.deepEqual([listed.waiting, listed.failed, listed.messages.length], [0, 0, 2])
    assert.doesNotMatch(JSON.stringify(await shop.list()), /whsec/)
    await shop.send()
    assert.equal(shop.heard.length, 2, 'nothing is told twice')
  })

test('a message that is not taken is tried again as it was, what changes meanwhile is another', async () => {
  await using shop = await toldShop()
  await shop.add('product.changed')
  await shop.admin('PATCH', '/api/product/snapper', { stock: 7 })
  shop.answer.status = 500
  await shop.send()
  await shop.admin('PATCH', '/api/product/snapper', { stock: 8 })
  shop.answer.status = 200
  await shop.send()
  const [tried, again, newer] = shop.heard
  const ids = shop.heard.map(({ headers }) => headers['webhook-id'])
  assert.equal(shop.heard.length, 3)
  const repeated = ids[0] === ids[1] ? again : newer
  assert.deepEqual([repeated?.body, ids.filter((id) => id === ids[0]).length], [tried?.body, 2])
  const stocks = shop.heard.map(({ body }) => JSON.parse(body).data.products[0].stock).sort()
  assert.deepEqual(stocks, [7, 7, 8])
})

test('what is given up is in sight with the answer, and is sent again by hand with all attempts', async () => {
  await using shop = await toldShop()
  const { id } = (await shop.add('order.changed')).json()
  shop.answer.status = 503
  await shop.placed({ ice: 1 })
  await shop.follow()
  await rows(shop.deps.db, sql`update webhook_messages set attempts = 12`)
  await shop.send()
  const [{ failed, messages }] = await shop.list()
  const [message] = messages
  assert.deepEqual(
    [failed, message.state, message.answer, message.attempts],
    [1, 'failed', 'It answered 503.', 13],
  )
  const url = `${URL_OF}/${id}/message/${message.id}`
  shop.answer.status = 204
  assert.equal((await shop.admin('POST', `${URL_OF}/${id}/message/none`)).statusCode, 404)
  assert.equal((await shop.admin('POST', url)).statusCode, 204)
  assert.equal((await shop.admin('POST', url)).statusCode, 409, 'it waits already')
  await shop.send()
  assert.equal(shop.heard.at(-1)?.body, shop.heard[0]?.body)
  assert.equal((await shop.list())[0].messages[0].state, 'delivered')
})

test('what waits for a receiver that is down is bounded: one message to read everything anew takes its place', async () => {
  await using shop = await toldShop()
  const { db } = shop.deps
  await shop.add('box.changed')
  const grown = (keys: string[] | null) => db.transaction((tx) => appendEvent(tx, eventKinds.boxGrown, keys))
  for (let i = 0; i < MAX_WEBHOOK_WAITING + 1; i++) {
    await grown([`B-${i}`])
    await shop.follow()
    await rows(db, sql`update webhook_messages set body = '{}' where keys is not null`)
  }
  const [{ waiting, messages }] = await shop.list()
  assert.deepEqual([waiting, messages[0].rows], [1, null])
  await grown(['B-1'])
  await shop.send()
  assert.deepEqual(
    shop.heard.map(({ body }) => JSON.parse(body).data),
    [{ all: true }],
  )
})

test('rows of many events are told by the hundred, and of more than a thousand nothing but that', async () => {
  await using shop = await toldShop()
  const { db } = shop.deps
  await shop.add('box.changed')
  await snapperBox(shop)
  const names = (n: number, from = 0) => Array.from({ length: n }, (_, i) => `B-${from + i}`)
  const told = async (keys: string[] | null) => {
    shop.heard.length = 0
    await shop.send()
    shop.heard.length = 0
    await db.transaction((tx) => appendEvent(tx, eventKinds.boxGrown, keys))
    await shop.send()
    return shop.heard.map(({ body }) => JSON.parse(body).data)
  }
  const many = await told(['BOX-1', ...names(249)])
  assert.deepEqual(many.map(({ boxes, gone }) => boxes.length + gone.length).sort(), [100, 100, 50])
  const [box] = many.flatMap(({ boxes }) => boxes)
  assert.deepEqual([box.boxID, box.recalled, box.offSale], ['BOX-1', false, false])
  assert.deepEqual(await told(names(1_500)), [{ all: true }])
  assert.deepEqual(await told(null), [{ all: true }])
})

test('events that were lost are told as such', async () => {
  await using shop = await toldShop()
  await shop.add('order.changed', 'box.changed')
  await shop.deps.db.transaction((tx) => webhookConsumer.startOver(tx))
  await shop.send()
  assert.deepEqual(shop.heard.map(({ body }) => [JSON.parse(body).type, JSON.parse(body).data.all]).sort(), [
    ['box.changed', true],
    ['order.changed', true],
  ])
})

test('a webhook that is removed is told nothing any more, not what waits either', async () => {
  await using shop = await toldShop()
  const { id } = (await shop.add('order.changed')).json()
  await shop.placed({ ice: 1 })
  await shop.follow()
  assert.equal((await shop.admin('DELETE', `${URL_OF}/${id}`)).statusCode, 204)
  assert.equal((await shop.admin('DELETE', `${URL_OF}/${id}`)).statusCode, 404)
  await shop.placed({ ice: 1 })
  await shop.send()
  assert.deepEqual([shop.heard, await shop.list()], [[], []])
  assert.deepEqual(await rows(shop.deps.db, sql`select secret from webhooks`), [{ secret: null }])
  const inTwoMonths = new Date(Date.now() + 60 * 86_400_000)
  await purge(shop.deps.db, inTwoMonths, webhookRetention)
  assert.deepEqual(await rows(shop.deps.db, sql`select id from webhooks`), [])
})

test('odd addresses and kinds are refused, a test is sent, and only owners add any', async () => {
  await using shop = await toldShop()
  for (const body of [
    { address: 'http://10.0.0.7/x', kinds: ['order.changed'] },
    { address: 'https://example.org/x', kinds: [] },
    { address: 'https://example.org/x', kinds: ['order.changed', 'other'] },
    { address: '', kinds: ['order.changed'] },
  ])
    assert.equal((await shop.admin('POST', URL_OF, body)).statusCode, 400, JSON.stringify(body))
  const manager = await callerOf(shop, 'mia', 'USER', ['site:write', 'shop:write', 'order:write'])
  assert.equal((await manager('GET', URL_OF)).statusCode, 403)
  const { id } = (await shop.add('order.changed', 'order.changed')).json()
  assert.deepEqual((await shop.list())[0].kinds, ['order.changed'])
  assert.equal((await shop.admin('POST', `${URL_OF}/${id}/test`)).statusCode, 204)
  await shop.send()
  assert.deepEqual(
    shop.heard.map(({ body }) => JSON.parse(body).type),
    ['test'],
  )
})

for (const [name, open] of testDatabases)
  test(`${name}: of many that are added at once there are no more than the most`, async () => {
    await using shop = await toldShop(open)
    const all = await Promise.all(Array.from({ length: MAX_WEBHOOKS + 5 }, () => shop.add('order.changed')))
    assert.equal(all.filter(({ statusCode }) => statusCode === 201).length, MAX_WEBHOOKS)
    assert.equal((await shop.list()).length, MAX_WEBHOOKS)
  })
