import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CategoryInput } from './catalogue.ts'
import { boxPath, cardPath, hasAddress, titleKey, titlePath } from './page-paths.ts'

const box = {
  boxID: 'SFM 7',
  freshnessIndex: null,
  bestBy: null,
  wordFrom: null,
  warm: null,
  coldChain: null,
  stage: 'registered' as const,
  catchPlace: null,
  catchTime: null,
  method: null,
  boat: null,
  trader: null,
}

test('a card leads to its product', () =>
  assert.equal(cardPath({ _id: 'p1', shelfPos: '1.01', box }), '/product/p1'))

test("a shelf position starting with '0' leads to its own box, and without one to the product", () => {
  assert.equal(cardPath({ _id: 'p1', shelfPos: '0.3', box }), '/SFMBox/byId/SFM%207')
  assert.equal(cardPath({ _id: 'p1', shelfPos: '0', box: null }), '/product/p1')
})

test('a box name cannot lead out of its path', () => assert.equal(boxPath('../x'), '/SFMBox/byId/..%2Fx'))

const refused = ['.', '..', ' . . ', '\u200b', '.\u200b.', '\u00ad']
const taken = ['...', '.5 kg bags', 'Café fish', "Fisherman's basket", 'A/B', '100 %', '🐟', '#?&']

test('a title whose URL would be that of another page is rejected with a message', () => {
  for (const title of refused) {
    assert.equal(hasAddress(title), false, title)
    const { error } = CategoryInput.safeParse({ title, shelfPos: '1' })
    assert.equal(error?.issues[0]?.message, 'title must have letters or digits', title)
  }
})

test('any other title has a URL that leads back to it', () => {
  for (const title of taken) {
    assert.equal(CategoryInput.parse({ title, shelfPos: '1' }).title, title)
    const { pathname } = new URL(`/category/${titlePath(title)}`, 'https://shop.example')
    assert.equal(titleKey(decodeURIComponent(pathname.slice('/category/'.length))), titleKey(title), title)
  }
})

test('both ways of writing an accent are the same category', () =>
  assert.equal(titleKey('Cafe\u0301 Fish'), titleKey('caf\u00e9fish')))
