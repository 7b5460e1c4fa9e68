import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoxID } from '@befaqt/domain/box-values'
import fc from 'fast-check'
import { boxNumber, isBoxNumber, looksLikeBoxNumber } from './box-number.ts'

test('a box number is found in what is typed, pasted and scanned', () => {
  for (const [text, number] of [
    ['0345579444', '0345579444'],
    [' B-7 \n', 'B-7'],
    ['https://shop.example/SFMBox/byId/0345579444', '0345579444'],
    ['https://shop.example/SFMBox/byId/B-7?utm_source=label#check', 'B-7'],
    ['/sfmbox/byid/B_7/', 'B_7'],
  ] as const)
    assert.equal(boxNumber(text), number, text)
})

test('what can be no box number is none', () => {
  for (const text of [
    '',
    ' ',
    '..',
    '-7',
    'two words',
    'https://elsewhere.example/7',
    'x'.repeat(65),
    '\ud800',
  ])
    assert.equal(boxNumber(text), null, text)
})

test('it takes exactly what a box may be called', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZ09._- /é'), maxLength: 70 }), (text) => {
      assert.equal(boxNumber(text) !== null, BoxID.safeParse(text.trim()).success)
    }),
  )
})

test('words and prices are searches for products', () => {
  for (const search of ['snapper', 'king prawn', '12.50', 'mulloway 2026 11', ''])
    assert.equal(looksLikeBoxNumber(search), false, search)
  for (const search of ['0345579444', 'BOX-2026', ' 0345579444 '])
    assert.ok(looksLikeBoxNumber(search), search)
})

test('only a row of eight digits or more is a box without asking', () => {
  assert.ok(isBoxNumber('0345579444'))
  for (const search of ['1234567', 'BOX-20261122', '0345579444 ', 'snapper', ''])
    assert.equal(isBoxNumber(search), false)
})
