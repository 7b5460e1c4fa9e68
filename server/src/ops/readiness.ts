import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { ANCHORING_LOCK } from '#server/anchoring/anchor-loop.ts'
import { syncEmbeddedChain } from '#server/anchoring/sync-embedded-chain.ts'
import type { LedgerLocation } from '#server/chain/ledger-location.ts'
import type { Chain } from '#server/chain/port.ts'
import type { Config } from '#server/config/config.ts'
import { type Database, type Db, rows } from '#server/db/client.ts'
import { ledgers } from '#server/db/schema/ledger.ts'
import type { FileStore } from '#server/files/port.ts'

/** What the state of a process is asked of. */
export type ReadinessDeps = {
  config: Pick<Config, 'DATA_DIR'>
  database: Database
  db: Db
  log: Logger
  files: FileStore
  chain: Chain
  ledger: LedgerLocation
}

/** Each part is asked for so long. */
const ANSWER_WITHIN_MS = 2_000
/** Answers are this old at most, so that many probes cost what one does. */
const FRESH_MS = 1_000
/** Free space in DATA_DIR below which the shop does not count as ready: the database and logs need some too. */
const MIN_FREE_BYTES = 50 * 1024 * 1024
/** A leader says something every two seconds. */
const MAX_LEADER_SILENCE_S = 5

/** Without one of these the process is not ready. */
export type Part = 'database' | 'queue' | 'chain' | 'files' | 'disk'
/** What is told beside: the shop sells without, and another process may see to it. */
export type Aside = 'leader' | 'ledger'

/** 'ok', or in a few words what is wrong. */
export type Readiness = { ok: boolean } & Record<Part | Aside, string>

/** Asks every part anew, all at once. */
export type Ready = () => Promise<Readiness>

/** @returns a function that answers within some two seconds, whatever hangs */
export function readiness(deps: ReadinessDeps): Ready {
  const asks: Record<Part | Aside, () => Promise<unknown>> = {
    database: () => rows(deps.db, sql`select 1`),
    queue: () => rows(deps.db, sql`select 1 from jobs limit 1`),
    chain: () => askChain(deps),
    files: () => deps.files.check(),
    disk: () => askDisk(deps),
    leader: () => askLeader(deps),
    ledger: () => askLedger(deps),
  }
  const names = Object.keys(asks) as (Part | Aside)[]
  const callers = new Map(names.map((name) => [name, inTime(asks[name])]))
  const told = new Map<string, string>()
  const askAll = async (): Promise<Readiness> => {
    const states = await Promise.all(names.map(async (name) => [name, await callers.get(name)?.()] as const))
    for (const [part, state = ''] of states) {
      if ((told.get(part) ?? 'ok') !== state) deps.log.warn({ part, state }, 'readiness changed')
      told.set(part, state)
    }
    const parts = Object.fromEntries(states) as Record<Part | Aside, string>
    const { leader, ledger, ...needed } = parts
    return { ok: Object.values(needed).every((state) => state === 'ok'), ...parts }
  }
  let answer: Promise<Readiness> | undefined
  return () => {
    const forget = (): void => {
      answer = undefined
    }
    answer ??= askAll().finally(() => setTimeout(forget, FRESH_MS).unref())
    return answer
  }
}

/** What an operator may read without being let in: our own words, never a library's, which may hold addresses. */
class NotReady extends Error {}

/** Asks one part; a question that still waits for its answer is not asked a second time. */
function inTime(ask: () => Promise<unknown>): () => Promise<string> {
  let asking: Promise<string> | undefined
  return async () => {
    asking ??= ask()
      .then(() => 'ok', reasonOf)
      .finally(() => {
        asking = undefined
      })
    const timer = new AbortController()
    const late = sleep(ANSWER_WITHIN_MS, `no answer within ${ANSWER_WITHIN_MS / 1000} s`, {
      signal: timer.signal,
    })
    try {
      return await Promise.race([asking, late])
    } finally {
      timer.abort()
      late.catch(() => undefined)
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NotReady) return error.message
  for (let e = error; e instanceof Error; e = e.cause)
    if ('code' in e && /^[A-Z0-9_]{2,30}$/.test(String(e.code))) return `does not answer (${e.code})`
  return 'does not answer'
}

/** The chain that answers now has to be ours: the right one, with our contract on it. */
async function askChain({ db, chain, ledger }: ReadinessDeps): Promise<void> {
  const { chainId, contract } = await ledger.locate()
  const answers = await chain.chainId()
  if (answers !== chainId) throw new NotReady(`chain ${answers} answers instead of ${chainId}`)
  if (contract === null) throw new NotReady('the contract is not deployed yet')
  await syncEmbeddedChain({ db, chain })
  if (!(await chain.hasCode(contract as `0x${string}`)))
    throw new NotReady(`chain ${chainId} does not hold our contract`)
}

async function askDisk({ config }: ReadinessDeps): Promise<void> {
  const free = await freeBytes(config.DATA_DIR)
  if (free < MIN_FREE_BYTES) throw new NotReady(`${Math.floor(free / 1024 / 1024)} MiB left in DATA_DIR`)
}

/** Bytes that this process may still write in a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function askLeader({ database }: ReadinessDeps): Promise<void> {
  const silence = await database.leaderSilence(ANCHORING_LOCK)
  if (silence === null) throw new NotReady('no process anchors')
  if (silence > MAX_LEADER_SILENCE_S)
    throw new NotReady(`the process that anchors has been silent for ${Math.floor(silence)} s`)
}

async function askLedger({ db }: ReadinessDeps): Promise<void> {
  const [stopped] = await db
    .select({ fault: ledgers.fault })
    .from(ledgers)
    .where(sql`fault is not null`)
    .limit(1)
  if (stopped?.fault) throw new NotReady(stopped.fault)
}
