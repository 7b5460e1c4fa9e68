import { FormatError, fromHex, sameDigest } from '@befaqt/provenance'
import { addRequestText, monitorPath, SIZE_TYPE } from '@befaqt/provenance/log/add-checkpoint'
import { ask } from '@befaqt/provenance/log/ask'
import { count } from '@befaqt/provenance/log/checkpoint'
import { noteOf, parseSignatures, signatureLine, type VerifierKey } from '@befaqt/provenance/log/note'
import { openCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { proveConsistency, readFromTiles } from '@befaqt/provenance/log/tree'
import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { anchorLogs, otherLogs } from '#server/db/schema/anchor-log.ts'
import type { AnchoringDeps } from '../anchoring.ts'
import { type CosignatureLine, newestCosigned, type SignedCheckpoint } from './cosignatures.ts'
import { readTiles, rootAt } from './log-rows.ts'

/*
 * One witness is sent the newest checkpoint of one log. What it answers is believed where its key says it, and nowhere else.
 */

export type AskDeps = Pick<AnchoringDeps, 'db' | 'log' | 'now'>

/** Who is asked. */
export type WitnessAddress = { url: string; name: string; keys: readonly VerifierKey[] }

/** What is to be signed, and on what terms. */
export type What = {
  log: VerifierKey
  /** Whose rows; absent: those of the log of anchors. */
  of?: string | undefined
  newest: SignedCheckpoint
  signal: AbortSignal
  timeoutMs: number
}

/** Longest answer of a witness: some lines, of which one of ML-DSA-44 has 3.3 kB. */
const MAX_ANSWER = 65_536
/** Longest checkpoint with signatures that is read at a monitor address. */
const MAX_SHOWN = 393_216
/** Seconds by which a witness's clock may be ahead. */
const AHEAD_S = 300

/** What a witness did that it should not have, or did not do, in words. */
export class WitnessFault extends Error {}

/** It has yet to look at what it was sent: no fault of its own, unless that lasts. */
export class NotYet extends WitnessFault {}

/** It does not watch this log. */
export class NotWatched extends WitnessFault {}

/** It says that it knows more than we signed, or other things: its monitor address shows whether that is so. */
export class Contradiction extends WitnessFault {}

/** What it signs of the newest checkpoint. @throws WitnessFault */
export async function cosignaturesBy(
  deps: AskDeps,
  what: What,
  witness: WitnessAddress,
): Promise<CosignatureLine[]> {
  const { size } = what.newest
  const known = await newestCosigned(deps.db, what.newest.origin, witness.keys)
  const first = await send(deps, what, witness, Math.min(known, size))
  if (typeof first !== 'number') return first
  const second = await send(deps, what, witness, first)
  if (typeof second === 'number') throw new WitnessFault('It names another size each time.')
  return second
}

/** Answers the lines, or how many entries it says that it knows, which is not `old`. @throws WitnessFault */
async function send(
  { db, now }: AskDeps,
  what: What,
  { url, keys }: WitnessAddress,
  old: number,
): Promise<CosignatureLine[] | number> {
  const { note, size } = what.newest
  const proof = await proveConsistency(old, size, readFromTiles(readTiles(db, what.of)))
  const body = addRequestText({ old, proof, note })
  const limits = { maxBytes: MAX_ANSWER, timeoutMs: what.timeoutMs, signal: what.signal }
  const answer = await ask(`${url}/add-checkpoint`, { body, ...limits })
  const text = Buffer.from(answer.body).toString()
  if (answer.status === 200) return linesOf(text, what, keys, Math.floor(now().getTime() / 1000))
  if (answer.status === 422)
    throw new Contradiction('It says that this does not continue what it has seen, or does not add up.')
  if (answer.status === 503) throw new NotYet('It has not looked at this yet.')
  if (answer.status === 404) throw new NotWatched('It does not watch this log.')
  if (answer.status !== 409) throw new WitnessFault(`It answers with status ${answer.status}.`)
  const said = answer.type === SIZE_TYPE ? sizeIn(text) : undefined
  if (said === undefined || said === old) throw new WitnessFault('It refuses, and names no other size.')
  if (said > size)
    throw new Contradiction(`It says that it has seen ${said} entries, and ${size} are signed.`)
  return said
}

function sizeIn(text: string): number | undefined {
  try {
    return text.endsWith('\n') ? count(text.slice(0, -1), '$') : undefined
  } catch {
    return undefined
  }
}

/** Its lines below the checkpoint, each verified; those of keys that the policy does not name are passed over. */
async function linesOf(
  text: string,
  { newest, log }: What,
  keys: readonly VerifierKey[],
  nowS: number,
): Promise<CosignatureLine[]> {
  const found: CosignatureLine[] = []
  try {
    const opened = await openCheckpoint(newest.note + text, [log], keys)
    for (const cosignature of opened.cosignatures) {
      const { key, timeS } = cosignature
      const own = parseSignatures(text).filter(({ name, id }) => name === key.name && id === key.id)
      if (own.length !== 1) throw new WitnessFault('It signs twice with one key.')
      if (timeS > nowS + AHEAD_S) throw new WitnessFault('It signs with a time that is ahead.')
      const [{ bytes } = { bytes: new Uint8Array() }] = own
      found.push({ ...cosignature, line: signatureLine(key, bytes) })
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new WitnessFault(`What it signed does not hold: ${error.message}`)
  }
  if (found.length === 0) throw new WitnessFault('It signs with none of the keys that the policy names.')
  return found
}

/**
 * Looks at what it shows as the newest. Only a checkpoint by our own key that is not ours is believed: it is kept, and ends
 * the signing. Returns whether there is one.
 */
export async function noteContradiction(
  deps: AskDeps,
  what: What,
  { url, name }: WitnessAddress,
): Promise<boolean> {
  const { newest, signal, timeoutMs, of } = what
  const shown = await ask(url + monitorPath(newest.origin), {
    maxBytes: MAX_SHOWN,
    timeoutMs,
    signal,
  }).catch(() => undefined)
  if (shown?.status !== 200) return false
  const seen = await contradictionIn(deps.db, Buffer.from(shown.body).toString(), what)
  if (seen === undefined) return false
  const table = of === undefined ? anchorLogs : otherLogs
  await deps.db.update(table).set({ seen }).where(eq(table.origin, newest.origin))
  deps.log.error({ witness: name, seen }, 'a witness shows a checkpoint by our key that is not ours')
  return true
}

/** The checkpoint with our signature alone, when it is by our key and not one of ours. */
async function contradictionIn(db: Db, text: string, { log, newest, of }: What): Promise<string | undefined> {
  try {
    const { checkpoint, note } = await openCheckpoint(text, [log], [])
    const { size, root } = checkpoint
    const ours =
      size === newest.size
        ? fromHex(newest.root)
        : size < newest.size
          ? await rootAt(db, size, of)
          : undefined
    if (ours !== undefined && sameDigest(ours, root)) return undefined
    const own = note.signatures.filter(({ name, id }) => name === log.name && id === log.id)
    return noteOf(
      note.text,
      own.slice(0, 1).map(({ bytes }) => signatureLine(log, bytes)),
    )
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}
