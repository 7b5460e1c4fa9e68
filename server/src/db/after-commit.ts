import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db, Tx } from './client.ts'
import { carryTrace } from './trace-context.ts'

/** What a transaction has news for. */
type News = { told: Set<string>; after: (() => void)[]; isOver: boolean }

const underWay = new AsyncLocalStorage<News>()

/**
 * Has whoever listens told when the transaction under way is committed. Returns false where none is, so that nobody will
 * be told.
 * @param what a channel, with a payload where `newsOf` gave it one
 */
export function tellAfterCommit(what: string): boolean {
  const news = underWay.getStore()
  if (news === undefined || news.isOver) return false
  news.told.add(what)
  return true
}

/** Runs `then` once the transaction under way is committed, and not when it is rolled back; at once where none is. */
export function afterCommit(then: () => void): void {
  const news = underWay.getStore()
  if (news === undefined || news.isOver) then()
  else news.after.push(then)
}

type Run = <Made>(work: (tx: Tx) => Promise<Made>, config?: Parameters<Db['transaction']>[1]) => Promise<Made>

/**
 * Transactions that call `tell` with their news after the commit, and not when they were rolled back. One whose commit
 * was done but not answered tells nobody: whoever listens also looks by itself.
 */
export const telling =
  (run: Run, tell: (news: ReadonlySet<string>) => void): Run =>
  async (work, config) => {
    const news: News = { told: new Set(), after: [], isOver: false }
    try {
      const made = await run((tx) => {
        news.told.clear() // it may run again
        news.after = []
        return underWay.run(news, async () => {
          if (config?.accessMode !== 'read only') await carryTrace(tx)
          return work(tx)
        })
      }, config)
      if (news.told.size > 0) tell(news.told)
      for (const then of news.after) then()
      return made
    } finally {
      news.isOver = true
    }
  }
