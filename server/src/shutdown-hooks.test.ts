import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shutdownHooks } from './shutdown-hooks.ts'

test('a failing or hanging hook does not keep the others from running, and both are reported', async () => {
  const ended: string[] = []
  const shutdown = shutdownHooks(20)
  shutdown.add('the first', async () => ended.push('first'))
  shutdown.add('the broken one', async () => {
    throw new Error('no')
  })
  shutdown.add('the stuck one', () => new Promise(() => undefined))
  shutdown.add('what was not started', undefined)
  shutdown.add('the last', async () => ended.push('last'))
  await assert.rejects(shutdown.run(), (error: Error) => {
    assert.match(error.message, /the stuck one did not stop cleanly: timeout after 0\.02 s\./)
    assert.match(error.message, /the broken one did not stop cleanly: no\./)
    return true
  })
  assert.deepEqual(ended, ['last', 'first'])
  await shutdown.run()
})
