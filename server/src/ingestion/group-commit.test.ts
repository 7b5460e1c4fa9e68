import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupCommit } from './group-commit.ts'

/** A commit that waits for the test to let it go on. */
function slowCommit() {
  const groups: {
    items: readonly number[]
    finish: (results: number[]) => void
    fail: (error: Error) => void
  }[] = []
  let begun = Promise.withResolvers<void>()
  const commit = (items: readonly number[]): Promise<number[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>()
    groups.push({ items, finish: resolve, fail: reject })
    begun.resolve()
    begun = Promise.withResolvers()
    return promise
  }
  return { commit, groups, begun: () => begun.promise }
}

test('what comes together goes together, what comes meanwhile goes next, in order and no more than fit', async () => {
  const { commit, groups, begun } = slowCommit()
  const { add } = groupCommit(commit, 3)
  const first = begun()
  const results = [1, 2].map(add)
  await first
  results.push(...[3, 4, 5, 6].map(add))
  assert.deepEqual(
    groups.map(({ items }) => items),
    [[1, 2]],
    'one group at a time',
  )
  for (const [i, answers] of [[10, 20], [30, 40, 50], [60]].entries()) {
    const next = begun()
    groups[i]?.finish(answers)
    if (i < 2) await next
  }
  assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60])
  assert.deepEqual(
    groups.map(({ items }) => items),
    [[1, 2], [3, 4, 5], [6]],
  )
})

test('a group that fails is refused, the next one is not', async () => {
  const { commit, groups, begun } = slowCommit()
  const { add, idle } = groupCommit(commit, 3)
  const first = begun()
  const lost = [add(1), add(2)]
  await first
  const kept = add(3)
  const second = begun()
  groups[0]?.fail(new Error('no database'))
  for (const one of lost) await assert.rejects(one, /no database/)
  await second
  groups[1]?.finish([30])
  assert.equal(await kept, 30)
  await idle()
})

test('a commit that answers too few results is a failure, not a promise that never ends', async () => {
  const { add } = groupCommit(async () => [], 3)
  await assert.rejects(add(1), /one result for each/)
})
