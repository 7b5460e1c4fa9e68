import { FormatError } from '@befaqt/provenance'
import { checkReceipt, type ReceiptResult, readToday } from '@befaqt/provenance/log/check-receipt'
import { MAX_NOTE } from '@befaqt/provenance/log/note'
import type { Receipt } from '@befaqt/provenance/log/receipt'
import { findReceipt } from '@befaqt/provenance/log/receipt'
import { uncheckedWords } from '@befaqt/provenance/log/receipt-words'
import type { GetPath } from '@befaqt/provenance/log/tiles'
import { forgetNote, keepNote, keptNote } from './kept-log.ts'

/* The shop's log as it shows it now, and what somebody kept of it held against it. Source: witness.md, Receipts. */

const LOG = '/befaqt/log'
/** For each file of it. */
const TIMEOUT_MS = 20_000

/** Logs of the shop, those of before too, are at the ends of their names. */
const LOGS = /\/befaqt\/log(?:\/\d{1,9})?$/

/** Reads what stands below the address of a log of this shop. @param origin the log's name */
export function logAt(origin: string): GetPath {
  const [log = LOG] = LOGS.exec(origin) ?? []
  return pathsOf(log)
}

const pathsOf =
  (log: string): GetPath =>
  async (path, maxBytes) => {
    const answer = await fetch(`${log}/${path}`, {
      cache: 'no-cache',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (answer.status === 404 || answer.status === 204) return undefined
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (!answer.ok || bytes.length > maxBytes) throw new Error(`${path} could not be read`)
    return bytes
  }

/** What came of it, or why nothing could be compared, in a sentence. */
export type Held = { result: ReceiptResult; note: string } | { problem: string }

/** Holds a receipt against the log of now, and keeps its newest state where all is in it. Never rejects. */
export async function holdAgainstLog(receipt: Receipt): Promise<Held> {
  try {
    const today = await readToday(logAt(receipt.checkpoint.origin), null)
    if (today === undefined) return { problem: uncheckedWords.noLog }
    const result = await checkReceipt(receipt, today)
    if (result.state === 'fits') await keepNote(today.note, result.today.size)
    return { result, note: today.note }
  } catch (error) {
    return { problem: error instanceof FormatError ? uncheckedWords.noState : uncheckedWords.offline }
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
  const held = await holdAgainstLog(receipt)
  // Nothing is added to a log that was ended: from here on the one that came after it is kept
  if ('result' in held && held.result.state === 'fits' && held.result.successor !== null)
    await forgetNote()
      .then(keepNow)
      .catch(() => undefined)
  return { ...held, seenAt: seen.at }
}

/** Keeps the state of now; nothing where nothing is signed. */
async function keepNow(): Promise<void> {
  const bytes = await pathsOf(LOG)('receipt.txt', 4 * MAX_NOTE)
  if (bytes === undefined) return
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
