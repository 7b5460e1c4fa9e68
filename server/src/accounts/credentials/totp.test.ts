import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingStep, newTotpSecret, totpAt, totpUri } from './second-factor.ts'

/** '12345678901234567890' in base32. Source: RFC 6238 appendix B. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1_000)

test('codes are those of RFC 6238', () => {
  for (const [time, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    assert.equal(totpAt(RFC_SECRET, at(time)), code)
})

test('a code is valid in its own 30-second step and in the two beside it', () => {
  const secret = newTotpSecret()
  const code = totpAt(secret, at(30_000))
  for (const [time, step] of [
    [30_000, 1_000],
    [30_029, 1_000],
    [29_970, 1_000],
    [30_059, 1_000],
    [30_060, undefined],
    [29_969, undefined],
  ] as const)
    assert.equal(matchingStep(secret, code, at(time)), step, String(time))
  assert.equal(matchingStep(newTotpSecret(), code, at(30_000)), undefined)
})

test('a secret has 160 bits and its URI names the account', () => {
  const secret = newTotpSecret()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const uri = new URL(totpUri(secret, 'BeFAQT', 'ann+fish@example.com'))
  assert.equal(uri.protocol, 'otpauth:')
  assert.equal(uri.searchParams.get('secret'), secret)
  assert.equal(uri.searchParams.get('issuer'), 'BeFAQT')
  assert.equal(decodeURIComponent(uri.pathname).endsWith('ann+fish@example.com'), true)
})
