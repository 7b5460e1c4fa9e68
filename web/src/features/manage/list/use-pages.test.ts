import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPage } from './use-pages.ts'

const page = (at: number, total: number, ...rows: number[]) => ({ rows, page: at, size: 2, total })
const same = (id: number) => id

test('pages are appended in order, and a row that moved to the next page meanwhile appears once', () => {
  const first = withPage({ rows: [] }, page(1, 4, 9, 8), same)
  assert.deepEqual(first, { rows: [9, 8], next: { page: 2 }, total: 4, hasMore: true })
  assert.deepEqual(withPage(first, page(2, 5, 8, 7), same), {
    rows: [9, 8, 7],
    next: { page: 3 },
    total: 5,
    hasMore: true,
  })
})

test('the last page is recognized, also where one of its rows was loaded before', () => {
  const read = withPage({ rows: [9, 8] }, page(2, 4, 8, 7), same)
  assert.deepEqual([read.rows, read.hasMore], [[9, 8, 7], false])
})

test('a list that has places is read on after them, as long as there is one', () => {
  const first = withPage({ rows: [] }, { ...page(1, 4, 9, 8), next: 'after-8' }, same)
  assert.deepEqual([first.next, first.hasMore], [{ after: 'after-8' }, true])
  const last = withPage(first, { ...page(0, 4, 7, 6), next: null }, same)
  assert.deepEqual([last.rows, last.hasMore], [[9, 8, 7, 6], false])
})
