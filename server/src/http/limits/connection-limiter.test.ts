import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionLimiter } from './connection-limiter.ts'

test('concurrent connections of one kind are limited, and a closed one makes room', () => {
  const enter = connectionLimiter(2)
  const leave = enter('a')
  assert.ok(leave && enter('a') && enter('b'))
  assert.equal(enter('a'), undefined)
  leave()
  assert.ok(enter('a'))
  assert.equal(enter('a'), undefined)
})
