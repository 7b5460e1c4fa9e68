import assert from 'node:assert/strict'
import { test } from 'node:test'
import { abnText, isAbn, menuOrigin } from './order-documents.ts'

test('an ABN has right check digits', () => {
  for (const right of ['51824753556', '51 824 753 556', '83914571673']) assert.ok(isAbn(right), right)
  for (const wrong of ['51824753557', '51842753556', '5182475355', '518247535560', '00000000000', 'x', ''])
    assert.ok(!isAbn(wrong), wrong)
  assert.equal(abnText('51824753556'), '51 824 753 556')
})

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
