import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startBalancer } from '../support/balancer.ts'
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
  await using balancer = await startBalancer(addressOf(one), addressOf(two))
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
      async (answer) => (await answer.json()).process === 'stopping',
      () => false,
    ),
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
