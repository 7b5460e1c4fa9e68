import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signingOf } from './signing.ts'

const phone = { id: 'ab', name: 'Phone', validFrom: '2026-11-20T00:00:00Z', revokedAt: null }
const key = { id: 'ab', problem: null }

test('a phone signs only while the shop names its key as valid, whatever the phone kept of it', () => {
  const stateOf = (...given: Parameters<typeof signingOf>) => signingOf(...given).state
  assert.equal(stateOf(undefined, { phones: [phone] }), 'none')
  assert.equal(stateOf(key, { phones: [] }), 'enrolling')
  assert.equal(stateOf(key, { phones: [{ ...phone, id: 'cd' }] }), 'enrolling')
  assert.equal(stateOf({ ...key, problem: 'used' }, { phones: [] }), 'failed')
  assert.equal(stateOf({ ...key, problem: 'lost answer' }, { phones: [phone] }), 'signs')
  const revokedAt = '2026-11-21T00:00:00Z'
  assert.equal(stateOf(key, { phones: [{ ...phone, revokedAt }] }), 'revoked')
})
