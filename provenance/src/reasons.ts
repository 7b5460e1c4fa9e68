import type { CheckedAnchor, RecordCheck, Segment } from './check-records.ts'
import { type History, missingSeqs } from './check-records.ts'
import { reasonMessages, recordsText } from './messages.ts'
import type { LedgerFinding } from './read-ledger.ts'
import type { BoxVerdict, Reason, ReasonCode } from './verdict.ts'

/** Everything that a check has found out; the reasons and the verdict follow from it alone. */
export interface Findings {
  readonly history: History
  readonly checked: readonly CheckedAnchor[]
  readonly segments: readonly Segment[]
  readonly judgements: readonly RecordCheck[]
  readonly ledger: LedgerFinding
  /** For each anchor of the bundle, why it does not continue the one before it; undefined where it does. */
  readonly discontinuities: readonly (ReasonCode | undefined)[]
}

/** All that keeps a box from being verified; empty when nothing does. */
export const findReasons = (found: Findings): Reason[] => [
  ...ledgerReasons(found.ledger),
  ...anchorReasons(found.checked),
  ...recordReasons(found),
  ...stretchReasons(found.segments),
  ...completenessReasons(found),
  ...continuityReasons(found),
]

/** The verdict that these reasons lead to; undefined when none of them prevents verification. Source: protocol §6.6. */
export function verdictOf(reasons: readonly Reason[]): BoxVerdict | undefined {
  const kinds = new Set(reasons.map(({ code }) => verdictFor(code)))
  return (['broken', 'unreachable', 'incomplete'] as const).find((verdict) => kinds.has(verdict))
}

function verdictFor(code: Reason['code']): BoxVerdict {
  if (code === 'ledger_unreachable' || code === 'other_format') return 'unreachable'
  return code === 'newer_anchor' || code === 'newest_records_missing' ? 'incomplete' : 'broken'
}

/** What keeps a ledger from being compared at all. */
export function ledgerReasons(ledger: LedgerFinding): Reason[] {
  if (ledger.kind === 'read') return []
  if (ledger.kind !== 'unreachable') return [{ code: ledger.kind, words: reasonMessages[ledger.kind]('') }]
  const code = 'ledger_unreachable'
  return [{ code, words: reasonMessages[code](''), detail: ledger.detail }]
}

const anchorReasons = (checked: readonly CheckedAnchor[]): Reason[] =>
  checked.flatMap(({ anchor, problem }) =>
    problem === undefined
      ? []
      : [{ code: problem, words: reasonMessages[problem](`anchor ${anchor.index}`), anchor: anchor.index }],
  )

/** Reasons of records that are reported once, for their anchor or their segment. */
const toldElsewhere: ReadonlySet<ReasonCode> = new Set([
  'head_mismatch',
  'anchor_failed',
  'not_continued',
  'before_mismatch',
  'before_root_mismatch',
  'before_out_of_place',
])

function recordReasons({ history, judgements }: Findings): Reason[] {
  const missing = missingSeqs(history).map((seq) => recordReason('record_missing', seq))
  const misplaced = history.entries.flatMap(({ seq }, i) => {
    const { verdict, code } = judgements[i] ?? {}
    const byItself = verdict === 'broken' && isReason(code) && !toldElsewhere.has(code)
    return byItself ? [recordReason(code, seq)] : []
  })
  return [...missing, ...misplaced]
}

const isReason = (code: RecordCheck['code'] | undefined): code is ReasonCode =>
  code !== undefined && code !== 'anchored' && code !== 'pending' && code !== 'withheld'

const recordReason = (code: ReasonCode, seq: number): Reason => ({
  code,
  words: reasonMessages[code](`record ${seq}`),
  seq,
})

const stretchReasons = (segments: readonly Segment[]): Reason[] =>
  segments.flatMap(({ from, to, outcome, anchor }): Reason[] => {
    if (outcome !== 'head_mismatch') return []
    if (from === to)
      return [{ code: 'head_conflict', words: reasonMessages.head_conflict(''), anchor: anchor.index }]
    const words = reasonMessages[outcome](recordsText(from + 1, to))
    return [{ code: outcome, words, seq: from + 1, ...(to > from + 1 && { lastSeq: to }) }]
  })

/** Does the ledger know more than was shown? Source: protocol §6.4. */
function completenessReasons({ history, checked, ledger }: Findings): Reason[] {
  const newest = checked.at(-1)
  if (ledger.kind !== 'read' || newest === undefined) return []
  const codes: ReasonCode[] = []
  const lacking = checked.some(
    ({ anchor, problem }) => problem === undefined && anchor.leaf.count > history.last,
  )
  if (lacking) codes.push('newest_records_missing')
  if (!newest.anchor.leaf.sealed && newest.anchor.index + 1 < ledger.count) codes.push('newer_anchor')
  return codes.map((code) => ({ code, words: reasonMessages[code]('') }))
}

function continuityReasons({ checked, discontinuities }: Findings): Reason[] {
  return checked.flatMap(({ anchor: { index } }, i) => {
    const code = discontinuities[i]
    return code === undefined ? [] : [{ code, words: reasonMessages[code](`anchor ${index}`), anchor: index }]
  })
}
