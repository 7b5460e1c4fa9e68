import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Singleflight } from './singleflight.ts'

/** Reads that end when they are told to, and how many have begun. */
function reading() {
  const reads = new Singleflight<number>()
  const begun: PromiseWithResolvers<number>[] = []
  const begin = (): Promise<number> => {
    const read = Promise.withResolvers<number>()
    begun.push(read)
    return read.promise
  }
  return { begun, ask: (key = 'a') => reads.run(key, begin) }
}

test('who comes while a read runs gets the next one, which all of them share', async () => {
  const { begun, ask } = reading()
  const first = ask()
  const later = [ask(), ask(), ask()]
  assert.equal(begun.length, 1, 'one at a time')
  begun[0]?.resolve(1)
  assert.equal(await first, 1)
  await Promise.resolve() // its turn
  begun[1]?.resolve(2)
  assert.deepEqual(await Promise.all(later), [2, 2, 2])
  assert.equal(begun.length, 2)
})

test('a question never gets the answer of a read that began before it', async () => {
  const reads = new Singleflight<number>()
  let clock = 0
  const begin = async (): Promise<number> => {
    const at = ++clock
    for (let i = 0; i < at % 4; i++) await Promise.resolve()
    return at
  }
  const asked: Promise<void>[] = []
  for (let i = 0; i < 200; i++) {
    const before = ++clock
    asked.push(reads.run('a', begin).then((at) => assert.ok(at > before, `${at} after ${before}`)))
    if (i % 3 === 0) await Promise.resolve()
  }
  await Promise.all(asked)
})

test('keys do not wait for each other, and a failed read is told to its callers only', async () => {
  const { begun, ask } = reading()
  const failing = ask('a')
  const other = ask('b')
  const after = ask('a')
  assert.equal(begun.length, 2)
  begun[1]?.resolve(7)
  assert.equal(await other, 7)
  begun[0]?.reject(new Error('no database'))
  await assert.rejects(failing, /no database/)
  await Promise.resolve()
  begun[2]?.resolve(8)
  assert.equal(await after, 8)
})
