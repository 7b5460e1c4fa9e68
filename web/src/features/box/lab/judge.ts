import type { Scene } from '@befaqt/provenance/attack/scene'
import { answering } from '@befaqt/provenance/attack/scene'
import { saysSigned } from '@befaqt/provenance/bundle-parts'
import { canonicalize } from '@befaqt/provenance/canonical'
import { compareBundles } from '@befaqt/provenance/check-records'
import type { BoxResult, Reason } from '@befaqt/provenance/verdict'
import { verifyBundle } from '@befaqt/provenance/verify'
import type { Found, VerdictLine } from '../check/check-state.ts'
import { differenceText } from '../check/failure-reasons.ts'
import type { ProvablePage } from '../check/page-match.ts'
import type { FileFound } from '../check/record-files.ts'
import {
  type CheckMark,
  type Finding,
  type Judge,
  type LabCheck,
  labChecks,
  type Sight,
} from './lab-types.ts'

/* Which check found what, and who else would have noticed. */

const checkOf: Readonly<Record<Reason['code'], LabCheck>> = {
  malformed: 'read',
  other_format: 'read',
  other_box: 'read',
  record_missing: 'rebuild',
  record_out_of_place: 'rebuild',
  record_of_other_box: 'rebuild',
  record_after_seal: 'rebuild',
  seal_mismatch: 'prove',
  head_mismatch: 'prove',
  head_conflict: 'prove',
  anchor_out_of_order: 'prove',
  anchor_of_other_box: 'prove',
  anchor_failed: 'prove',
  proof_mismatch: 'prove',
  absence_mismatch: 'prove',
  other_chain: 'ledger',
  other_contract: 'ledger',
  anchor_unknown: 'ledger',
  root_mismatch: 'ledger',
  time_mismatch: 'ledger',
  transaction_mismatch: 'ledger',
  block_mismatch: 'ledger',
  ledger_unreachable: 'ledger',
  before_out_of_place: 'continuity',
  before_mismatch: 'continuity',
  before_root_mismatch: 'continuity',
  not_continued: 'continuity',
  newest_records_missing: 'complete',
  newer_anchor: 'complete',
  forked: 'complete',
  dated_ahead: 'complete',
  log_refused: 'log',
  log_mismatch: 'log',
  log_conflict: 'log',
  signature_mismatch: 'signatures',
  counter_repeated: 'signatures',
  key_not_valid: 'signatures',
  chain_forked: 'signatures',
  amount_refused: 'weights',
  sold_before_catch: 'weights',
  overdrawn: 'weights',
  returned_unsold: 'weights',
  boxed_above_catch: 'weights',
}

/** More of one check say nothing more. */
const MAX_FINDINGS = 4

const byPlace = (a: Finding, b: Finding): number => labChecks.indexOf(a.check) - labChecks.indexOf(b.check)

/** Why the copy is refused, in the order of the checks, a few of each. */
export function findingsOf(
  { result, page }: Pick<Found, 'result' | 'page'>,
  { records }: ProvablePage,
  files: readonly FileFound[],
): Finding[] {
  const ofResult = result.reasons.flatMap(({ code, words, seq }): Finding[] =>
    code === 'dated_ahead' ? [] : [{ check: checkOf[code], text: words, ...(seq !== undefined && { seq }) }],
  )
  const all = [...ofResult, ...pageFindings(page, records), ...fileFindings(page, files)].sort(byPlace)
  return labChecks.flatMap((check) => all.filter((one) => one.check === check).slice(0, MAX_FINDINGS))
}

function pageFindings(page: Found['page'], records: ProvablePage['records']): Finding[] {
  if (page?.kind === 'older')
    return [{ check: 'page', text: `The page leaves out the ${page.missing} newest records.` }]
  if (page?.kind !== 'differs') return []
  return page.differences.map((difference) => ({ check: 'page', ...differenceText(difference, records) }))
}

const fileFindings = (page: Found['page'], files: readonly FileFound[]): Finding[] =>
  page === null
    ? []
    : files
        .filter(({ state }) => state === 'differs')
        .map(({ href }) => ({
          check: 'files',
          text: `The bytes of ${href.split('/').at(-1)} have another SHA-256 than its name.`,
        }))

/** Every check, with what came of it. */
export function marksOf(
  { bundle }: Scene,
  { result, page }: Pick<Found, 'result' | 'page'>,
  findings: readonly Finding[],
  files: readonly FileFound[],
): CheckMark[] {
  const failed = new Set(findings.map(({ check }) => check))
  const isRead = !failed.has('read')
  const isThere: Readonly<Record<LabCheck, boolean>> = {
    read: true,
    rebuild: isRead,
    prove: isRead,
    ledger: isRead,
    continuity: isRead,
    complete: isRead,
    log: isRead && bundle.log !== undefined,
    signatures: isRead && bundle.records.some(saysSigned),
    weights: result.balance !== undefined,
    page: page !== null,
    files: page !== null && files.some(({ state }) => state !== 'unread'),
  }
  return labChecks.map((check) => ({
    check,
    state: failed.has(check) ? 'failed' : isThere[check] ? 'done' : 'left',
  }))
}

const refused = ({ verdict }: BoxResult): boolean => verdict === 'broken' || verdict === 'incomplete'

/** Who would notice, each by what it compares. @param line what the page says to somebody who never saw the box */
export async function sightsOf(
  honest: Scene,
  scene: Scene,
  line: VerdictLine,
  boxID: string,
): Promise<Record<Judge, Sight>> {
  const isSeen = line.tone === 'bad' || line.tone === 'warn'
  const isSame = canonicalize(scene.bundle) === canonicalize(honest.bundle)
  const elsewhere = isSame
    ? null
    : await verifyBundle(scene.bundle, answering((scene.isRecordedSo ? scene : honest).answers), {
        box: boxID,
      })
  const asRecorded = scene.isRecordedSo ? 'blind' : 'untouched'
  const isOtherLog = scene.log?.size !== honest.log?.size || scene.log?.root !== honest.log?.root
  const ofLog = honest.log === null ? 'none' : isOtherLog ? 'sees' : asRecorded
  return {
    page: isSeen ? 'sees' : 'blind',
    // What was recorded falsely was never seen otherwise by anybody
    returning: isSeen || (!scene.isRecordedSo && isFork(honest, scene)) ? 'sees' : 'blind',
    checker: elsewhere === null ? 'untouched' : refused(elsewhere) ? 'sees' : 'blind',
    receipt: ofLog,
    witness: ofLog,
  }
}

const isFork = (honest: Scene, { bundle }: Scene): boolean =>
  bundle.box === honest.bundle.box && compareBundles(honest.bundle, bundle).length > 0
