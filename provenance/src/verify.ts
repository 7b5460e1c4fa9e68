import { proofProblem } from './anchor-check.ts'
import { type ProofBundle, parseBundle } from './bundle.ts'
import { type CheckedAnchor, checkRecords, compareSegments } from './check-records.ts'
import { FormatError } from './format-error.ts'
import { genesisHead } from './head.ts'
import { type History, missingSeqs, rebuildHistory } from './history.ts'
import type { LedgerReader } from './ledger.ts'
import { type LedgerFinding, readLedger } from './read-ledger.ts'
import { boxResult, malformedResult } from './result.ts'
import type { BoxResult, VerifyStep } from './verdict.ts'

/**
 * Checks a box's proof bundle against the ledger that `reader` reads. Every input counts as hostile: whatever
 * `bundle` is, the answer is a verdict, never an exception; and nothing is `verified` that the ledger did not confirm.
 * `onStep` is told as each stage ends. Source: protocol §6.
 */
export async function verifyBundle(
  bundle: unknown,
  reader: LedgerReader,
  onStep: (step: VerifyStep) => void = () => {},
): Promise<BoxResult> {
  const parsed = readBundle(bundle)
  if (parsed instanceof FormatError) {
    onStep({ name: 'read', ok: false, count: 0, words: parsed.message })
    return malformedResult(parsed)
  }
  const size = parsed.records.length
  onStep({ name: 'read', ok: true, count: size, words: `${some(size, 'record')} read.` })
  return verifyParsed(parsed, reader, onStep)
}

/** The bundle, or what is wrong with it. Getters and proxies of a hostile object may throw anything. */
function readBundle(bundle: unknown): ProofBundle | FormatError {
  try {
    return parseBundle(bundle)
  } catch (cause) {
    return cause instanceof FormatError ? cause : new FormatError('$', 'could not be read')
  }
}

async function verifyParsed(
  bundle: ProofBundle,
  reader: LedgerReader,
  onStep: (step: VerifyStep) => void,
): Promise<BoxResult> {
  const history = rebuildHistory(bundle)
  onStep(rebuildStep(history))
  const proofs = bundle.anchors.map((anchor, i) => ({ anchor, problem: proofProblem(bundle, i) }))
  onStep(proveStep(bundle, history, proofs))
  const ledger = await readLedger(reader, bundle)
  onStep(ledgerStep(ledger, bundle.anchors.length))
  const checked = proofs.map((proof, i) =>
    ledger.kind === 'read' ? { ...proof, problem: proof.problem ?? ledger.problems[i] } : proof,
  )
  const stretches = compareSegments(history, genesisHead(bundle.box), checked)
  const judgements = checkRecords(history, stretches, checked, unreadCode(ledger))
  const result = boxResult(bundle, { history, checked, stretches, judgements, ledger })
  if (ledger.kind === 'read') onStep(completeStep(result, ledger.count))
  return result
}

const unreadCode = (ledger: LedgerFinding) =>
  ledger.kind === 'read' ? undefined : ledger.kind === 'unreachable' ? 'ledger_unreachable' : ledger.kind

const some = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function rebuildStep(history: History): VerifyStep {
  const count = history.entries.length
  const ok =
    missingSeqs(history).length === 0 && history.entries.every(({ problem }) => problem === undefined)
  const words = ok
    ? `${some(count, 'fingerprint')} recomputed from the records, in an unbroken row.`
    : 'The records do not form an unbroken row.'
  return { name: 'rebuild', ok, count, words }
}

function proveStep(bundle: ProofBundle, history: History, proofs: readonly CheckedAnchor[]): VerifyStep {
  const stretches = compareSegments(history, genesisHead(bundle.box), proofs)
  const ok = proofs.every(({ problem }) => !problem) && stretches.every(({ outcome }) => outcome === 'same')
  const words = ok
    ? `The records lead to ${some(proofs.length, 'anchored fingerprint')}, and each of them to its root.`
    : 'The records do not lead to the fingerprints and roots that the proof names.'
  return { name: 'prove', ok, count: proofs.length, words }
}

function ledgerStep(ledger: LedgerFinding, count: number): VerifyStep {
  const ok = ledger.kind === 'read' && ledger.problems.every((problem) => problem === undefined)
  if (ledger.kind === 'unreachable')
    return { name: 'ledger', ok, count: 0, words: 'The ledger could not be read.' }
  const words = ok
    ? `The ledger holds ${some(count, 'root')} as shown, with time and transaction.`
    : 'The ledger does not hold what the proof says.'
  return { name: 'ledger', ok, count, words }
}

function completeStep({ verdict, words }: BoxResult, count: number): VerifyStep {
  return { name: 'complete', ok: verdict === 'verified' || verdict === 'verified-up-to', count, words }
}
