import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { claimPorts, freePort } from './free-port.ts'

test('two processes that begin with the same slice of ports get different ones', async () => {
  const first = await claimPorts(7)
  const second = await claimPorts(7)
  assert.ok(Math.abs(first.first - second.first) > first.count)
  first.guard.close()
  await once(first.guard, 'close')
  const third = await claimPorts(7)
  assert.equal(third.first, first.first, 'and what ends leaves its slice to others')
  for (const { guard } of [second, third]) guard.close()
})

test('a free port is one that nobody listens on', async () => {
  const port = await freePort()
  const next = createServer().listen(port + 1, '127.0.0.1')
  await once(next, 'listening')
  const other = await freePort()
  assert.notEqual(other, port + 1)
  assert.notEqual(other, port)
  next.close()
})
