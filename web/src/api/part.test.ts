import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShopError } from '@befaqt/domain/errors'
import { RouterContextProvider } from 'react-router'
import { readPart, reportFailure } from './part.ts'

test('a successful read is a part without an error', async () =>
  assert.deepEqual(await readPart(new RouterContextProvider(), async () => [1]), { value: [1], error: null }))

test('a failure is reported in full, and shown with a message for visitors', async () => {
  const reported: unknown[] = []
  const context = new RouterContextProvider()
  context.set(reportFailure, (error) => void reported.push(error))
  const bug = new Error('secret')
  const refused = new ShopError('unavailable', 'Not now.')
  assert.deepEqual(await readPart(context, () => Promise.reject(bug)), {
    value: null,
    error: 'Something went wrong.',
  })
  assert.deepEqual(await readPart(context, () => Promise.reject(refused)), { value: null, error: 'Not now.' })
  assert.deepEqual(reported, [bug, refused])
})

test('what the address asks for wrongly is no part that is missing: the page is refused', async () => {
  const context = new RouterContextProvider()
  context.set(reportFailure, () => assert.fail('nothing failed'))
  const wrong = new ShopError('input.invalid', 'cut: no such cut')
  await assert.rejects(
    readPart(context, () => Promise.reject(wrong)),
    wrong,
  )
})
