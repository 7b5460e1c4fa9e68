import { FormatError } from '@befaqt/provenance'
import { checkReceipt, type ReceiptResult } from '@befaqt/provenance/log/check-receipt'
import { MAX_NOTE, parseVerifierKey, type VerifierKey } from '@befaqt/provenance/log/note'
import type { Receipt } from '@befaqt/provenance/log/receipt'
import { findReceipt } from '@befaqt/provenance/log/receipt'
import type { GetPath } from '@befaqt/provenance/log/tiles'
import { keepNote, keptNote } from './kept-log.ts'

/* The shop's log as it shows it now, and what somebody kept of it held against it. Source: witness.md, Receipts. */

const LOG = '/befaqt/log'
/** For each file of it. */
const TIMEOUT_MS = 20_000
const MAX_KEY = 4_096

const getPath: GetPath = async (path, maxBytes) => {
  const answer = await fetch(`${LOG}/${path}`, { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (answer.status === 404) return undefined
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (!answer.ok || bytes.length > maxBytes) throw new Error(`${path} could not be read`)
  return bytes
}

/** What came of it, or why nothing could be compared, in a sentence. */
export type Held = { result: ReceiptResult; note: string } | { problem: string }

const OFFLINE = 'The shop could not be reached. Check your connection and try again.'
const NO_LOG =
  'The shop shows no log now. It had one when it gave a receipt: keep yours, and try again in an hour.'
const NONE =
  'What the shop shows as the state of its log is none. Keep your receipt, and try again in an hour.'

/** Holds a receipt against the log of now, and keeps its newest state where all is in it. Never rejects. */
export async function holdAgainstLog(receipt: Receipt): Promise<Held> {
  try {
    const [found, key] = await Promise.all([getPath('checkpoint', 3 * MAX_NOTE), logKey()])
    if (found === undefined) return { problem: NO_LOG }
    const note = new TextDecoder('utf-8', { fatal: true }).decode(found)
    const result = await checkReceipt(receipt, { note, get: getPath, key })
    if (result.state === 'fits') await keepNote(note, result.today.size)
    return { result, note }
  } catch (error) {
    const isText =
      error instanceof FormatError || (error instanceof TypeError && /decod/i.test(error.message))
    return { problem: isText ? NONE : OFFLINE }
  }
}

/** The key that the shop names for its log; null: none, or it can't be read as one. */
async function logKey(): Promise<VerifierKey | null> {
  const bytes = await getPath('key', MAX_KEY)
  if (bytes === undefined) return null
  try {
    return parseVerifierKey(new TextDecoder().decode(bytes).trim())
  } catch {
    return null
  }
}

/**
 * The state of the log that this browser saw last, held against the one of now; null: it saw none, or can't remember, and
 * keeps the one of now.
 */
export async function holdSeenAgainstLog(): Promise<(Held & { seenAt: string }) | null> {
  const seen = await keptNote()
  const receipt = seen === null ? null : receiptIn(seen.note)
  if (seen === null || receipt === null) {
    await keepNow().catch(() => undefined)
    return null
  }
  return { ...(await holdAgainstLog(receipt)), seenAt: seen.at }
}

/** Keeps the state of now; nothing where nothing is signed. */
async function keepNow(): Promise<void> {
  const bytes = await getPath('receipt.txt', 4 * MAX_NOTE)
  if (bytes === undefined || bytes.length === 0) return
  const { note, checkpoint } = findReceipt(new TextDecoder().decode(bytes))
  if (note !== null) await keepNote(note, checkpoint.size)
}

function receiptIn(note: string): Receipt | null {
  try {
    return findReceipt(note)
  } catch {
    return null
  }
}
