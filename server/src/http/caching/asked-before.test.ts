import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AskedBefore } from './asked-before.ts'

test('the second time is known, and what is asked for again and again is not forgotten in a flood', () => {
  const asked = new AskedBefore(3)
  assert.deepEqual([asked.ask('home'), asked.ask('home')], [false, true])
  for (let i = 0; i < 20; i++) {
    assert.equal(asked.ask(`/?utm_source=${i}`), false)
    assert.equal(asked.ask('home'), true)
  }
  assert.equal(asked.ask('/?utm_source=0'), false, 'asked for too long ago')
})
