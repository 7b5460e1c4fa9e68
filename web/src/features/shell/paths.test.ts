import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followedPath, isCurrentPage } from './paths.ts'

const HERE = 'https://fish.example/product?q=a'
const plain = {
  button: 0,
  metaKey: false,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  defaultPrevented: false,
}
const link = (href: string, more: { target?: string; download?: boolean } = {}) => ({
  href: new URL(href, HERE).href,
  target: more.target ?? '',
  hasAttribute: (name: string) => name === 'download' && more.download === true,
})

test('a link to a page of the shop is followed inside it', () => {
  assert.equal(followedPath(plain, link('/product/7?x=1#y'), HERE), '/product/7?x=1#y')
  assert.equal(followedPath(plain, link('/SFMBox/byId/0345579444'), HERE), '/SFMBox/byId/0345579444')
})

test('the browser follows everything else by itself', () => {
  for (const href of ['https://elsewhere.example/', '/api/docs', '/sitemap.xml', '#content', 'mailto:a@b.c'])
    assert.equal(followedPath(plain, link(href), HERE), null, href)
  assert.equal(followedPath(plain, link('/cart', { target: '_blank' }), HERE), null)
  assert.equal(followedPath(plain, link('/cart', { download: true }), HERE), null)
})

test('a click that opens a new tab, or was handled already, is left alone', () => {
  for (const more of [
    { ctrlKey: true },
    { metaKey: true },
    { shiftKey: true },
    { button: 1 },
    { defaultPrevented: true },
  ])
    assert.equal(followedPath({ ...plain, ...more }, link('/cart'), HERE), null, JSON.stringify(more))
})

test('a link knows its page in any case, with a slash at its end, and whatever its query', () => {
  for (const pathname of ['/category/Fish', '/category/fish', '/category/Fish/'])
    assert.ok(isCurrentPage('/category/Fish', pathname, true), pathname)
  assert.ok(isCurrentPage('/user/signin?next=%2Fcart', '/user/signin', false))
  assert.ok(isCurrentPage('/', '/', true))
})

test('pages below are another page where that is said, and those with a longer name always', () => {
  assert.ok(isCurrentPage('/category', '/category/Fish', false))
  assert.ok(!isCurrentPage('/category', '/category/Fish', true))
  assert.ok(!isCurrentPage('/category/Fish', '/category/Fishes', false))
  assert.ok(!isCurrentPage('/', '/cart', false))
})
