import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { categories, products } from '#server/db/schema/shop.ts'
import { webhookJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { watchBoxes } from './watch-boxes.ts'

const START = Date.parse('2026-11-20T00:00:00Z')
const MIN = 60_000
const fisher = { traderID: 'T-1', traderName: 'Sample Fisher', companyName: '', boat: '', address: '' }

type Heard = { headers: IncomingHttpHeaders; body: string }

/** A shop with a box on the road and a webhook that hears of its excursions. */
async function shopWithBox(open?: () => ReturnType<(typeof testDatabases)[number][1]>) {
  let now = START
  const heard: Heard[] = []
  const status = { answer: 500 }
  const listener = createServer(async (request, response) => {
    heard.push({ headers: request.headers, body: await text(request) })
    response.writeHead(status.answer).end()
  }).listen(0, '127.0.0.1')
  await new Promise((done) => listener.once('listening', done))
  const url = `http://localhost:${(listener.address() as AddressInfo).port}/hook`
  const deps = { now: () => new Date(now) }
  const shop = await testShop({ deps, env: { WEBHOOK_PRIVATE_HOSTS: 'localhost' }, ...(open && { open }) })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await admin('POST', '/api/box/registration', { boxID: 'X-1', fisher })
  return {
    ...shop,
    admin,
    heard,
    status,
    url,
    setNow: (at: number) => {
      now = at
    },
    [Symbol.asyncDispose]: async () => {
      listener.close()
      await shop[Symbol.asyncDispose]()
    },
  }
}

/** Sends readings every ten minutes from the `first` on, and follows them. */
async function read(
  shop: TestShop & { admin: Caller; setNow: (at: number) => void },
  first: number,
  ...temperatures: number[]
) {
  const readings = temperatures.map((temperature, i) => ({
    box: 'X-1',
    iotID: 'L-1',
    time: new Date(START + (first + i) * 10 * MIN).toISOString(),
    latitude: -33.5,
    longitude: 150.5,
    temperature,
  }))
  shop.setNow(START + (first + temperatures.length) * 10 * MIN)
  const answer = await shop.admin('POST', '/api/tracking', { readings })
  assert.equal(answer.json().accepted, readings.length, answer.body)
  await watchBoxes(shop.deps)
}

const list = async (call: Caller, state?: string) =>
  (await call('GET', `/api/excursion?page=1${state ? `&state=${state}` : ''}`)).json().rows

for (const [name, open] of testDatabases)
  test(`${name}: an excursion opens once, follows its peak, ends by itself and is closed with a reason`, async () => {
    await using shop = await shopWithBox(open)
    const { admin } = shop
    const openOnes = async () => (await admin('GET', '/api/excursion?page=1&state=open')).json().rows
    await read(shop, 0, 2, 6, 7)
    assert.deepEqual(await openOnes(), [])
    await read(shop, 3, 6, 9.4)
    await watchBoxes(shop.deps)
    const [first, ...none] = await openOnes()
    assert.deepEqual([none.length, first.kind, first.peak, first.endedAt], [0, 'warm', 9.4, null])
    assert.equal(first.since, new Date(START + 10 * MIN).toISOString())
    await read(shop, 5, 3)
    assert.deepEqual(await openOnes(), [])
    const [ended] = await list(admin, 'ended')
    assert.deepEqual([ended.id, ended.endedAt], [first.id, new Date(START + 50 * MIN).toISOString()])
    const path = `/api/excursion/${first.id}`
    assert.equal((await admin('POST', `${path}/closing`, { text: ' ' })).statusCode, 400)
    assert.equal((await admin('POST', `${path}/note`, { text: 'Called the driver' })).statusCode, 204)
    assert.equal((await admin('POST', `${path}/closing`, { text: 'Iced again' })).statusCode, 204)
    assert.equal((await admin('POST', `${path}/closing`, { text: 'Again' })).statusCode, 409)
    const detail = (await admin('GET', path)).json()
    assert.deepEqual([detail.readings.length, detail.closeReason, detail.notes.length], [6, 'Iced again', 2])
    assert.equal((await admin('GET', '/api/excursion/none')).statusCode, 404)
  })

test('a species may have a limit of its own, and a late reading is followed in its place', async () => {
  await using shop = await shopWithBox()
  const { admin } = shop
  const limit = (body: object) => admin('PUT', '/api/manage/excursion/limit', body)
  assert.equal((await limit({ species: 'Snapper', degrees: 2, minutes: 20 })).statusCode, 204)
  assert.equal((await limit({ species: '', degrees: 99, minutes: 0 })).statusCode, 400)
  const place = { latitude: -33.5, longitude: 150.5, locationCodeLat: -33.5, locationCodeLong: 150.5 }
  const data = {
    time: '2026-11-20T00:00:00Z',
    boat: '',
    method: '',
    img: '',
    species: 'Snapper',
    size: '',
    note: '',
  }
  assert.equal((await admin('POST', '/api/box/X-1/catch', { ...data, ...place })).statusCode, 201)
  await read(shop, 3, 3, 1)
  assert.deepEqual(await list(admin), [], 'ten minutes')
  await read(shop, 1, 3, 3)
  const [found] = await list(admin)
  assert.deepEqual([found.since, found.limit], [new Date(START + 10 * MIN).toISOString(), 2])
})

test('a webhook is signed, tried again with the same body, and its secret shown once', async () => {
  await using shop = await shopWithBox()
  const { admin, heard, status, url } = shop
  const add = (kind: string, address: string) =>
    admin('POST', '/api/manage/excursion/target', { kind, address })
  assert.equal((await add('webhook', 'http://10.0.0.7/x')).statusCode, 400)
  assert.equal((await add('webhook', 'https://[::1]/x')).statusCode, 400)
  assert.equal((await add('email', 'no address')).statusCode, 400)
  const { secret, id } = (await add('webhook', url)).json()
  assert.equal((await add('email', 'market@example.org')).statusCode, 201)
  const settings = (await admin('GET', '/api/manage/excursion/settings')).body
  assert.ok(!settings.includes(secret) && settings.includes(url))
  await read(shop, 0, 6, 6, 6, 6, 6)
  const run = () =>
    runDueJobs(shop.deps.db, webhookJobs(shop.deps), { warn() {}, error() {} }, new AbortController().signal)
  await run()
  assert.equal(heard.length, 1)
  status.answer = 204
  await shop.deps.db.execute('update jobs set run_at = now()')
  await run()
  const [first, second] = heard
  assert.ok(first && second && first.body === second.body)
  for (const { headers, body } of [first, second]) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(signed)
      .digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${mac}`)
  }
  const { type, data } = JSON.parse(first.body)
  assert.deepEqual([type, data.box, data.kind], ['excursion.opened', 'X-1', 'warm'])
  const [row] = await list(admin)
  const { notices } = (await admin('GET', `/api/excursion/${row.id}`)).json()
  const [hook, email] = notices
  assert.deepEqual([notices.length, hook.attempts, hook.failedAt], [2, 2, null])
  assert.deepEqual([email.address, email.deliveredAt], ['market@example.org', null])
  const mails = await shop.deps.db.execute("select payload->>'to' as to from jobs where queue = 'mail.send'")
  assert.deepEqual(JSON.parse(JSON.stringify(mails)).rows ?? mails, [{ to: 'market@example.org' }])
  assert.equal((await admin('DELETE', `/api/manage/excursion/target/${id}`)).statusCode, 204)
})

test('the box is taken off sale and put back, both noted, and closing may put it back', async () => {
  await using shop = await shopWithBox()
  const { admin } = shop
  const { db } = shop.deps
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db
    .insert(products)
    .values(['whole', 'fillet', 'other'].map((id) => ({ id, title: id, categoryId: 'c', stock: 1 })))
  for (const id of ['whole', 'fillet'])
    assert.ok(
      (await admin('PUT', `/api/product/${id}/boxes`, [{ boxID: 'X-1', quantity: 1 }])).statusCode < 300,
    )
  await admin('PATCH', '/api/product/fillet', { status: 'DISABLED' })
  await read(shop, 0, 7, 8, 9, 9)
  const [{ id } = { id: '' }] = await list(admin)
  const path = `/api/excursion/${id}`
  const post = async (what: string, body?: object) =>
    (await admin('POST', `${path}/${what}`, body)).statusCode
  const take = async () => (await admin('POST', `${path}/withdrawal`)).json()
  const offSale = async () => (await admin('GET', path)).json().sale.offSale?.reason
  const [first, second] = [await take(), await take()]
  assert.deepEqual([first.taken, first.sale.changed], [1, true])
  assert.deepEqual([second.taken, second.sale.changed], [0, false])
  assert.match(await offSale(), /^Excursion: Above 5 °C/)
  assert.equal((await admin('GET', '/api/box/X-1/sale')).json().offSale.reason, await offSale())
  const statuses = await db.select({ id: products.id, status: products.status }).from(products)
  assert.deepEqual(Object.fromEntries(statuses.map((row) => [row.id, row.status])), {
    whole: 'ACTIVE',
    fillet: 'DISABLED',
    other: 'ACTIVE',
  })
  assert.deepEqual([await post('return'), await post('return'), await offSale()], [204, 204, undefined])
  await take()
  assert.equal(await post('closing', { text: 'Checked', backOnSale: true }), 204)
  assert.equal(await offSale(), undefined)
  const { notes } = (await admin('GET', path)).json()
  assert.deepEqual(
    notes.map(({ text }: { text: string }) => text),
    [
      'Taken off sale: whole',
      'Put back on sale: whole',
      'Taken off sale: whole',
      'Closed: Checked',
      'Put back on sale: whole',
    ],
  )
})
