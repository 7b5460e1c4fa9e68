import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from './within.ts'

test('what comes late is waited for, and what does not come is named with what was there instead', async () => {
  let reads = 0
  const grow = () => Promise.resolve([++reads])
  await eventually(grow, [3])
  assert.equal(reads, 3)
  await assert.rejects(
    eventually(() => Promise.resolve('open'), 'closed', 'the slot', 0.5),
    { name: 'AssertionError', message: /^the slot/, actual: 'open', expected: 'closed' },
  )
})
