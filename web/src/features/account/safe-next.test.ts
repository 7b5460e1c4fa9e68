import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeNext } from './safe-next.ts'

test('after signing in one comes to a page of ours or home, never elsewhere', () => {
  for (const ours of ['/user/profile', '/cart', '/product?q=crab#top', '/'])
    assert.equal(safeNext(ours), ours)
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
  ])
    assert.equal(safeNext(elsewhere), '/', String(elsewhere))
})
