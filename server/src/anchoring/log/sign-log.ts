import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { parseNote, verifierKeyText } from '@befaqt/provenance/log/note'
import { and, asc, eq, gte, lt, max, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import { anchors, ledgerGaps } from '#server/db/schema/ledger.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { AnchoringDeps } from '../anchoring.ts'
import { type Ledger, openLedger } from '../ledger.ts'
import type { WitnessCalls } from './ask-witnesses.ts'
import type { CheckpointFile } from './checkpoint-file.ts'
import { appendEntries, entriesOf, entryCount, entryOf, otherAnchors } from './log-rows.ts'
import { faultless, type Log, LogFault, sign, signedBefore, signerOf } from './signing.ts'

/*
 * The log of anchors grows by each anchor that is final, and what it has become is signed, once it was compared with what
 * was signed before (signing.ts), with its anchors and with the ledger. What does not fit stops the signing, and nothing
 * else.
 */

/** What a shop's log is begun with. */
export type LogSettings = {
  /** Its name, where it has none yet: host and path of the tiles. */
  origin: string
  secrets: Pick<Secrets, 'hmac'>
  /** Beside an embedded database. */
  file: CheckpointFile | undefined
  /** Who else is to sign it. */
  witnesses?: WitnessCalls | undefined
}

/** Path of the log below the shop's address. */
export const LOG_PATH = '/befaqt/log'

/** The name of a new log of the shop at this address. */
export const originOf = (publicUrl: string): string => new URL(publicUrl).host + LOG_PATH

/** Entries that are appended in one transaction. */
const BATCH = 500
/** Newest entries that are compared with their anchors before each signature; older ones are final. */
const COMPARED = 20

/** What the leader does after each of its passes. */
export type FollowAnchors = (deps: AnchoringDeps) => Promise<void>

/** Each of these, whatever becomes of those before it; then the first failure is told. */
export const inTurn =
  (...all: readonly FollowAnchors[]): FollowAnchors =>
  async (deps) => {
    const failures: unknown[] = []
    for (const follow of all) await follow(deps).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

/**
 * Follows the anchors in a log; asks nobody while none became final since the last one that it signed. Before a process signs
 * anything it looks at what its witnesses show: they may know what a database that was put back has forgotten.
 */
export function followAnchors(settings: LogSettings): FollowAnchors {
  let done: number | undefined
  let hasLooked = false
  return async (deps) => {
    if (!hasLooked) await settings.witnesses?.look(deps)
    hasLooked = true
    const [newest] = await deps.db
      .select({ index: max(anchors.index) })
      .from(anchors)
      .where(eq(anchors.state, 'confirmed'))
    const next = newest?.index ?? undefined
    if (done === undefined || done !== next) done = (await follow(deps, settings)) ? next : undefined
    if (settings.witnesses?.begin(deps)) done = undefined
  }
}

/**
 * Does all that is to be done for the log: appends the anchors that became final, and signs what it is then. May be killed
 * anywhere, and be run again. A fault is stored, for operators. Returns whether all is signed.
 */
async function follow(deps: AnchoringDeps, settings: LogSettings): Promise<boolean> {
  const ledger = await openLedger(deps)
  if (ledger === undefined) return false
  const log = await openLog(deps, settings)
  if (log === undefined) return false
  return faultless(deps, log, () => signNewest(deps, ledger, log))
}

const OF_ANCHORS = { called: 'log of anchors', entries: 'anchors' } as const

/** The log of anchors of this database; undefined: it has not begun. */
export async function knownLog(
  db: Db,
  { secrets, file }: Pick<LogSettings, 'secrets' | 'file'>,
): Promise<Log | undefined> {
  const [known] = await db.select().from(anchorLogs).limit(1)
  return known && { ...known, ...OF_ANCHORS, file, signer: signerOf(known.origin, secrets) }
}

/** The log of this database, which begins with its first anchor; its name is fixed from then on. */
async function openLog(deps: AnchoringDeps, settings: LogSettings): Promise<Log | undefined> {
  const known = await knownLog(deps.db, settings)
  if (known !== undefined) return known
  const { origin, secrets, file } = settings
  const kept = await file?.read()
  const name = kept === undefined ? origin : parseCheckpoint(parseNote(kept).text).origin
  const [first] = await deps.db.select().from(anchors).where(eq(anchors.state, 'confirmed')).limit(1)
  if (first === undefined && kept === undefined) return undefined
  const signer = signerOf(name, secrets)
  const row = { origin: name, key: verifierKeyText(signer.key) }
  await deps.db.transaction(async (tx) => {
    await deps.checkLead(tx)
    await tx.insert(anchorLogs).values(row)
  })
  deps.log.info(row, 'the log of anchors begins')
  return { ...row, ...OF_ANCHORS, file, seen: null, signer }
}

async function signNewest(deps: AnchoringDeps, ledger: Ledger, log: Log): Promise<boolean> {
  const { db } = deps
  await appendAnchors(deps, ledger)
  const size = await entryCount(db)
  const signed = await signedBefore(deps, log, size)
  if (signed >= size) return true
  const differences = await otherAnchors(db, Math.max(0, size - COMPARED), size)
  if (differences.length > 0) throw new LogFault(`The log of anchors is not as they are: ${differences[0]}.`)
  if (!(await isInLedger(deps, ledger, Math.max(signed, size - COMPARED), size))) return false
  await sign(deps, log, size)
  return true
}

/** Appends the final anchors that follow the newest entry; those that this database has lost as the ledger tells them. */
export async function appendAnchors(
  { db, chain, checkLead }: AnchoringDeps,
  { contract }: Ledger,
): Promise<void> {
  for (;;) {
    const size = await entryCount(db)
    const [gap] = await db
      .select()
      .from(ledgerGaps)
      .where(and(sql`${ledgerGaps.firstIndex} <= ${size}`, gte(ledgerGaps.lastIndex, size)))
    const known = await db
      .select()
      .from(anchors)
      .where(and(eq(anchors.state, 'confirmed'), gte(anchors.index, size), lt(anchors.index, size + BATCH)))
      .orderBy(asc(anchors.index))
    const entries: string[] = []
    for (let index = size; gap !== undefined && index <= gap.lastIndex && entries.length < BATCH; index++) {
      const lost = await chain.anchorOf(contract, index)
      if (lost === undefined) break
      entries.push(entryOf({ ...lost, index }))
    }
    if (gap === undefined)
      for (const anchor of known) {
        if (anchor.index !== size + entries.length) break // an earlier one is not final, or in a gap
        entries.push(entryOf({ ...anchor, time: anchor.blockTime ?? 0 }))
      }
    if (entries.length === 0) return
    await db.transaction(async (tx) => {
      await checkLead(tx)
      await appendEntries(tx, size, entries)
    })
  }
}

/** Does the ledger hold these entries? False while its node is behind. @throws LogFault when it holds others */
async function isInLedger(
  { db, chain }: AnchoringDeps,
  { contract }: Ledger,
  first: number,
  end: number,
): Promise<boolean> {
  for (const [i, entry] of (await entriesOf(db, first, end)).entries()) {
    const held = await chain.anchorOf(contract, first + i)
    if (held === undefined) return false
    if (entryOf({ ...held, index: first + i }) !== entry)
      throw new LogFault(`The ledger holds another anchor ${first + i} than the log.`)
  }
  return true
}
