import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConcurrencyLimits, concurrencyLimiter } from './concurrency-limiter.ts'

/** Work that goes on until it is told to end, and who is at work. */
function workshop(limits: Partial<ConcurrencyLimits> = {}) {
  const limited = concurrencyLimiter(
    { maxConcurrent: 2, maxWaiting: 3, slotMs: 60_000, ...limits },
    () => new Error('too many'),
  )
  const running: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (who: string, name: string) =>
    limited(who, async () => {
      running.push(name)
      await new Promise<void>((end) => ends.set(name, end))
      running.splice(running.indexOf(name), 1)
      return name
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { begin, end, running }
}

test('each key has a concurrency limit, others wait in order, and too many waiting are rejected', async () => {
  const { begin, end, running } = workshop()
  const begun = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => begin('a', name))
  await assert.rejects(begin('a', 'a6'), { message: 'too many' })
  const other = begin('b', 'b1')
  assert.deepEqual(running, ['a1', 'a2', 'b1'], 'somebody else waits for nobody')
  await end('a2')
  assert.deepEqual(running, ['a1', 'b1', 'a3'])
  for (const name of ['a1', 'a3', 'a4', 'a5', 'b1']) await end(name)
  assert.deepEqual(await Promise.all([...begun, other]), ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'])
})

test('failed work lets the next begin', async () => {
  const limited = concurrencyLimiter(
    { maxConcurrent: 1, maxWaiting: 9, slotMs: 60_000 },
    () => new Error('too many'),
  )
  const [failed, next] = [limited('a', () => Promise.reject(new Error('no'))), limited('a', () => 'yes')]
  await assert.rejects(failed, { message: 'no' })
  assert.equal(await next, 'yes')
})

test('work that never ends loses its slot after a time limit to whoever has waited longest', async () => {
  const { begin, end, running } = workshop({ slotMs: 0 })
  void begin('a', 'stuck 1')
  void begin('a', 'stuck 2')
  await new Promise((later) => setTimeout(later, 2))
  const next = begin('a', 'a1')
  await new Promise(setImmediate)
  assert.ok(running.includes('a1'))
  await end('stuck 1')
  await end('a1')
  assert.equal(await next, 'a1')
})
