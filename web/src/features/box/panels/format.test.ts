import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withUniqueKeys } from './format.ts'

test('equal results have different keys, which stay when more results arrive', () => {
  const results = ['a', 'b', 'a', 'a 1']
  const keys = withUniqueKeys(results, (text) => text).map(([key]) => key)
  assert.equal(new Set(keys).size, results.length)
  const more = withUniqueKeys([...results, 'b'], (text) => text)
  assert.deepEqual(
    more.slice(0, 4).map(([key]) => key),
    keys,
  )
  assert.deepEqual(
    more.map(([, item]) => item),
    [...results, 'b'],
  )
})
