import assert from 'node:assert/strict'
import { test } from 'node:test'
import { menuOrigin } from './menu-origin.ts'

test('seafood is Australian, imported, mixed, or of an origin that is not stated', () => {
  for (const [origin, letter] of [
    ['Australia', 'A'],
    ['AUSTRALIA ', 'A'],
    ['New Zealand', 'I'],
    ['New Zealand, Fiji', 'I'],
    ['Australia, New Zealand', 'M'],
    ['', null],
    [' , ', null],
    [null, null],
  ] as const)
    assert.equal(menuOrigin(origin), letter, String(origin))
})
