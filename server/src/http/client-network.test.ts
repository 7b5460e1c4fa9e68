import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNetwork, connectionLimiter } from './client-network.ts'

test('limits count IPv4 addresses individually and IPv6 addresses by network', () => {
  for (const [address, want] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ] as const)
    assert.equal(clientNetwork(address), want, address)
})

test('concurrent connections of one kind are limited, and a closed one makes room', () => {
  const enter = connectionLimiter(2)
  const leave = enter('a')
  assert.ok(leave && enter('a') && enter('b'))
  assert.equal(enter('a'), undefined)
  leave()
  assert.ok(enter('a'))
  assert.equal(enter('a'), undefined)
})
