import { genesisHead, toHex } from '@befaqt/provenance'
import { asc, sql } from 'drizzle-orm'
import pino from 'pino'
import { anchorPass } from '#server/anchoring/anchor-loop.ts'
import type { AnchoringDeps } from '#server/anchoring/anchoring.ts'
import { collectAnchor } from '#server/anchoring/collect-anchor.ts'
import { openLedger } from '#server/anchoring/ledger.ts'
import type { HistoryDeps } from '#server/boxes/index.ts'
import { appendRecords } from '#server/boxes/records/add-records.ts'
import type { Chain } from '#server/chain/port.ts'
import { type Db, rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { anchors, chainTransactions } from '#server/db/schema/ledger.ts'

const never = new AbortController().signal

const noStore = async (): Promise<never> => {
  throw new Error('these tests have no file store')
}

/** What histories are read from where no rows were dropped: the database alone. */
export const rowsAlone = (db: Db): HistoryDeps => ({
  db,
  files: { put: noStore, read: noStore, remove: noStore, check: noStore },
  log: pino({ level: 'silent' }),
})

/** Anchoring with a manual clock, and helpers for tests. */
export function anchoringWorld(db: Db, chain: Chain, more: Partial<AnchoringDeps> = {}) {
  let now = Date.parse('2026-11-21T01:00:00Z')
  const told: string[] = []
  const tell = (_details: object, message: string): void => void told.push(message)
  const log = { info: tell, warn: tell, error: tell }
  const checkLead = async (): Promise<void> => undefined
  const deps: AnchoringDeps = {
    db,
    chain,
    log,
    checkLead,
    now: () => new Date(now),
    feeBumpAfterS: 120,
    ...more,
  }
  return {
    deps,
    /** Messages of the log, in order. */
    told,
    later: (s: number): void => {
      now += s * 1000
    },
    pass: (intervalS = 0) => anchorPass(deps, intervalS, never),
    /** The same database with another chain, as after a restart of this process. */
    restarted: (anew: Chain) => anchoringWorld(db, anew, { ...more, now: deps.now }),
    ledger: async () => {
      const ledger = await openLedger(deps)
      if (ledger === undefined) throw new Error('the ledger is not deployed')
      return ledger
    },
    anchors: () => db.select().from(anchors).orderBy(asc(anchors.index)),
    transactions: () =>
      db
        .select()
        .from(chainTransactions)
        .orderBy(asc(chainTransactions.createdAt), asc(chainTransactions.nonce)),
  }
}

/** Collects the next anchor as a leader does; `told` gets the messages of the log. */
export function collectAt(db: Db, now: Date, told: string[] = []): ReturnType<typeof collectAnchor> {
  const tell = (details: object, message: string): void =>
    void told.push(`${message} ${JSON.stringify(details)}`)
  const log = { info: tell, warn: tell, error: tell }
  return collectAnchor({ db, now: () => now, checkLead: async () => undefined, log })
}

/** A box without records. */
export async function addBox(db: Db, id: string): Promise<void> {
  await db.insert(boxes).values({ id, head: toHex(genesisHead(id)) })
}

/** Appends `n` readings, and then the seal when `sealed`. */
export async function addRecords(db: Db, id: string, n: number, sealed = false): Promise<void> {
  const reading = {
    kind: 'tracking',
    at: '2026-11-21 12:00:00',
    by: 'IOT-1',
    data: { temperature: 2 },
  } as const
  const seal = { kind: 'seal', at: '2026-11-21 13:00:00', by: 'market', data: {} } as const
  const drafts = [...Array.from({ length: n }, () => reading), ...(sealed ? [seal] : [])]
  await db.transaction((tx) => appendRecords(tx, id, drafts))
}

/** Hash, block and time of every transaction, to compare before and after. */
export const hashesAndBlocks = (db: Db): Promise<Record<string, unknown>[]> =>
  rows(db, sql`select hash, block_number, block_time from chain_transactions order by nonce`)
