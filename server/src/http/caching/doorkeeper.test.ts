import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Doorkeeper } from './doorkeeper.ts'

test('a second request is recognized, and frequent keys survive a flood of others', () => {
  const asked = new Doorkeeper(3)
  assert.deepEqual([asked.admit('home'), asked.admit('home')], [false, true])
  for (let i = 0; i < 20; i++) {
    assert.equal(asked.admit(`/?utm_source=${i}`), false)
    assert.equal(asked.admit('home'), true)
  }
  assert.equal(asked.admit('/?utm_source=0'), false, 'asked for too long ago')
})
