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

test('items that arrive together form a batch, later ones the next, in order and within the size', async () => {
  const { commit, groups, begun } = slowCommit()
  const { add } = groupCommit(commit, { most: 3 })
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

test('a batch that fails is rejected, the next one is not', async () => {
  const { commit, groups, begun } = slowCommit()
  const { add, idle } = groupCommit(commit, { most: 3 })
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

test('a commit with too few results is an error, not a promise that never settles', async () => {
  const { add } = groupCommit(async () => [], { most: 3 })
  await assert.rejects(add(1), /one result for each/)
})

/** Commits at once, and notes the groups; items of a sender begin with its letter. */
function resting(ms: number) {
  const groups: string[][] = []
  const commit = async (items: readonly string[]): Promise<number[]> => {
    groups.push([...items])
    return items.map((_, i) => i)
  }
  const rest = { ms, enough: 3, senderOf: (item: string) => item.charAt(0) }
  return { groups, ...groupCommit(commit, { most: 10, rest }) }
}
const NEVER_MS = 1_000_000

test('items from other senders within the pause after a batch form one batch', async () => {
  const { groups, add } = resting(500)
  await add('a1')
  await Promise.all([add('b1'), new Promise((later) => setTimeout(later, 50)).then(() => add('c1'))])
  assert.deepEqual(groups, [['a1'], ['b1', 'c1']])
})

test('a sender that sends one item at a time does not wait for the pause', async () => {
  const { groups, add } = resting(NEVER_MS)
  for (const item of ['a1', 'a2', 'a3']) await add(item)
  const others = add('b1')
  await Promise.all([add('a4'), others])
  assert.deepEqual(groups, [['a1'], ['a2'], ['a3'], ['b1', 'a4']])
})

test('a full batch does not wait for the pause', async () => {
  const { groups, add, idle } = resting(NEVER_MS)
  await add('a1')
  const gathered = ['b1', 'c1'].map(add)
  await new Promise((later) => setTimeout(later, 20))
  assert.equal(groups.length, 1, 'two are not enough')
  await Promise.all([...gathered, add('d1')])
  await idle()
  assert.deepEqual(groups[1], ['b1', 'c1', 'd1'])
})

test('once an item of a line is rejected, so are those after it, and no others', async () => {
  const [left, right] = [{}, {}]
  const { commit, groups, begun } = slowCommit()
  const lineOf = (item: number) => ({ of: item < 10 ? left : right, name: String(item % 2) })
  const { add } = groupCommit(commit, { most: 10, lineOf })
  const first = begun()
  const lost = add(1)
  await first
  const later = [3, 2, 11].map(add)
  const second = begun()
  groups[0]?.fail(new Error('no database'))
  await assert.rejects(lost, /no database/)
  await assert.rejects(later[0] ?? lost, /no database/)
  await second
  assert.deepEqual(groups[1]?.items, [2, 11])
  groups[1]?.finish([20, 110])
  assert.deepEqual(await Promise.all(later.slice(1)), [20, 110])
  await assert.rejects(add(5), /no database/)
})
