import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startBalancer } from '../support/balancer.ts'
import { callJson, orderByApi } from '../support/order.ts'
import { startServerOnPostgres, withoutPostgres } from '../support/postgres.ts'
import { type Server, startServer } from '../support/server.ts'
import { until, within } from '../support/within.ts'

const addressOf = ({ url }: Server): string => url.replace('localhost', '127.0.0.1')

test('no request of a rolling restart fails', { skip: withoutPostgres }, async (t) => {
  const env = { DRAIN_S: '4', SAMPLE_DATA: 'off' }
  await using one = await startServerOnPostgres({ env })
  const more = { dataDir: one.dataDir, env: { ...env, DATABASE_URL: one.databaseUrl } }
  await using two = await startServer(more)
  for (const { url } of [one, two])
    await until(60, 'both are ready', async () => (await fetch(`${url}/readyz`)).ok)
  await using balancer = await startBalancer([addressOf(one), addressOf(two)])
  let isOver = false
  const statuses = new Map<number, number>()
  const visit = async (path: string): Promise<void> => {
    while (!isOver) {
      const answer = await fetch(balancer.url + path)
      await answer.arrayBuffer()
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
  }
  const paths = ['/', '/api/product/active', '/api/site', '/api/box', '/api/product/active', '/about/us']
  const visitors = paths.map(visit)
  await wait(1_000)
  const stopping = one.stop()
  await until(30, 'it says that it stops', () =>
    fetch(`${one.url}/readyz`).then(
      async (answer) => answer.status === 503 && (await answer.json()).process === 'stopping',
      () => false,
    ),
  )
  const alive = await fetch(`${one.url}/healthz`)
  assert.deepEqual(
    [alive.status, alive.headers.get('connection')],
    [200, 'close'],
    'nobody kills it meanwhile',
  )
  await stopping
  balancer.backends.delete(addressOf(one))
  await using three = await startServer(more)
  balancer.backends.add(addressOf(three))
  await until(60, 'the new one is ready', async () => (await fetch(`${three.url}/readyz`)).ok)
  await wait(1_000)
  await two.stop()
  await wait(1_000)
  isOver = true
  await Promise.all(visitors)
  t.diagnostic(`${[...statuses.values()].reduce((sum, n) => sum + n)} requests`)
  assert.deepEqual(balancer.broken, [])
  assert.deepEqual([...statuses.keys()].sort(), [200])
})

test('a process goes on while a newer version has migrated, and its own version starts no more', {
  skip: withoutPostgres,
}, async () => {
  await using old = await startServerOnPostgres({ env: { SAMPLE_DATA: 'off', DRAIN_S: '0' } })
  const more = { dataDir: old.dataDir, env: { SAMPLE_DATA: 'off', DATABASE_URL: old.databaseUrl } }
  await until(60, 'it is ready', async () => (await fetch(`${old.url}/readyz`)).ok)
  await old.query(
    `with c as (insert into categories (id, title, title_key, shelf_pos) values ('c', 'Fish', 'fish', '1')),
       p as (insert into products (id, title, category_id, price_cents, unit, stock)
         values ('snapper', 'Snapper', 'c', 3000, 'kg', 50))
     insert into events (kind) values ('catalogue.changed')`,
  )
  await until(60, 'it is sold', async () =>
    (await (await fetch(`${old.url}/api/product/active`)).text()).includes('Snapper'),
  )
  // What a newer version does, which only adds.
  await old.query(`create table of_a_newer_version (id text primary key)`)
  await old.query(`alter table products add column of_a_newer_version text`)
  await old.query(`alter table orders add column of_a_newer_version text not null default 'x'`)
  await old.query(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 4102444800000)`)
  await wait(1_500) // the last answer is given for a second
  assert.equal((await fetch(`${old.url}/readyz`)).status, 200)
  for (const path of ['/', '/product', '/api/product/active', '/api/box', '/api/slot'])
    assert.equal((await fetch(old.url + path)).status, 200, path)
  const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
  const slot = { kind: 'pickup', startsAt: at(24), endsAt: at(26), cutOffAt: at(23), capacity: 10 }
  await callJson(old, 'POST', '/api/slot', slot)
  assert.match((await orderByApi(old, 'Snapper', 1)).number, /^BF-/)
  await assert.rejects(startServer(more), /database was made by a newer version of the shop/)
  assert.match((await orderByApi(old, 'Snapper', 1)).number, /^BF-/, 'nor does that harm who runs')
})

test('a half-sent request does not delay shutdown', async () => {
  await using server = await startServer({ env: { SAMPLE_DATA: 'off' } })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const head = [
    'POST /api/user/signIn HTTP/1.1',
    'host: x',
    'content-type: application/json',
    'content-length: 99',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n{"email":`)
  await wait(500)
  await within(40, 'it ends', server.stop())
})
