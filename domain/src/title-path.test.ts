import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CategoryInput } from './catalogue.ts'
import { hasAddress, titleKey, titlePath } from './title-path.ts'

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
