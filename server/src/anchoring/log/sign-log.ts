import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { FormatError, sameDigest, toHex } from '@befaqt/provenance'
import { type Checkpoint, parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { keyTypes, parseNote, verifierKey, verifierKeyText } from '@befaqt/provenance/log/note'
import { openCheckpoint, type Signer, signCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { and, asc, desc, eq, gte, lt, max, sql } from 'drizzle-orm'
import { anchorLogs, logCheckpoints } from '#server/db/schema/anchor-log.ts'
import { anchors, ledgerGaps } from '#server/db/schema/ledger.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { AnchoringDeps } from '../anchoring.ts'
import { type Ledger, openLedger } from '../ledger.ts'
import type { WitnessCalls } from './ask-witnesses.ts'
import type { CheckpointFile } from './checkpoint-file.ts'
import { appendEntries, entriesOf, entryCount, entryOf, otherAnchors, rootAt } from './log-rows.ts'

/*
 * The log of anchors grows by each anchor that is final, and what it has become is signed. Two checkpoints that don't
 * continue each other end a log for ever, so before anything is signed it is compared with all that is known of what was
 * signed: the newest checkpoint here, the file of an embedded database, the anchors, the ledger. What does not fit stops
 * the signing, and nothing else.
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

/** Why nothing is signed until an operator decides. */
class LogFault extends Error {}

/** Entries that are appended in one transaction. */
const BATCH = 500
/** Newest entries that are compared with their anchors before each signature; older ones are final. */
const COMPARED = 20

/** What the leader does after each of its passes. */
export type FollowAnchors = (deps: AnchoringDeps) => Promise<void>

/** Follows the anchors in a log; asks nobody while none became final since the last one that it signed. */
export function followAnchors(settings: LogSettings): FollowAnchors {
  let done: number | undefined
  return async (deps) => {
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
  let isSigned = false
  let fault: string | null = null
  try {
    isSigned = await signNewest(deps, settings, ledger, log)
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    fault = error.message
  }
  const changed = await deps.db
    .update(anchorLogs)
    .set({ fault })
    .where(and(eq(anchorLogs.origin, log.origin), sql`fault is distinct from ${fault}`))
    .returning()
  if (fault !== null && changed.length > 0)
    deps.log.error({ fault }, 'the log of anchors is not signed until an operator decides')
  else if (changed.length > 0) deps.log.info({}, 'the log of anchors is signed again')
  return isSigned
}

type Log = { origin: string; key: string; seen: string | null; signer: Signer }

/** The log of this database, which begins with its first anchor; its name is fixed from then on. */
async function openLog(
  deps: AnchoringDeps,
  { origin, secrets, file }: LogSettings,
): Promise<Log | undefined> {
  const [known] = await deps.db.select().from(anchorLogs).limit(1)
  if (known !== undefined) return { ...known, signer: signerOf(known.origin, secrets) }
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
  return { ...row, seen: null, signer }
}

/** PKCS #8 of an Ed25519 key, before its 32 bytes. Source: RFC 8410 §7. */
const PKCS8 = '302e020100300506032b657004220420'

/**
 * The log's key, derived from the server's own secret: a database that is restored has the same, and a copy of one holds
 * none.
 */
export function signerOf(origin: string, secrets: Pick<Secrets, 'hmac'>): Signer {
  const der = Buffer.from(PKCS8 + secrets.hmac(origin, 'key of the log of anchors'), 'hex')
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' })
  const key = verifierKey(origin, keyTypes.ed25519, new Uint8Array(spki.subarray(-32)))
  return { key, sign: (message) => new Uint8Array(sign(null, message, secret)) }
}

async function signNewest(
  deps: AnchoringDeps,
  { file }: LogSettings,
  ledger: Ledger,
  log: Log,
): Promise<boolean> {
  const { db } = deps
  if (verifierKeyText(log.signer.key) !== log.key)
    throw new LogFault(
      `The key of the log ${log.origin} is another than at its first signature: secret.key was replaced. Put the former back.`,
    )
  await appendAnchors(deps, ledger)
  const size = await entryCount(db)
  const signed = await signedBefore(deps, log, file, size)
  if (signed >= size) return true
  const differences = await otherAnchors(db, Math.max(0, size - COMPARED), size)
  if (differences.length > 0) throw new LogFault(`The log of anchors is not as they are: ${differences[0]}.`)
  if (!(await isInLedger(deps, ledger, Math.max(signed, size - COMPARED), size))) return false
  const checkpoint = { origin: log.origin, size, root: await rootAt(db, size) }
  const note = signCheckpoint(checkpoint, log.signer)
  await file?.write(note)
  await keep(deps, checkpoint, note)
  return true
}

/** Appends the final anchors that follow the newest entry; those that this database has lost as the ledger tells them. */
async function appendAnchors({ db, chain, checkLead }: AnchoringDeps, { contract }: Ledger): Promise<void> {
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

/** Size of the newest checkpoint that was signed; 0: none was. @throws LogFault when the log does not continue it */
async function signedBefore(
  deps: AnchoringDeps,
  log: Log,
  file: CheckpointFile | undefined,
  size: number,
): Promise<number> {
  const { db } = deps
  const [kept] = await db
    .select()
    .from(logCheckpoints)
    .where(eq(logCheckpoints.origin, log.origin))
    .orderBy(desc(logCheckpoints.size))
    .limit(1)
  const written = await file?.read()
  let newest = 0
  for (const note of [kept?.note, written, log.seen ?? undefined]) {
    if (note === undefined) continue
    const checkpoint = await ownCheckpoint(log, note)
    if (checkpoint.size > size)
      throw new LogFault(
        `The log ${log.origin} was signed with ${checkpoint.size} anchors, and this database knows ${size}: it is older than what it has signed.`,
      )
    if (!sameDigest(await rootAt(db, checkpoint.size), checkpoint.root))
      throw new LogFault(
        `The log ${log.origin} was signed with ${checkpoint.size} anchors, and these are others: it must not be signed again.`,
      )
    newest = Math.max(newest, checkpoint.size)
    if (note !== kept?.note && checkpoint.size > (kept?.size ?? 0)) await keep(deps, checkpoint, note)
  }
  return newest
}

async function ownCheckpoint({ origin, signer }: Log, note: string): Promise<Checkpoint> {
  try {
    return (await openCheckpoint(note, [signer.key], [])).checkpoint
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new LogFault(`The newest checkpoint that is kept of the log ${origin} is not by its key.`)
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

/**
 * Stores a signed checkpoint, from when on everybody is shown it. A standby has it too, where the database has one, so
 * that one that takes over knows what was signed.
 * @throws LogFault when another of this size was signed
 */
async function keep(deps: AnchoringDeps, { origin, size, root }: Checkpoint, note: string): Promise<void> {
  const checkpoint = { origin, size, root: toHex(root), note }
  await deps.db.transaction(async (tx) => {
    await deps.checkLead(tx)
    await awaitStandby(tx)
    const added = await tx.insert(logCheckpoints).values(checkpoint).onConflictDoNothing().returning()
    if (added.length > 0) return
    const [known] = await tx
      .select()
      .from(logCheckpoints)
      .where(and(eq(logCheckpoints.origin, origin), eq(logCheckpoints.size, size)))
    if (known?.root !== checkpoint.root)
      throw new LogFault(`The log ${origin} was signed with another root of ${size} anchors.`)
  })
}
