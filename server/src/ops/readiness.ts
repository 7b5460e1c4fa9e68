import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { syncEmbeddedChain } from '#server/anchoring/sync-embedded-chain.ts'
import type { Chain, LedgerLocation } from '#server/chain/port.ts'
import type { Config } from '#server/config/config.ts'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import { type Database, type Db, rows } from '#server/db/client.ts'
import { ledgers } from '#server/db/schema/ledger.ts'
import type { FileStore } from '#server/files/port.ts'

export type ReadinessDeps = {
  config: Pick<Config, 'DATA_DIR'>
  database: Database
  db: Db
  log: Logger
  files: FileStore
  chain: Chain
  ledger: LedgerLocation
}

/** Time limit of each check. */
const CHECK_TIMEOUT_MS = 2_000
/** How long a result is cached, so that many probes cost as much as one. */
const CACHE_MS = 1_000
/** Free space in DATA_DIR below which the shop does not count as ready: the database and logs need some too. */
const MIN_FREE_BYTES = 50 * 1024 * 1024
/** A leader sends a heartbeat every two seconds. */
const MAX_LEADER_SILENCE_S = 5

/** Without one of these the process is not ready. */
export type Part = 'database' | 'queue' | 'chain' | 'files' | 'disk'
/** Reported without an effect on readiness: the shop can sell without them, and another process may fix it. */
export type Aside = 'leader' | 'ledger'

/** 'ok', or a short error. */
export type Readiness = { ok: boolean } & Record<Part | Aside, string>

/** Checks every part, concurrently. */
export type Ready = () => Promise<Readiness>

/** @returns a function that returns within about two seconds, whatever hangs */
export function readiness(deps: ReadinessDeps): Ready {
  const checks: Record<Part | Aside, () => Promise<unknown>> = {
    database: () => rows(deps.db, sql`select 1`),
    queue: () => rows(deps.db, sql`select 1 from jobs limit 1`),
    chain: () => checkChain(deps),
    files: () => deps.files.check(),
    disk: () => checkDisk(deps),
    leader: () => checkLeader(deps),
    ledger: () => checkLedger(deps),
  }
  const names = Object.keys(checks) as (Part | Aside)[]
  const timed = new Map(names.map((name) => [name, withTimeout(checks[name])]))
  const reported = new Map<string, string>()
  const checkAll = async (): Promise<Readiness> => {
    const states = await Promise.all(names.map(async (name) => [name, await timed.get(name)?.()] as const))
    for (const [part, state = ''] of states) {
      if ((reported.get(part) ?? 'ok') !== state) deps.log.warn({ part, state }, 'readiness changed')
      reported.set(part, state)
    }
    const parts = Object.fromEntries(states) as Record<Part | Aside, string>
    const { leader, ledger, ...needed } = parts
    return { ok: Object.values(needed).every((state) => state === 'ok'), ...parts }
  }
  let cached: Promise<Readiness> | undefined
  return () => {
    const expire = (): void => {
      cached = undefined
    }
    cached ??= checkAll().finally(() => setTimeout(expire, CACHE_MS).unref())
    return cached
  }
}

/** A message that is public: our own text, never a library's, which may contain internal addresses. */
class NotReady extends Error {}

/** Runs a check with a timeout; a check that is still pending is not started again. */
function withTimeout(check: () => Promise<unknown>): () => Promise<string> {
  let pending: Promise<string> | undefined
  return async () => {
    pending ??= check()
      .then(() => 'ok', reasonOf)
      .finally(() => {
        pending = undefined
      })
    const timer = new AbortController()
    const late = sleep(CHECK_TIMEOUT_MS, `timeout after ${CHECK_TIMEOUT_MS / 1000} s`, {
      signal: timer.signal,
    })
    try {
      return await Promise.race([pending, late])
    } finally {
      timer.abort()
      late.catch(() => undefined)
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NotReady) return error.message
  for (let e = error; e instanceof Error; e = e.cause)
    if ('code' in e && /^[A-Z0-9_]{2,30}$/.test(String(e.code))) return `unreachable (${e.code})`
  return 'unreachable'
}

/** The chain must have the expected id and hold our contract. */
async function checkChain({ db, chain, ledger }: ReadinessDeps): Promise<void> {
  const { chainId, contract } = await ledger.locate()
  const actual = await chain.chainId()
  if (actual !== chainId) throw new NotReady(`wrong chain: id ${actual} instead of ${chainId}`)
  if (contract === null) throw new NotReady('the contract is not deployed yet')
  await syncEmbeddedChain({ db, chain })
  if (!(await chain.hasCode(contract as `0x${string}`)))
    throw new NotReady(`chain ${chainId} has no contract at the ledger's address`)
}

async function checkDisk({ config }: ReadinessDeps): Promise<void> {
  const free = await freeBytes(config.DATA_DIR)
  if (free < MIN_FREE_BYTES) throw new NotReady(`${Math.floor(free / 1024 / 1024)} MiB left in DATA_DIR`)
}

/** Free bytes for this process in a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function checkLeader({ database }: ReadinessDeps): Promise<void> {
  const silence = await database.leaderSilence(advisoryLocks.anchoring)
  if (silence === null) throw new NotReady('there is no leader: no process is anchoring')
  if (silence > MAX_LEADER_SILENCE_S)
    throw new NotReady(`no heartbeat of the leader for ${Math.floor(silence)} s`)
}

async function checkLedger({ db }: ReadinessDeps): Promise<void> {
  const [stopped] = await db
    .select({ fault: ledgers.fault })
    .from(ledgers)
    .where(sql`fault is not null`)
    .limit(1)
  if (stopped?.fault) throw new NotReady(stopped.fault)
}
