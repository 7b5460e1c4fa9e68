import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { beginPart, type OpenSpan } from '#server/tracing/trace.ts'

/** Takes one item and answers its result when the group that it went with is committed. */
export type GroupCommit<Item, Result> = {
  add(item: Item): Promise<Result>
  /** Resolves when nothing is waiting or being committed. */
  idle(): Promise<void>
}

/** How items gather to groups. */
export type Grouping<Item> = {
  /** Items of a group at most. */
  most: number
  /**
   * How long after a group another one may gather, in milliseconds. It does not wait for that when `enough` items are
   * there, or one whose sender had an item in the group before: it may send one after the other.
   */
  rest?: { ms: number; enough: number; senderOf: (item: Item) => string }
  /** Items of a line must be committed in their order: once one is rejected, so are all after it. */
  lineOf?: (item: Item) => Line
}

/** A line is named within what it belongs to, and forgotten with it. */
type Line = { of: object; name: string }

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
  /** Runs work as part of what added it. */
  within: <Made>(work: () => Made) => Made
  span: OpenSpan | undefined
}

/**
 * Gathers items that come one at a time: while one group is committed, and for a rest after it, the next gathers, so
 * that many cost hardly more than one. `commit` runs once at a time, with items in their order, and answers one result
 * for each, or the error that this one is rejected with; when it throws, all of its group are rejected with that error.
 */
export function groupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  { most, rest, lineOf }: Grouping<Item>,
): GroupCommit<Item, Result> {
  const waiting: Waiting<Item, Result>[] = []
  let running: Promise<void> | undefined
  let senders = new Set<string>()
  let restEnds = 0
  let wake = (): void => undefined
  const broken = new WeakMap<object, Map<string, unknown>>()
  /** Rejects an item, and from now on all of its line. */
  const reject = ({ item, reject }: Waiting<Item, Result>, error: unknown): void => {
    reject(error)
    const line = lineOf?.(item)
    if (line === undefined) return
    const names = broken.get(line.of) ?? new Map<string, unknown>()
    broken.set(line.of, names.set(line.name, error))
  }
  const isWhole = (one: Waiting<Item, Result>): boolean => {
    const line = lineOf?.(one.item)
    const names = line && broken.get(line.of)
    if (line === undefined || !names?.has(line.name)) return true
    one.span?.end()
    one.reject(names.get(line.name))
    return false
  }
  const isUrgent = (): boolean =>
    rest === undefined ||
    waiting.length >= rest.enough ||
    waiting.some(({ item }) => senders.has(rest.senderOf(item)))
  const gather = async (): Promise<void> => {
    await setImmediate() // what arrives at the same moment goes together
    const left = restEnds - performance.now()
    if (left <= 0 || isUrgent()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(resolve, left)
    await promise
    clearTimeout(timer)
  }
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      await gather()
      const group = waiting.splice(0, most).filter(isWhole)
      if (group.length === 0) continue
      if (rest !== undefined) senders = new Set(group.map(({ item }) => rest.senderOf(item)))
      await commitGroup(group, commit, reject)
      restEnds = performance.now() + (rest?.ms ?? 0)
    }
    running = undefined
  }
  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({
          item,
          resolve,
          reject,
          within: AsyncLocalStorage.snapshot(),
          span: beginPart('group commit'),
        })
        if (isUrgent()) wake()
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
  reject: (one: Waiting<Item, Result>, error: unknown) => void,
): Promise<void> {
  try {
    const results = await commitWithin(group, () => commit(group.map(({ item }) => item)))
    if (results.length !== group.length)
      throw new Error('a group commit must answer one result for each item')
    for (const [i, one] of group.entries()) {
      const result = results[i] as Result | Error
      if (result instanceof Error) reject(one, result)
      else one.resolve(result)
    }
  } catch (error) {
    for (const one of group) reject(one, error)
  } finally {
    for (const { span } of group) span?.end()
  }
}

/** As part of what added the first item, to whose trace those of the others are linked. */
function commitWithin<Item, Result, Made>(
  group: readonly Waiting<Item, Result>[],
  commit: () => Promise<Made>,
): Promise<Made> {
  const [first, ...others] = group
  if (first === undefined) return commit()
  const { within, span } = first
  if (span !== undefined) for (const other of others) other.span?.link(span.traceparent)
  return within(() => (span === undefined ? commit() : span.run(commit)))
}
