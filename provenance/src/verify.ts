import { ledgerProblemWithSize, proofProblem } from './anchor-check.ts'
import { type ProofBundle, parseBundle } from './bundle.ts'
import { checkRecords, compareSegments } from './check-records.ts'
import { FormatError, parsedOr } from './format-error.ts'
import { genesisHead } from './head.ts'
import { rebuildHistory } from './history.ts'
import type { LedgerReader } from './ledger.ts'
import { readLedger, unreadCode } from './read-ledger.ts'
import { boxResult, malformedResult } from './result.ts'
import { completeStep, ledgerStep, proveStep, readStep, rebuildStep, refusedStep } from './steps.ts'
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
  const parsed = parsedOr(parseBundle, bundle)
  if (parsed instanceof FormatError) {
    onStep(refusedStep(parsed))
    return malformedResult(parsed)
  }
  onStep(readStep(parsed.records.length))
  return verifyParsed(parsed, reader, onStep)
}

async function verifyParsed(
  bundle: ProofBundle,
  reader: LedgerReader,
  onStep: (step: VerifyStep) => void,
): Promise<BoxResult> {
  const history = rebuildHistory(bundle)
  onStep(rebuildStep(history))
  const proofs = bundle.anchors.map((anchor, i) => ({ anchor, problem: proofProblem(bundle, i) }))
  onStep(proveStep(bundle.box, history, proofs))
  const ledger = await readLedger(reader, {
    ledger: bundle.ledger,
    anchors: bundle.anchors,
    sealed: bundle.anchors.at(-1)?.leaf.sealed ?? false,
    problemOf: ledgerProblemWithSize,
  })
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
