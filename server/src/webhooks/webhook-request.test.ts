import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { isPublicAddress, postWebhook, webhookUrlError } from './webhook-request.ts'

test('no webhook leads into a private network, by whatever way it is written', () => {
  for (const url of [
    'http://example.org/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::a00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://user:pass@example.org/',
    'file:///etc/passwd',
    'x',
  ])
    assert.ok(webhookUrlError(url, []), url)
  assert.equal(webhookUrlError('https://example.org/hook', []), undefined)
  assert.equal(webhookUrlError('http://hooks.internal/x', ['hooks.internal']), undefined)
  for (const address of ['8.8.8.8', '2606:4700::1111']) assert.ok(isPublicAddress(address), address)
  for (const address of ['10.1.2.3', '100.64.0.1', '::1', 'fd00::1', '2001:db8::1', '2002:7f00:1::', 'x'])
    assert.ok(!isPublicAddress(address), address)
})

test('a name that leads into a private network is found out when it is connected to, and gets no connection', async () => {
  let connections = 0
  const server = createServer().listen(0, '127.0.0.1')
  server.on('connection', () => connections++)
  await new Promise((done) => server.once('listening', done))
  const url = `https://localhost:${(server.address() as AddressInfo).port}/hook`
  assert.equal(webhookUrlError(url, []), 'must not lead into a private network')
  const message = { body: '{}', headers: {}, allowed: [], signal: new AbortController().signal }
  try {
    // The second is known by no pattern: what it leads to is looked at when it is connected to.
    for (const refused of [
      url,
      `https://${hostname()}:${new URL(url).port}/hook`,
      'https://127.0.0.1:1/hook',
    ])
      await assert.rejects(postWebhook(refused, message), /private network|ENOTFOUND|EAI_AGAIN/)
  } finally {
    server.close()
  }
  assert.equal(connections, 0)
})
