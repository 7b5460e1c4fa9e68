import { setImmediate } from 'node:timers/promises'

/** Takes one item and answers its result when the group that it went with is committed. */
export type GroupCommit<Item, Result> = {
  add(item: Item): Promise<Result>
  /** Resolves when nothing is waiting or being committed. */
  idle(): Promise<void>
}

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Gathers items that come one at a time: while one group is committed the next gathers, so that many cost hardly more
 * than one. `commit` runs once at a time, with at most `most` items in their order, and answers one result for each,
 * or the error that this one is rejected with; when it throws, all of its group are rejected with that error.
 */
export function groupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  most: number,
): GroupCommit<Item, Result> {
  const waiting: Waiting<Item, Result>[] = []
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    await setImmediate() // what arrives at the same moment goes together
    while (waiting.length > 0) await commitGroup(waiting.splice(0, most), commit)
    running = undefined
  }
  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        running ??= run()
      }),
    idle: async () => {
      while (running !== undefined) await running
    },
  }
}

async function commitGroup<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  commit: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
): Promise<void> {
  try {
    const results = await commit(group.map(({ item }) => item))
    if (results.length !== group.length)
      throw new Error('a group commit must answer one result for each item')
    for (const [i, result] of results.entries())
      if (result instanceof Error) group[i]?.reject(result)
      else group[i]?.resolve(result)
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
