import { FormatError, fromHex, sameDigest } from '@befaqt/provenance'
import { addRequestText, monitorPath, SIZE_TYPE } from '@befaqt/provenance/log/add-checkpoint'
import { AnswerTooLong, ask } from '@befaqt/provenance/log/ask'
import { count } from '@befaqt/provenance/log/checkpoint'
import {
  noteOf,
  parseSignatures,
  parseVerifierKey,
  signatureLine,
  type VerifierKey,
  verifierKeyText,
} from '@befaqt/provenance/log/note'
import type { Policy } from '@befaqt/provenance/log/policy'
import { openCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { proveConsistency, readFromTiles } from '@befaqt/provenance/log/tree'
import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import type { AnchoringDeps } from '../anchoring.ts'
import {
  type CosignatureLine,
  forgetOthers,
  keepCosignatures,
  newestCosigned,
  newestSigned,
  noteWitness,
  type SignedCheckpoint,
  signersAt,
} from './cosignatures.ts'
import { readTiles, rootAt } from './log-rows.ts'

/*
 * The shop sends the newest checkpoint of its log to the witnesses of its policy, and keeps what they sign. Nothing waits
 * for them: not anchoring, not signing. What they answer is believed where their key says it, and nowhere else.
 */

type AskDeps = Pick<AnchoringDeps, 'db' | 'log' | 'now'>

/** Asks witnesses beside everything else. */
export type WitnessCalls = {
  /** Begins to ask those that are due, unless that goes on already. Returns whether one showed a checkpoint that ends our signing. */
  begin(deps: AskDeps): boolean
  /** Resolves when none is being asked. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Seconds between two requests to one witness. */
const EVERY_S = 60
const TIMEOUT_MS = 10_000
/** How long a witness may say that it has yet to look at what it is sent; an auditing one first follows the anchors. */
const GRACE_S = 15 * 60
/** Longest answer of a witness: some lines, of which one of ML-DSA-44 has 3.3 kB. */
const MAX_ANSWER = 65_536
/** Longest checkpoint with signatures that is read at a monitor address. */
const MAX_SHOWN = 393_216
/** Seconds by which a witness's clock may be ahead. */
const AHEAD_S = 300

type Asked = {
  url: string
  name: string
  keys: readonly VerifierKey[]
  askedAt: number
  /** Since when it says that it has yet to look. */
  waitsSince?: number | undefined
}

/** One for each address of the policy: a witness with two keys is asked once. */
function addressesIn(policy: Policy): Asked[] {
  const asked = new Map<string, Asked>()
  for (const [name, { url, key }] of policy.witnesses) {
    if (url === undefined) continue
    const address = url.replace(/\/{1,20}$/, '')
    const known = asked.get(address)
    const [names, keys] =
      known === undefined ? [name, [key]] : [`${known.name}, ${name}`, [...known.keys, key]]
    asked.set(address, { url: address, name: names, keys, askedAt: Number.NEGATIVE_INFINITY })
  }
  return [...asked.values()]
}

/** @param times seconds between two requests to one witness, how long each may take, and how long one may have yet to look */
export function witnessCalls(policy: Policy, times: Partial<Times> = {}): WitnessCalls {
  const { everyS, ...terms } = { everyS: EVERY_S, timeoutMs: TIMEOUT_MS, graceS: GRACE_S, ...times }
  const stopping = new AbortController()
  const witnesses = addressesIn(policy)
  let running: Promise<void> | undefined
  let isEnded = false
  const askAll = async (deps: AskDeps): Promise<void> => {
    const [log] = await deps.db.select().from(anchorLogs).limit(1)
    const newest = log && (await newestSigned(deps.db, log.origin))
    await forgetOthers(
      deps.db,
      witnesses.map(({ url }) => url),
    )
    if (log === undefined || newest === undefined) return
    const key = parseVerifierKey(log.key)
    const due = witnesses.filter(({ askedAt }) => deps.now().getTime() - askedAt >= everyS * 1000)
    const signal = stopping.signal
    const ends = await Promise.all(
      due.map((one) => askOne(deps, { log: key, newest, signal, ...terms }, one)),
    )
    isEnded ||= ends.includes(true)
  }
  return {
    begin(deps) {
      running ??= askAll(deps)
        .catch((err: unknown) => {
          if (!stopping.signal.aborted) deps.log.warn({ err }, 'witnesses could not be asked')
        })
        .finally(() => {
          running = undefined
        })
      const wasEnded = isEnded
      isEnded = false
      return wasEnded
    },
    settled: async () => running,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

type Terms = { timeoutMs: number; graceS: number }
type Times = Terms & { everyS: number }
type What = Terms & { log: VerifierKey; newest: SignedCheckpoint; signal: AbortSignal }

/** What a witness did that it should not have, or did not do, in words. */
class WitnessFault extends Error {}

/** None of these are its own words. */
function wordsOf(error: unknown): string {
  if (error instanceof WitnessFault) return error.message
  return error instanceof AnswerTooLong ? 'Its answer is too long.' : 'It could not be reached.'
}

/** Returns whether it shows a checkpoint by our key that ends our signing. */
async function askOne(deps: AskDeps, what: What, witness: Asked): Promise<boolean> {
  const { db, log } = deps
  const have = await signersAt(db, what.newest)
  if (witness.keys.every((key) => have.includes(verifierKeyText(key)))) return false
  witness.askedAt = deps.now().getTime()
  let fault: string | null = null
  let ends = false
  try {
    await keepCosignatures(db, what.newest, await cosignaturesBy(deps, what, witness))
  } catch (error) {
    if (what.signal.aborted || isPatient(deps, what, witness, error)) return false
    fault = wordsOf(error)
    ends = error instanceof Contradiction && (await noteContradiction(deps, what, witness))
  }
  witness.waitsSince = undefined
  const { url, name } = witness
  if (await noteWitness(db, { url, name, fault })) {
    if (fault === null) log.info({ witness: name }, 'the witness signs')
    else log.warn({ witness: name, url, fault }, 'the witness does not sign')
  }
  return ends
}

/** It has yet to look at what it was sent: no fault of its own, unless that lasts. */
class NotYet extends WitnessFault {}

function isPatient({ now }: AskDeps, { graceS }: What, witness: Asked, error: unknown): boolean {
  if (!(error instanceof NotYet)) return false
  witness.waitsSince ??= now().getTime()
  return now().getTime() - witness.waitsSince < graceS * 1000
}

/** It says that it knows more than we signed, or other things: its monitor address shows whether that is so. */
class Contradiction extends WitnessFault {}

/** What it signs of the newest checkpoint. @throws WitnessFault */
async function cosignaturesBy(deps: AskDeps, what: What, witness: Asked): Promise<CosignatureLine[]> {
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
  { url, keys }: Asked,
  old: number,
): Promise<CosignatureLine[] | number> {
  const { note, size } = what.newest
  const proof = await proveConsistency(old, size, readFromTiles(readTiles(db)))
  const body = addRequestText({ old, proof, note })
  const limits = { maxBytes: MAX_ANSWER, timeoutMs: what.timeoutMs, signal: what.signal }
  const answer = await ask(`${url}/add-checkpoint`, { body, ...limits })
  const text = Buffer.from(answer.body).toString()
  if (answer.status === 200) return linesOf(text, what, keys, Math.floor(now().getTime() / 1000))
  if (answer.status === 422)
    throw new Contradiction('It says that this does not continue what it has seen, or does not add up.')
  if (answer.status === 503) throw new NotYet('It has not looked at this yet.')
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
async function noteContradiction(
  deps: AskDeps,
  { log, newest, signal, timeoutMs }: What,
  { url, name }: Asked,
) {
  const shown = await ask(url + monitorPath(newest.origin), {
    maxBytes: MAX_SHOWN,
    timeoutMs,
    signal,
  }).catch(() => undefined)
  if (shown?.status !== 200) return false
  const seen = await contradictionIn(deps.db, Buffer.from(shown.body).toString(), log, newest)
  if (seen === undefined) return false
  await deps.db.update(anchorLogs).set({ seen }).where(eq(anchorLogs.origin, newest.origin))
  deps.log.error({ witness: name, seen }, 'a witness shows a checkpoint by our key that is not ours')
  return true
}

/** The checkpoint with our signature alone, when it is by our key and not one of ours. */
async function contradictionIn(
  db: Db,
  text: string,
  log: VerifierKey,
  newest: SignedCheckpoint,
): Promise<string | undefined> {
  try {
    const { checkpoint, note } = await openCheckpoint(text, [log], [])
    const { size, root } = checkpoint
    const ours =
      size === newest.size ? fromHex(newest.root) : size < newest.size ? await rootAt(db, size) : undefined
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
