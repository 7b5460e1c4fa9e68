import { verifyBox } from './box-map.ts'
import { type Digest, fromHex, sameDigest, toHex } from './digest.ts'
import { FormatError, parsedOr } from './format-error.ts'
import { anchorEntry } from './leaf.ts'
import { digest } from './log/checkpoint.ts'
import type { Policy } from './log/policy.ts'
import { leafHash, verifyInclusion } from './log/tree.ts'
import { genesisHead, headAfter, type RecordOfAnyKind, recordHash } from './record.ts'
import { parseSummary, type ReadSummary, type Summary } from './summary.ts'
import { blockTimeSeconds } from './validate.ts'
import type { LogResult, ReasonCode } from './verdict.ts'

export interface SummaryTerms {
  /** The box of the card or page; by default the one that the summary names. */
  readonly box?: string
  /** Whose signatures below the log count: the policy of whoever checks, never the shop's. */
  readonly policy?: Policy | undefined
  /** Seconds since 1970, to tell how old a signature is; by default this machine's clock. */
  readonly nowS?: number
  /** A state of the box that was verified before: so many records, and their head in hex. */
  readonly seen?: { readonly count: number; readonly head: string } | undefined
}

/** How fresh the records say a box was, in the state that the log's checkpoint covers. */
export interface ProvenFreshness {
  /** Place of the record. */
  readonly seq: number
  readonly at: string
  /** 0 (as caught) to 1. */
  readonly index: number
  /** A later record recalls the box, and none withdraws that. */
  readonly isRecalled: boolean
}

/**
 * What was found of a summary. `proven` says: these records are in the log, and nothing of the box that the log knew then
 * came after them. Whether anybody but the shop vouches for that log is in `log`, by the rules of bundles.
 */
export interface SummaryResult {
  readonly verdict: 'proven' | 'broken'
  /** Why it is broken; null when it is not. */
  readonly code: ReasonCode | null
  /** For operators: the place in the summary. */
  readonly detail: string
  readonly freshness: ProvenFreshness | null
  readonly log: LogResult
}

/**
 * Checks the summary of a box, the text as it came. All input counts as hostile: whatever it is, the answer is a verdict,
 * never an exception. It knows nothing of anchors after the checkpoint: `log.time` says up to when it speaks.
 * Source: witness.md, Receipts.
 */
export async function verifySummary(json: string, terms: SummaryTerms = {}): Promise<SummaryResult> {
  const read = parsedOr(() => parseSummary(json), undefined)
  if (read instanceof FormatError) return broken('malformed', NO_LOG, read.message)
  const { summary, checkpoint } = read
  const seen = { ...NO_LOG, origin: checkpoint.origin }
  const code = (terms.box ?? summary.box) === summary.box ? problemIn(read, terms) : 'other_box'
  if (code !== undefined) return broken(code, seen)
  const log = await judged(read, terms)
  if (log instanceof FormatError)
    return broken('log_refused', seen, `$.log.checkpoint${log.message.slice(1)}`)
  return { verdict: 'proven', code: null, detail: '', freshness: freshnessOf(read), log }
}

const NO_LOG: LogResult = { state: 'broken', origin: null, k: 0, n: 0, by: [], upTo: 0, time: null }

const broken = (code: ReasonCode, log: LogResult, detail = ''): SummaryResult => ({
  verdict: 'broken',
  code,
  detail,
  freshness: null,
  log,
})

/** The first thing that does not hold, from the records up to the log's root. */
function problemIn({ summary, checkpoint }: ReadSummary, { seen }: SummaryTerms): ReasonCode | undefined {
  const { box, leaf, path, log } = summary
  const wrong = placeProblem(summary) ?? headProblem(summary, seen)
  if (wrong !== undefined) return wrong
  if (leaf.box !== box) return 'anchor_of_other_box'
  if (!verifyBox(box, { leaf, other: null, path }, log.root)) return 'proof_mismatch'
  const index = checkpoint.size - 1
  const entry = anchorEntry({ ...log, index, time: blockTimeSeconds(log.time) ?? 0 })
  const way = log.inclusion.map((hash) => digest(hash, '$'))
  const isIn = verifyInclusion(leafHash(entry), index, checkpoint.size, way, checkpoint.root)
  return isIn ? undefined : 'log_mismatch'
}

/** They follow each other up to the last that the leaf counts, are of this box, and end with its seal where it has one. */
function placeProblem({ box, leaf, records }: Summary): ReasonCode | undefined {
  const last = records.length - 1
  if (records.some((record) => record.box !== box)) return 'record_of_other_box'
  if (records.some(({ seq }, i) => seq !== leaf.count - last + i)) return 'record_missing'
  const isSeal = ({ kind }: RecordOfAnyKind, i: number): boolean =>
    (kind === 'seal') === (leaf.sealed && i === last)
  return records.every(isSeal) ? undefined : 'seal_mismatch'
}

/** The head before leads to the leaf's, record by record, through what was seen before where it is one of these. */
function headProblem(
  { box, leaf, headBefore, records }: Summary,
  seen: SummaryTerms['seen'],
): ReasonCode | undefined {
  const before = leaf.count - records.length
  if (before === 0 && headBefore !== toHex(genesisHead(box))) return 'head_mismatch'
  let head: Digest = fromHex(headBefore)
  const isFork = (count: number): boolean => seen?.count === count && seen.head !== toHex(head)
  let forked = isFork(before)
  for (const record of records) {
    head = headAfter(head, recordHash(record))
    forked ||= isFork(record.seq)
  }
  if (!sameDigest(head, fromHex(leaf.head))) return 'head_mismatch'
  return forked ? 'forked' : undefined
}

function freshnessOf({ summary: { records }, freshnessIndex: index }: ReadSummary): ProvenFreshness {
  const [first] = records
  const recall = records.findLast(({ kind }) => kind === 'recall')
  const isRecalled = recall !== undefined && recall.data.withdrawn !== true
  return { seq: first?.seq ?? 0, at: first?.at ?? '', index, isRecalled }
}

/** Who signed the checkpoint, by code that is fetched where somebody has a policy. */
async function judged(
  { summary, checkpoint }: ReadSummary,
  { policy, nowS = Math.floor(Date.now() / 1000) }: SummaryTerms,
): Promise<LogResult | FormatError> {
  const { leaf, log } = summary
  const found = { ...NO_LOG, origin: checkpoint.origin, upTo: leaf.count, time: log.time }
  if (policy === undefined) return { ...found, state: 'no_policy' }
  const { openedUnder, stateOf } = await import('./check-log.ts')
  const opened = await openedUnder(policy, log, checkpoint)
  if (opened instanceof FormatError) return opened
  if (opened === undefined) return { ...found, state: 'other_log' }
  const anchor = { index: checkpoint.size - 1, leaf, time: log.time }
  return { ...found, ...stateOf(opened, policy, nowS, { anchors: [anchor] }) }
}
