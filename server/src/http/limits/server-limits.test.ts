import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { buildApp } from '#server/app.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { type ServerLimits, serverLimits } from './route-limits.ts'

let shop: TestShop
before(async () => {
  shop = await testShop()
})
after(() => shop[Symbol.asyncDispose]())

/** Far below the limits that a test leaves as they are. */
const TIMEOUT_MS = 15_000

/** The shop on a port of its own, with some limits of the server changed. */
async function listening(change: Partial<ServerLimits>, proxies: string[] = []) {
  const deps = { ...shop.deps, config: { ...shop.deps.config, TRUSTED_PROXIES: proxies } }
  const app = await buildApp(deps, undefined, { ...serverLimits, checkIntervalMs: 50, ...change })
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const opened: Socket[] = []
  return {
    health: async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status,
    connect: async (from = '127.0.0.1') => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from }).setEncoding('utf8')
      opened.push(socket)
      socket.on('error', () => undefined) // broken off by the server
      await once(socket, 'connect')
      return socket
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of opened) socket.destroy()
      await app.close()
    },
  }
}

/** What came back until the server closed the connection, and whether it did so before we lost patience. */
async function untilClosed(socket: Socket, onTick: () => void = () => undefined) {
  let came = ''
  socket.on('data', (text) => {
    came += text
  })
  let lost = false
  const patience = setTimeout(() => {
    lost = true
    socket.destroy()
  }, TIMEOUT_MS)
  const ticking = setInterval(onTick, 20)
  // Not `once` of node:events, which rejects when what is written meets a connection that the server has just closed.
  await new Promise((closed) => socket.once('close', closed))
  clearTimeout(patience)
  clearInterval(ticking)
  return { came, closedByServer: !lost }
}

test('headers sent a byte at a time time out, and others are served meanwhile', async () => {
  await using server = await listening({ headersTimeoutMs: 2_000 })
  const slow = await server.connect()
  slow.write('GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ')
  const [{ came, closedByServer }, status] = await Promise.all([
    untilClosed(slow, () => slow.write('a')),
    server.health(),
  ])
  assert.equal(status, 200)
  assert.ok(closedByServer)
  assert.match(came, /^HTTP\/1\.1 408 /)
})

test('a body sent a byte at a time times out', async () => {
  await using server = await listening({ headersTimeoutMs: 400, requestTimeoutMs: 500 })
  const slow = await server.connect()
  slow.write('POST /api/user/signIn HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n')
  slow.write('content-length: 10000\r\n\r\n{"email":"')
  const { came, closedByServer } = await untilClosed(slow, () => slow.write('a'))
  assert.ok(closedByServer)
  assert.match(came, /^HTTP\/1\.1 408 /)
})

for (const [what, said] of [
  ['says nothing', ''],
  ['stops in its head', 'GET /healthz HTTP/1.1\r\nhost'],
  [
    'stops in its body',
    'POST /api/user/signIn HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
  ],
] as const)
  test(`a connection that ${what} is closed`, async () => {
    await using server = await listening({ idleTimeoutMs: 500 })
    const idle = await server.connect()
    idle.write(said)
    assert.deepEqual(await untilClosed(idle), { came: '', closedByServer: true })
  })

test('connections beyond the limit are closed, those within it are served, and a closed one frees its place', async () => {
  await using server = await listening({ connections: 2 })
  await server.connect()
  const second = await server.connect()
  assert.deepEqual(await untilClosed(await server.connect()), { came: '', closedByServer: true })
  second.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  assert.match((await untilClosed(second)).came, /^HTTP\/1\.1 200 /)
  const third = await server.connect()
  third.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  assert.match((await untilClosed(third)).came, /^HTTP\/1\.1 200 /)
})

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

test('one network can’t use up the connections of all, but a trusted proxy has as many as there are', async () => {
  await using server = await listening({ connections: 6, connectionsPerNetwork: 2 }, ['127.0.0.9'])
  const held = [await server.connect(), await server.connect()]
  assert.deepEqual(await untilClosed(await server.connect()), { came: '', closedByServer: true })
  const other = await server.connect('127.0.0.2')
  other.write(HEALTH)
  assert.match((await untilClosed(other)).came, /^HTTP\/1\.1 200 /)
  const [first] = held
  first?.write(HEALTH)
  if (first !== undefined) assert.match((await untilClosed(first)).came, /^HTTP\/1\.1 200 /)
  const again = await server.connect()
  again.write(HEALTH)
  assert.match((await untilClosed(again)).came, /^HTTP\/1\.1 200 /, 'a closed one frees its place')
  await server.connect('127.0.0.9')
  await server.connect('127.0.0.9')
  const third = await server.connect('127.0.0.9')
  third.write(HEALTH)
  assert.match((await untilClosed(third)).came, /^HTTP\/1\.1 200 /)
})
