import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashToken, newToken, sameSecret } from './tokens.ts'

test('tokens are 256 random bits, stored as SHA-256 and compared in constant time', () => {
  assert.match(newToken(), /^[\w-]{43}$/)
  assert.notEqual(newToken(), newToken())
  assert.equal(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.equal(sameSecret('123456', '123456'), true)
  assert.equal(sameSecret('123456', '1234567'), false)
})
