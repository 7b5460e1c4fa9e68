import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { testShop } from '#server/testing/shop.ts'

/** Writes a whole request before it looks for an answer, as many clients do. */
async function writeThenRead(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause()
  await once(socket, 'connect')
  const written = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(request, () => resolve())
  })
  await written
  return text(socket)
}

test('a client that sends far too much before reading still reads the rejection', async () => {
  await using shop = await testShop()
  const { app, deps } = shop
  const { key } = await deps.db.transaction((tx) =>
    createApiKey(tx, { name: 'boxes', rights: ['box:write'] }, 'test', deps.now()),
  )
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const body = `{"boxID":"${'a'.repeat(32 * 1024 * 1024)}"}`
  const head = [
    'POST /api/box HTTP/1.1',
    'host: shop.example',
    'connection: close',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  const answer = await writeThenRead(port, `${head.join('\r\n')}\r\n\r\n${body}`)
  assert.match(answer, /^HTTP\/1\.1 413 .*input\.too_large/s)
})

test('an answer names the first hundred invalid fields, however many there are', async () => {
  await using shop = await testShop()
  const fields = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`unknown field number ${i}`, i]))
  const payload = JSON.stringify({ ...fields, lines: [] })
  const answer = await shop.app.inject({
    ...{ method: 'POST', url: '/api/order', payload },
    headers: { 'content-type': 'application/json', 'idempotency-key': 'k-1' },
  })
  assert.equal(answer.statusCode, 400)
  assert.equal(answer.json().error.fields.length, 100)
  assert.ok(answer.body.length < payload.length)
})
