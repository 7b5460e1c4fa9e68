import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Doorkeeper } from './doorkeeper.ts'

test('the second time is known, and what is asked for again and again is not forgotten in a flood', () => {
  const asked = new Doorkeeper(3)
  assert.deepEqual([asked.admit('home'), asked.admit('home')], [false, true])
  for (let i = 0; i < 20; i++) {
    assert.equal(asked.admit(`/?utm_source=${i}`), false)
    assert.equal(asked.admit('home'), true)
  }
  assert.equal(asked.admit('/?utm_source=0'), false, 'asked for too long ago')
})
