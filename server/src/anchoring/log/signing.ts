import { createPrivateKey, createPublicKey, sign as signBytes } from 'node:crypto'
import { FormatError, sameDigest, toHex } from '@befaqt/provenance'
import type { Checkpoint } from '@befaqt/provenance/log/checkpoint'
import { keyTypes, verifierKey, verifierKeyText } from '@befaqt/provenance/log/note'
import { openCheckpoint, type Signer, signCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { anchorLogs, logCheckpoints, otherLogs } from '#server/db/schema/anchor-log.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { AnchoringDeps } from '../anchoring.ts'
import type { CheckpointFile } from './checkpoint-file.ts'
import { rootAt } from './log-rows.ts'

/*
 * Signing a log, of whatever entries. Two checkpoints that don't continue each other end a log for ever, so before anything
 * is signed it is compared with all that is known of what was signed: the newest checkpoint in the database, the file beside
 * an embedded one, and what a witness has shown. What does not fit stops the signing of this log, and nothing else.
 */

/** What signing needs of its process. */
export type SignDeps = Pick<AnchoringDeps, 'log' | 'checkLead'> & { db: Db | Tx }

/** A log of this database that is signed. */
export type Log = {
  origin: string
  /** Its public key as it was at its first signature. */
  key: string
  /** A checkpoint by its key that a witness shows and that is not here. */
  seen: string | null
  signer: Signer
  /** Where its newest checkpoint is kept beside an embedded database. */
  file: CheckpointFile | undefined
  /** The name by which its rows are found; absent: those of the log of anchors. */
  of?: string
  /** What it is and what it holds, for operators. */
  called: 'log of anchors' | 'log of builds'
  entries: 'anchors' | 'builds'
}

/** Why nothing is signed until an operator decides. */
export class LogFault extends Error {
  /** What was signed is not here, and may be lost for good: then only another log can be signed. */
  readonly isLasting: boolean

  constructor(message: string, isLasting = false) {
    super(message)
    this.isLasting = isLasting
  }
}

/** @throws LogFault when the key is another than at the first signature */
export function requireKey({ origin, key, signer }: Log): void {
  if (verifierKeyText(signer.key) !== key)
    throw new LogFault(
      `The key of the log ${origin} is another than at its first signature: secret.key was replaced. Put the former back.`,
      true,
    )
}

/** PKCS #8 of an Ed25519 key, before its 32 bytes. Source: RFC 8410 §7. */
const PKCS8 = '302e020100300506032b657004220420'

/**
 * A log's key, derived from the server's own secret and the log's name: a database that is restored has the same, and a
 * copy of one holds none.
 */
export function signerOf(origin: string, secrets: Pick<Secrets, 'hmac'>): Signer {
  const der = Buffer.from(PKCS8 + secrets.hmac(origin, 'key of the log of anchors'), 'hex')
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' })
  const key = verifierKey(origin, keyTypes.ed25519, new Uint8Array(spki.subarray(-32)))
  return { key, sign: (message) => new Uint8Array(signBytes(null, message, secret)) }
}

/** Does what signs a log; a fault is stored, for operators. Returns whether all is signed. */
export async function faultless(deps: SignDeps, log: Log, work: () => Promise<boolean>): Promise<boolean> {
  let isSigned = false
  let fault: string | null = null
  try {
    requireKey(log)
    isSigned = await work()
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    fault = error.message
  }
  const table = log.of === undefined ? anchorLogs : otherLogs
  const changed = await deps.db
    .update(table)
    .set({ fault })
    .where(and(eq(table.origin, log.origin), sql`fault is distinct from ${fault}`))
    .returning()
  if (fault !== null && changed.length > 0)
    deps.log.error({ fault }, `the ${log.called} is not signed until an operator decides`)
  else if (changed.length > 0) deps.log.info({}, `the ${log.called} is signed again`)
  return isSigned
}

/** Size of the newest checkpoint that was signed; 0: none was. @throws LogFault when the log does not continue it */
export async function signedBefore(deps: SignDeps, log: Log, size: number): Promise<number> {
  const { db } = deps
  const [kept] = await db
    .select()
    .from(logCheckpoints)
    .where(eq(logCheckpoints.origin, log.origin))
    .orderBy(desc(logCheckpoints.size))
    .limit(1)
  const written = await writtenNotes(db, log)
  let newest = 0
  for (const note of [kept?.note, ...written, log.seen ?? undefined]) {
    if (note === undefined) continue
    const checkpoint = await ownCheckpoint(log, note)
    if (checkpoint.size > size)
      throw new LogFault(
        `The log ${log.origin} was signed with ${checkpoint.size} ${log.entries}, and this database knows ${size}: it is older than what it has signed.`,
        true,
      )
    if (!sameDigest(await rootAt(db, checkpoint.size, log.of), checkpoint.root))
      throw new LogFault(
        `The log ${log.origin} was signed with ${checkpoint.size} ${log.entries}, and these are others: it must not be signed again.`,
        true,
      )
    newest = Math.max(newest, checkpoint.size)
    if (note !== kept?.note && checkpoint.size > (kept?.size ?? 0)) await keep(deps, checkpoint, note)
  }
  return newest
}

/**
 * What the file holds, unless that is of a log that this one was begun anew after, and what was set aside of this log: a
 * database of before it was ended may have been put back.
 */
async function writtenNotes(db: Db | Tx, { origin, file }: Log): Promise<string[]> {
  const note = await file?.read()
  const notes = ((await file?.formers()) ?? []).filter((former) => originOf(former) === origin)
  if (note === undefined) return notes
  const of = originOf(note)
  const former = and(eq(otherLogs.origin, of), eq(otherLogs.kind, 'former'))
  return of !== origin && (await db.$count(otherLogs, former)) > 0 ? notes : [...notes, note]
}

/** The log that a note says it is of. */
const originOf = (note: string): string => note.split('\n', 1)[0] ?? ''

async function ownCheckpoint({ origin, signer }: Log, note: string): Promise<Checkpoint> {
  try {
    return (await openCheckpoint(note, [signer.key], [])).checkpoint
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new LogFault(`The newest checkpoint that is kept of the log ${origin} is not by its key.`, true)
  }
}

/** Signs the log as it is with so many entries: on the disk or at a standby before anybody is shown it. */
export async function sign(deps: SignDeps, log: Log, size: number): Promise<void> {
  const checkpoint = { origin: log.origin, size, root: await rootAt(deps.db, size, log.of) }
  const note = signCheckpoint(checkpoint, log.signer)
  await log.file?.write(note)
  await keep(deps, checkpoint, note)
}

/**
 * Stores a signed checkpoint, from when on everybody is shown it. A standby has it too, where the database has one, so
 * that one that takes over knows what was signed.
 * @throws LogFault when another of this size was signed
 */
async function keep(deps: SignDeps, { origin, size, root }: Checkpoint, note: string): Promise<void> {
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
      throw new LogFault(`The log ${origin} was signed with another root of ${size} entries.`)
  })
}
