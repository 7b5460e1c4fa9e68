import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { listen } from './listen.ts'

test('an address that cannot be listened on is rejected with a message that names the setting', async () => {
  const [first, second] = [Fastify(), Fastify()]
  await listen(first, { HOST: '127.0.0.1', PORT: 0 })
  const { port: taken } = first.server.address() as AddressInfo
  await assert.rejects(
    listen(second, { HOST: '127.0.0.1', PORT: taken }),
    /^Error: Wrong setting\. PORT: .*already/,
  )
  await assert.rejects(
    listen(second, { HOST: '192.0.2.1', PORT: 0 }),
    /^Error: Wrong setting\. HOST: 192\.0\.2\.1/,
  )
  await Promise.all([first.close(), second.close()])
})
