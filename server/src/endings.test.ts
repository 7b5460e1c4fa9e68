import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endings } from './endings.ts'

test('an end that fails and one that never comes hold up no other, and both are told', async () => {
  const ended: string[] = []
  const ending = endings(20)
  ending.add('the first', async () => ended.push('first'))
  ending.add('the broken one', async () => {
    throw new Error('no')
  })
  ending.add('the stuck one', () => new Promise(() => undefined))
  ending.add('what was not started', undefined)
  ending.add('the last', async () => ended.push('last'))
  await assert.rejects(ending.stop(), (error: Error) => {
    assert.match(error.message, /the stuck one did not end cleanly: it took more than 0\.02 s\./)
    assert.match(error.message, /the broken one did not end cleanly: no\./)
    return true
  })
  assert.deepEqual(ended, ['last', 'first'])
  await ending.stop()
})
