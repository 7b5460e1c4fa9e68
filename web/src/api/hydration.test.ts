import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShopError } from '@befaqt/domain/errors'
import { readState, writeState } from './hydration.ts'

test('page state is restored as it was', () => {
  const loaderData = { root: { site: { name: 'BeFAQT' } }, home: [1, null, 'a'] }
  assert.deepEqual(readState(writeState({ loaderData, errors: null })), { loaderData, errors: null })
})

test('an error meant for visitors keeps its message', () => {
  const errors = { page: new ShopError('box.not_found', 'There is no such box.') }
  const error = readState(writeState({ loaderData: {}, errors })).errors?.page
  assert.ok(error instanceof ShopError)
  assert.deepEqual([error.code, error.status, error.message], ['box.not_found', 404, 'There is no such box.'])
})

test('a bug reveals no details', () => {
  const text = writeState({ loaderData: {}, errors: { page: new Error('password of db is hunter2') } })
  assert.ok(!text.includes('hunter2'))
  const error = readState(text).errors?.page
  assert.ok(error instanceof Error && !(error instanceof ShopError))
  assert.equal(error.message, 'Something went wrong.')
})

test('no value can close the script element that carries the state', () => {
  const loaderData = { home: { title: '</script><script>alert(1)</script>' } }
  const text = writeState({ loaderData, errors: null })
  assert.ok(!text.includes('<'))
  assert.deepEqual(readState(text).loaderData, loaderData)
})
