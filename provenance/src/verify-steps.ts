import { type CheckedAnchor, compareSegments, type History, missingSeqs } from './check-records.ts'
import type { FormatError } from './format-error.ts'
import type { LedgerFinding } from './read-ledger.ts'
import { genesisHead } from './record.ts'
import type { BoxResult, ReasonCode, VerifyStep } from './verdict.ts'

// What is reported as each stage of a check ends.

const some = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Nothing to check: this is no proof. */
export const refusedStep = ({ message }: FormatError): VerifyStep => ({
  name: 'read',
  ok: false,
  count: 0,
  words: message,
})

/** The proof was read, with so many records. */
export const readStep = (records: number): VerifyStep => ({
  name: 'read',
  ok: true,
  count: records,
  words: `${some(records, 'record')} read.`,
})

/** Every record hash was rebuilt; `ok` when none is out of its place. */
export function rebuildStep(history: History): VerifyStep {
  const count = history.entries.length
  const ok =
    missingSeqs(history).length === 0 && history.entries.every(({ problem }) => problem === undefined)
  const words = ok
    ? `${some(count, 'fingerprint')} calculated from the records, in one unbroken chain.`
    : 'The records do not form an unbroken chain.'
  return { name: 'rebuild', ok, count, words }
}

/** Records, heads and roots were compared, without the ledger. */
export function proveStep(box: string, history: History, proofs: readonly CheckedAnchor[]): VerifyStep {
  const segments = compareSegments(history, genesisHead(box), proofs)
  const ok = proofs.every(({ problem }) => !problem) && segments.every(({ outcome }) => outcome === 'same')
  const words = ok
    ? `All records match ${some(proofs.length, 'anchored fingerprint')}.`
    : 'The records do not match the fingerprints and roots that the proof names.'
  return { name: 'prove', ok, count: proofs.length, words }
}

/** `count` anchors were compared with the ledger. */
export function ledgerStep(ledger: LedgerFinding, count: number): VerifyStep {
  const ok = ledger.kind === 'read' && ledger.problems.every((problem) => problem === undefined)
  if (ledger.kind === 'unreachable')
    return { name: 'ledger', ok, count: 0, words: 'The ledger could not be read.' }
  const words = ok
    ? `The ledger shows the same ${some(count, 'root')}, with time and transaction.`
    : 'The ledger does not hold what the proof says.'
  return { name: 'ledger', ok, count, words }
}

/** Each anchor was compared with the state before it. */
export function continuityStep(problems: readonly (ReasonCode | undefined)[]): VerifyStep {
  const ok = problems.every((problem) => problem === undefined)
  const words = ok
    ? 'Each anchored state continues the one before it.'
    : 'An anchored state does not continue the one before it.'
  return { name: 'continuity', ok, count: problems.length, words }
}

/** The last step, with the verdict; `count` is how many anchors the ledger holds. */
export function completeStep({ verdict, words }: BoxResult, count: number): VerifyStep {
  return { name: 'complete', ok: verdict === 'verified' || verdict === 'verified-up-to', count, words }
}
