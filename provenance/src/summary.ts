import { MAX_PATH_LENGTH } from './box-map.ts'
import { type LoggedCounts, loggedCounts, parseLoggedCounts } from './bundle-log.ts'
import { parsePathHash, timeOf } from './bundle-parts.ts'
import { jsonCopy, parseJsonText } from './canonical.ts'
import { utf8 } from './digest.ts'
import { FormatError } from './format-error.ts'
import { type BoxState, parseBoxState } from './leaf.ts'
import { type Checkpoint, digest, parseCheckpoint } from './log/checkpoint.ts'
import { parseNote } from './log/note.ts'
import { MAX_PROOF } from './log/tree.ts'
import { MAX_ID_LENGTH, parseRecordOfAnyKind, type RecordOfAnyKind } from './record.ts'
import { fields, hex64, list, literal, text } from './validate.ts'

/*
 * The summary of a box: so much of its proof as tells how fresh it was when the log of anchors had its newest checkpoint. It
 * is short enough for a card of a list, and says nothing of what came before: not of the cold chain, nor of a date.
 * Source: witness.md, Receipts.
 */

/** What the log says of the newest anchor that its checkpoint covers, and that this is in it. */
export interface SummaryLog extends LoggedCounts {
  /** A signed note. */
  readonly checkpoint: string
  readonly root: string
  /** Block time of that anchor, `2026-11-21T01:02:03Z`. */
  readonly time: string
  /** The way up to the log's root, in base64. */
  readonly inclusion: readonly string[]
}

export interface Summary {
  readonly v: 2
  readonly box: string
  /** The box in the newest anchor that the checkpoint covers, and its way up to the root. */
  readonly leaf: BoxState
  readonly path: readonly string[]
  /** Head of the box before the first of these records. */
  readonly headBefore: string
  /** The newest freshness record of that state, and all that follow in it. */
  readonly records: readonly RecordOfAnyKind[]
  readonly log: SummaryLog
}

/** Longest text of a summary, in bytes of UTF-8. */
export const MAX_SUMMARY_BYTES = 4_096
/** Most records after the freshness record. */
export const MAX_FOLLOWING = 20

/** A summary, the checkpoint in it, and the freshness that its first record states, 0 to 1. */
export interface ReadSummary {
  readonly summary: Summary
  readonly checkpoint: Checkpoint
  readonly freshnessIndex: number
}

/**
 * The summary in a text, as the shop's answer holds it. Says nothing about the truth of it.
 * @throws FormatError with the path of the first thing that is wrong
 */
export function parseSummary(json: string): ReadSummary {
  if (json.length > MAX_SUMMARY_BYTES || utf8(json).length > MAX_SUMMARY_BYTES)
    throw new FormatError('$', `is over ${MAX_SUMMARY_BYTES} bytes`)
  const copy = jsonCopy(parseJsonText(json))
  const from = fields(copy, '$', ['v', 'box', 'leaf', 'path', 'headBefore', 'records', 'log'])
  const { log, checkpoint } = parseSummaryLog(from.of.log)
  const summary: Summary = {
    v: literal(from, 'v', 2),
    box: text(from, 'box', [1, MAX_ID_LENGTH]),
    leaf: parseBoxState(from.of.leaf, '$.leaf'),
    path: list(from, 'path', [0, MAX_PATH_LENGTH], parsePathHash),
    headBefore: hex64(from, 'headBefore'),
    records: list(from, 'records', [1, 1 + MAX_FOLLOWING], parseRecordOfAnyKind),
    log,
  }
  return { summary, checkpoint, freshnessIndex: freshnessIn(summary.records) }
}

function parseSummaryLog(value: unknown): { log: SummaryLog; checkpoint: Checkpoint } {
  const path = '$.log'
  const from = fields(value, path, ['checkpoint', 'root', 'time', ...loggedCounts, 'inclusion'])
  const note = text(from, 'checkpoint', [1, MAX_SUMMARY_BYTES])
  const checkpoint = parseCheckpoint(parseNote(note).text)
  if (checkpoint.size === 0) throw new FormatError(`${path}.checkpoint`, 'must cover an anchor')
  const log = {
    checkpoint: note,
    root: hex64(from, 'root'),
    time: timeOf(from),
    ...parseLoggedCounts(from),
    inclusion: list(from, 'inclusion', [0, MAX_PROOF], parseLogHash),
  }
  return { log, checkpoint }
}

function parseLogHash(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new FormatError(path, 'must be 32 bytes in base64')
  digest(value, path)
  return value
}

/** What the first record says; no later one may say it anew or correct it. */
function freshnessIn([first, ...following]: readonly RecordOfAnyKind[]): number {
  const index = first?.kind === 'freshness' ? first.data.freshnessIndex : undefined
  if (typeof index !== 'number' || index < 0 || index > 1)
    throw new FormatError('$.records[0]', 'must say how fresh the box is, from 0 to 1')
  const other = following.findIndex(
    ({ kind, data }) => kind === 'freshness' || (kind === 'correction' && data.corrects === first?.seq),
  )
  if (other !== -1) throw new FormatError(`$.records[${other + 1}]`, 'must not say anew how fresh it is')
  return index
}
