import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ambiguousAddress } from '@befaqt/domain/testing/addresses'
import fc from 'fast-check'
import { safeRedirectPath, signInPath, withNext } from './safe-redirect.ts'

test('signing in leads to a page of ours or home, never to another site', () => {
  for (const ours of [
    '/user/profile',
    '/user/order',
    '/user/order/1?key=a',
    '/cart',
    '/product?q=crab#top',
    '/',
  ])
    assert.equal(safeRedirectPath(ours), ours)
  for (const elsewhere of [
    null,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\/evil.example',
    'javascript:alert(1)',
    'user/profile',
    '/a\\b',
    '/x/..//evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '/user/signin',
    '/USER/signin?next=/cart',
    '/%75ser/signup',
    '/x/../user/signin',
    '/user',
    '/user/orders',
    '/%zz',
    `/${'x'.repeat(2_000)}`,
  ])
    assert.equal(safeRedirectPath(elsewhere), '/', String(elsewhere))
})

test('whatever URL is given, the redirect stays on this site', () => {
  fc.assert(
    fc.property(ambiguousAddress, (address) => {
      const next = safeRedirectPath(address)
      assert.equal(new URL(next, 'https://shop.example').origin, 'https://shop.example')
      assert.ok(!next.startsWith('//'))
      assert.equal(safeRedirectPath(next), next)
    }),
  )
})

test('signing in returns to the page that it was opened from', () => {
  for (const [pathname, search, want] of [
    ['/', '', '/user/signin'],
    ['/manage/product', '?q=a&page=2', '/user/signin?next=%2Fmanage%2Fproduct%3Fq%3Da%26page%3D2'],
    ['/user/profile', '', '/user/signin?next=%2Fuser%2Fprofile'],
    ['/user/signup', '?next=/cart', '/user/signin?next=%2Fcart'],
    ['/user/signin', '?next=https://evil.example', '/user/signin'],
    ['/user/activate/token', '', '/user/signin'],
  ] as const)
    assert.equal(signInPath(pathname, search), want)
  assert.equal(withNext('/user/signup', '/'), '/user/signup')
})
