import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxPath, cardPath } from './page-paths.ts'

const box = {
  boxID: 'SFM 7',
  freshnessIndex: null,
  bestBy: null,
  coldChain: null,
  stage: 'registered' as const,
  catchPlace: null,
  catchTime: null,
  method: null,
}

test('a card leads to its product', () =>
  assert.equal(cardPath({ _id: 'p1', shelfPos: '1.01', box }), '/product/p1'))

test("a shelf position starting with '0' leads to its own box, and without one to the product", () => {
  assert.equal(cardPath({ _id: 'p1', shelfPos: '0.3', box }), '/SFMBox/byId/SFM%207')
  assert.equal(cardPath({ _id: 'p1', shelfPos: '0', box: null }), '/product/p1')
})

test('a box name cannot lead out of its path', () => assert.equal(boxPath('../x'), '/SFMBox/byId/..%2Fx'))
