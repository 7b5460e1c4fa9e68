import { canonicalize } from '../canonical.ts'
import { FormatError } from '../format-error.ts'
import { type BoxState, parseBoxState } from '../leaf.ts'
import type { LedgerIdentity } from '../ledger.ts'
import { MAX_ID_LENGTH } from '../record.ts'
import { type Fields, fields, hex64, integer, list, literal, matching, text } from '../validate.ts'

/** How far an auditor got, stored in a file between two audits. */
export interface AuditState extends LedgerIdentity {
  /** Index of the first anchor that was not followed yet. */
  readonly next: number
  /** Root of the map of these states; it was the contract's at the anchor before `next`. */
  readonly root: string
  readonly states: readonly BoxState[]
  /** All that was ever found: what was wrong once is not mended by the next anchor. */
  readonly findings: readonly Finding[]
}

const FORMAT = 'befaqt-audit/1'
const WHOLE = [0, Number.MAX_SAFE_INTEGER] as const
/** Boxes that a map can hold are far fewer. */
const MAX_STATES = 100_000_000
const MAX_FINDINGS = 1_000_000

/** The file of an audit. @throws FormatError with the path of what is wrong */
export function parseAuditState(value: unknown): AuditState {
  const from = fields(value, '$', ['format', 'chainId', 'contract', 'next', 'root', 'states', 'findings'])
  literal(from, 'format', FORMAT)
  return {
    chainId: integer(from, 'chainId', [1, Number.MAX_SAFE_INTEGER]),
    contract: matching(from, 'contract', /^0x[0-9a-f]{40}$/, '0x and 40 lower-case hex characters'),
    next: integer(from, 'next', WHOLE),
    root: hex64(from, 'root'),
    states: list(from, 'states', [0, MAX_STATES], parseBoxState),
    findings: list(from, 'findings', [0, MAX_FINDINGS], parseFinding),
  }
}

function parseFinding(value: unknown, path: string): Finding {
  const from = fields(value, path, ['index', 'code', 'words'], ['box'])
  const finding = {
    index: integer(from, 'index', WHOLE),
    code: codeOf(from),
    words: text(from, 'words', [1, 2_000]),
  }
  return Object.hasOwn(from.of, 'box') ? { ...finding, box: text(from, 'box', [1, MAX_ID_LENGTH]) } : finding
}

const CODES: Readonly<Record<Finding['code'], true>> = {
  count_fell: true,
  changed_without_growth: true,
  grown_after_seal: true,
  vanished: true,
  root_differs: true,
  numbers_differ: true,
  told_otherwise: true,
  not_told: true,
  rewritten: true,
  not_following: true,
  no_anchor: true,
  time_wrong: true,
}

function codeOf(from: Fields): Finding['code'] {
  const code = text(from, 'code', [1, 100])
  const known = (Object.keys(CODES) as Finding['code'][]).find((one) => one === code)
  if (known === undefined) throw new FormatError(`${from.path}.code`, 'is not known')
  return known
}

/** The file as it is written; `parseAuditState` reads it back. */
export const auditStateText = (state: AuditState): string => `${canonicalize({ format: FORMAT, ...state })}\n`

/** What an auditor found that an honest map never shows. Source: protocol §6, Auditor. */
export interface Finding {
  /** Index of the anchor at which it shows. */
  readonly index: number
  readonly code:
    | 'count_fell'
    | 'changed_without_growth'
    | 'grown_after_seal'
    | 'vanished'
    | 'root_differs'
    | 'numbers_differ'
    | 'told_otherwise'
    | 'not_told'
    | 'rewritten'
    | 'not_following'
    | 'no_anchor'
    | 'time_wrong'
  /** Absent where it is of no single box. */
  readonly box?: string
  readonly words: string
}
