import { statfs } from 'node:fs/promises'
import { isNotNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { stampFault, syncEmbeddedChain } from '#server/anchoring/index.ts'
import { drillFault } from '#server/backup/last-drill.ts'
import { lostArchives } from '#server/boxes/index.ts'
import type { Chain, LedgerLocation } from '#server/chain/port.ts'
import type { Config } from '#server/config/config.ts'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import { type Database, type Db, rows } from '#server/db/client.ts'
import { consumerStates } from '#server/db/consume.ts'
import { anchorLogs, logWitnesses, otherLogs } from '#server/db/schema/anchor-log.ts'
import { ledgers } from '#server/db/schema/ledger.ts'
import { newestMigration } from '#server/db/schema-version.ts'
import { NO_STANDBYS } from '#server/db/standbys.ts'
import type { FileStore } from '#server/files/file-store.ts'
import type { IngestionState } from '#server/ingestion/index.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'

export type ReadinessDeps = {
  config: Pick<Config, 'DATA_DIR' | 'BACKUP_DIR' | 'TIMESTAMP_URL' | 'OPENTIMESTAMPS_URLS'>
  database: Database
  db: Db
  log: Logger
  files: FileStore
  chain: Chain
  ledger: LedgerLocation
  ingestion: Pick<IngestionState, 'broker'>
}

/** Free space in DATA_DIR below which it is reported: the embedded database and logs need some too. */
const MIN_FREE_BYTES = 50 * 1024 * 1024
/** A leader sends a heartbeat every two seconds. */
const MAX_LEADER_SILENCE_S = 5

/** How long a due job or an event, or an email that fails, waits before it is reported. */
const LATE_S = 300
const LATE_MAIL_S = 900

/** Without one of these the process is not ready. */
export type Part = 'database' | 'migration'
/**
 * Reported without an effect on readiness: all processes share them, and pages, orders and readings do without. A process
 * that left the balancer for one of them would leave together with all others.
 */
export type Aside =
  | 'queue'
  | 'events'
  | 'chain'
  | 'files'
  | 'disk'
  | 'mail'
  | 'broker'
  | 'leader'
  | 'ledger'
  | 'log'
  | 'witnesses'
  | 'stamps'
  | 'standby'
  | 'replica'
  | 'nodes'
  | 'drill'
  | 'archives'

/** A message that is public: our own text, never a library's, which may contain internal addresses. */
export class NotReady extends Error {}

/** What is asked of each part. A check rejects where the part is not as it should be. */
export function checksOf(deps: ReadinessDeps): Record<Part | Aside, () => Promise<unknown>> {
  return {
    database: () => rows(deps.db, sql`select 1`),
    migration: () => checkMigration(deps),
    queue: () => checkQueue(deps),
    events: () => checkEvents(deps),
    chain: () => checkChain(deps),
    files: () => deps.files.check(),
    disk: () => checkDisk(deps),
    mail: () => checkMail(deps),
    broker: () => checkBroker(deps),
    leader: () => checkLeader(deps),
    ledger: () => checkLedger(deps),
    log: () => checkLog(deps),
    witnesses: () => checkWitnesses(deps),
    stamps: () => checkStamps(deps),
    standby: standbyCheck(deps),
    replica: () => checkReplica(deps),
    nodes: () => checkNodes(deps),
    drill: () => checkDrill(deps),
    archives: () => checkArchives(deps),
  }
}

/** The tables are those of this version: a backup of an older one may have been restored under a running process. */
async function checkMigration({ db }: ReadinessDeps): Promise<void> {
  const [made] = await rows<{ at: string | null }>(
    db,
    sql`select max(created_at)::text as at from drizzle.__drizzle_migrations`,
  )
  if (Number(made?.at) < newestMigration()) throw new NotReady('migrations are missing: restart this process')
}

async function checkQueue({ db }: ReadinessDeps): Promise<void> {
  const [job] = await rows<{ waits: number | null }>(
    db,
    sql`select extract(epoch from now() - min(run_at))::float as waits from jobs
        where failed_at is null and run_at <= now() and (leased_until is null or leased_until < now())`,
  )
  const waits = job?.waits ?? 0
  if (waits > LATE_S) throw new NotReady(`a due job has waited for ${Math.floor(waits)} s`)
}

async function checkEvents({ db }: ReadinessDeps): Promise<void> {
  const slowest = (await consumerStates(db)).toSorted((a, b) => b.lagS - a.lagS)[0]
  if (slowest === undefined || slowest.lagS <= LATE_S) return
  const state = slowest.failingS > 0 ? 'fails at an event' : 'is behind'
  throw new NotReady(`${slowest.name} ${state}: the oldest has waited for ${Math.floor(slowest.lagS)} s`)
}

async function checkMail({ db }: ReadinessDeps): Promise<void> {
  const [mail] = await rows<{ late: number }>(
    db,
    sql`select count(*)::int as late from jobs where queue = ${MAIL_QUEUE} and failed_at is null
        and last_error is not null and created_at < now() - ${LATE_MAIL_S} * interval '1 second'`,
  )
  if (mail?.late) throw new NotReady(`${mail.late} emails keep failing and are retried`)
}

/** An outside broker needs all connections of this process, or another process; the embedded one is this process's own. */
async function checkBroker({ database, ingestion: { broker } }: ReadinessDeps): Promise<void> {
  if (broker.kind !== 'outside' || broker.up) return
  const { up, of } = broker.shares
  if (of === 1) throw new NotReady('not connected to the MQTT broker')
  if (of > 1) throw new NotReady(`${of - up} of ${of} sessions at the MQTT broker are not connected`)
  if ((await database.leaderSilence(advisoryLocks.broker)) === null)
    throw new NotReady('no process is connected to the MQTT broker')
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

async function checkLog({ db }: ReadinessDeps): Promise<void> {
  const [log] = await db.select({ fault: anchorLogs.fault }).from(anchorLogs).limit(1)
  const ofBuilds = await db.select({ fault: otherLogs.fault }).from(otherLogs)
  const words = [log, ...ofBuilds].flatMap((one) => one?.fault ?? [])
  if (words.length > 0) throw new NotReady(words.join(' '))
}

/** Says once what would be gone, for as long as one thing is wrong. */
function standbyCheck({ database, log }: ReadinessDeps): () => Promise<void> {
  let said: string | null = null
  return async () => {
    const { fault, atRisk } = (await database.standbys?.look()) ?? NO_STANDBYS
    if (fault !== said && fault !== null) log.warn({ ...atRisk, fault }, 'standbys do not have all')
    said = fault
    if (fault !== null) throw new NotReady(fault)
  }
}

async function checkReplica({ database }: ReadinessDeps): Promise<void> {
  const fault = (await database.replica?.look())?.fault ?? null
  if (fault !== null) throw new NotReady(`${fault}: the primary answers what it should`)
}

/** Which of the nodes of CHAIN_RPC_URL is not believed, by what this process asked them last. */
async function checkNodes({ chain }: ReadinessDeps): Promise<void> {
  const faulty = (chain.nodes?.() ?? []).filter(({ fault }) => fault !== null)
  const words = faulty.map(({ place, fault }) => `${place} ${fault}`)
  if (words.length > 0) throw new NotReady(words.join('; '))
}

async function checkWitnesses({ db }: ReadinessDeps): Promise<void> {
  const faulty = await db
    .select()
    .from(logWitnesses)
    .where(isNotNull(logWitnesses.fault))
    .orderBy(logWitnesses.url)
  const words = faulty.map(({ name, fault }) => `${name}: ${fault}`)
  if (words.length > 0) throw new NotReady(words.join(' '))
}

/** What is asked of nobody is not missing, whatever was the matter when it was. */
async function checkStamps({ db, config }: ReadinessDeps): Promise<void> {
  if (config.TIMESTAMP_URL === undefined && config.OPENTIMESTAMPS_URLS === undefined) return
  const fault = await stampFault(db)
  if (fault !== null) throw new NotReady(fault)
}

async function checkDrill({ config }: ReadinessDeps): Promise<void> {
  const fault = await drillFault(config)
  if (fault !== null) throw new NotReady(fault)
}

/** Most boxes that are named. */
const MAX_TOLD = 5

/** Files of sealed boxes, as a job found them: a probe reads none. */
async function checkArchives({ db }: ReadinessDeps): Promise<void> {
  const lost = (await lostArchives(db)).map(({ boxId }) => boxId)
  if (lost.length === 0) return
  const more = lost.length > MAX_TOLD ? ` and ${lost.length - MAX_TOLD} more` : ''
  throw new NotReady(`the file of box ${lost.slice(0, MAX_TOLD).join(', ')}${more} is missing or damaged`)
}
