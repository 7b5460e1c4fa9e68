import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCurrentPage } from './current-page.ts'

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
