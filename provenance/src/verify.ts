import { continuityProblem, indexesBefore, proofProblem } from './anchor-check.ts'
import { type ProofBundle, parseBundle } from './bundle.ts'
import { checkRecords, compareSegments, type RecordCheck } from './check-records.ts'
import { FormatError, parsedOr } from './format-error.ts'
import { genesisHead } from './head.ts'
import { rebuildHistory } from './history.ts'
import { MARKET_TIME_ZONE } from './lateness.ts'
import type { LedgerReader } from './ledger.ts'
import { readLedger, unreadCode } from './read-ledger.ts'
import type { Findings } from './reasons.ts'
import { boxResult, refusedResult, resultFor } from './result.ts'
import {
  completeStep,
  continuityStep,
  ledgerStep,
  proveStep,
  readStep,
  rebuildStep,
  refusedStep,
} from './steps.ts'
import type { BoxResult, ReasonCode, VerifyStep } from './verdict.ts'

export interface VerifyOptions {
  /** Zone of record times without an offset; the market's by default. */
  readonly timeZone?: string
  /** The box of the address, the label or the question; by default the one that the bundle names. */
  readonly box?: string
  /** Told as each stage ends. */
  readonly onStep?: (step: VerifyStep) => void
}

/**
 * Checks a box's proof bundle against the ledger that `reader` reads. Every input counts as hostile: whatever
 * `bundle` is, the answer is a verdict, never an exception; and nothing is `verified` that the ledger did not confirm.
 * Source: protocol §6.
 */
export async function verifyBundle(
  bundle: unknown,
  reader: LedgerReader,
  { timeZone = MARKET_TIME_ZONE, box, onStep = () => {} }: VerifyOptions = {},
): Promise<BoxResult> {
  const parsed = parsedOr(parseBundle, bundle)
  if (parsed instanceof FormatError) {
    onStep(refusedStep(parsed))
    return resultFor(box, refusedResult(bundle, parsed))
  }
  onStep(readStep(parsed.records.length))
  const found = await findOut(parsed, reader, onStep)
  const checked = await withSignatures(parsed, boxResult(parsed, found, timeZone), reader, timeZone)
  const result = resultFor(box, checked)
  if (found.ledger.kind === 'read') onStep(completeStep(result, found.ledger.count))
  return result
}

/** Checks what was signed, with code that is loaded when something was. */
async function withSignatures(
  bundle: ProofBundle,
  result: BoxResult,
  reader: LedgerReader,
  timeZone: string,
): Promise<BoxResult> {
  if (!bundle.records.some((record) => 'data' in record && Object.hasOwn(record.data, 'signed')))
    return result
  const { checkSignatures } = await import('./signed/check-signatures.ts')
  const { withFindings } = await import('./signed/signature-results.ts')
  const registers: BoxResult[] = []
  for (const device of bundle.devices ?? [])
    registers.push(boxResult(device, await findOut(device, reader, () => {}), timeZone))
  return withFindings(result, await checkSignatures(bundle, result, registers, timeZone))
}

async function findOut(
  bundle: ProofBundle,
  reader: LedgerReader,
  onStep: (step: VerifyStep) => void,
): Promise<Findings> {
  const history = rebuildHistory(bundle)
  onStep(rebuildStep(history))
  const proofs = bundle.anchors.map((anchor, i) => ({ anchor, problem: proofProblem(bundle, i) }))
  onStep(proveStep(bundle.box, history, proofs))
  const ledger = await readLedger(reader, {
    ledger: bundle.ledger,
    anchors: bundle.anchors,
    sealed: bundle.anchors.at(-1)?.leaf.sealed ?? false,
    alsoRead: indexesBefore(bundle),
  })
  onStep(ledgerStep(ledger, bundle.anchors.length))
  const read = ledger.kind === 'read' ? ledger : undefined
  const discontinuities = bundle.anchors.map((_, i) => continuityProblem(bundle, i, read?.kept))
  onStep(continuityStep(discontinuities))
  const checked = proofs.map((proof, i) => ({ ...proof, problem: proof.problem ?? read?.problems[i] }))
  const segments = compareSegments(history, genesisHead(bundle.box), checked)
  const judgements = withContinuity(
    checkRecords(history, segments, checked, unreadCode(ledger)),
    bundle,
    discontinuities,
  )
  return { history, checked, segments, judgements, ledger, discontinuities }
}

/** A record is not called anchored by an anchor that does not continue the one before it. */
function withContinuity(
  judgements: readonly RecordCheck[],
  { anchors }: ProofBundle,
  discontinuities: readonly (ReasonCode | undefined)[],
): RecordCheck[] {
  const codes = new Map(anchors.map(({ index }, i) => [index, discontinuities[i]]))
  return judgements.map((judgement) => {
    const code = judgement.anchor === null ? undefined : codes.get(judgement.anchor.index)
    return code === undefined ? judgement : { verdict: 'broken', code, anchor: null }
  })
}
