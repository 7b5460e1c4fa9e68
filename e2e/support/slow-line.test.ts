import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { slowLine } from './slow-line.ts'

/** Asks the line at `url` for a connection to `host` and `port`, as a browser does. */
async function through(url: string, host: string, port: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(Buffer.from([5, 1, 0]))
  assert.deepEqual(await once(socket, 'data'), [Buffer.from([5, 0])])
  const name = Buffer.from(host)
  const target = Buffer.from([port >> 8, port & 255])
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, target]))
  return socket
}

test('bytes arrive whole and in order, and no sooner than the line lets them', async () => {
  const sent = randomBytes(300_000)
  const server = createServer((socket) => socket.once('data', () => socket.end(sent))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using line = await slowLine()
  const began = performance.now()
  const socket = await through(line.url, 'localhost', (server.address() as AddressInfo).port)
  const [answer] = await once(socket, 'data')
  assert.equal(answer[1], 0, 'it connects')
  socket.write('go')
  assert.deepEqual(await buffer(socket), sent)
  // Twice there and back, and 0.3 of a second at 1 MB/s.
  assert.ok(performance.now() - began >= 590, `${performance.now() - began} ms`)
  server.close()
})

test('it leads to nowhere but this machine', async () => {
  await using line = await slowLine()
  const socket = await through(line.url, 'elsewhere.example', 80)
  assert.equal((await buffer(socket)).length, 0)
})
