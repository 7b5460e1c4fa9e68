import { verifyBox } from './box-map.ts'
import { type AbsenceBundle, type ProofBundle, parseAbsence, parseBundle } from './bundle.ts'
import { saysSigned } from './bundle-parts.ts'
import type { LogTerms } from './check-log.ts'
import {
  checkRecords,
  compareSegments,
  hashRecords,
  type RecordCheck,
  rebuildHistory,
} from './check-records.ts'
import { FormatError, parsedOr } from './format-error.ts'
import { MARKET_TIME_ZONE } from './lateness.ts'
import type { LedgerReader } from './ledger.ts'
import type { Policy } from './log/policy.ts'
import { boxMessage, reasonMessages } from './messages.ts'
import {
  continuityProblem,
  indexesBefore,
  type LedgerFinding,
  proofProblem,
  readLedger,
  unreadCode,
} from './read-ledger.ts'
import { type Findings, ledgerReasons, verdictOf } from './reasons.ts'
import { genesisHead } from './record.ts'
import { boxResult, refusedResult, resultFor, resultWithoutRecords } from './result.ts'
import type { Readings } from './signed/check-signatures.ts'
import type { BoxResult, LogResult, Reason, ReasonCode, VerifyStep } from './verdict.ts'
import {
  completeStep,
  continuityStep,
  ledgerStep,
  proveStep,
  readStep,
  rebuildStep,
  refusedStep,
} from './verify-steps.ts'

export interface VerifyOptions {
  /** Zone of record times without an offset; the market's by default. */
  readonly timeZone?: string
  /** The box of the address, the label or the question; by default the one that the bundle names. */
  readonly box?: string
  /** Whose signatures below the log of anchors count: the policy of whoever checks, never the shop's. */
  readonly policy?: Policy | undefined
  /** Seconds since 1970, to tell how old a signature is; by default this machine's clock. */
  readonly nowS?: number
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
  { timeZone = MARKET_TIME_ZONE, box, policy, nowS = now(), onStep = () => {} }: VerifyOptions = {},
): Promise<BoxResult> {
  const parsed = parsedOr(parseBundle, bundle)
  if (parsed instanceof FormatError) {
    onStep(refusedStep(parsed))
    return resultFor(box, refusedResult(bundle, parsed))
  }
  onStep(readStep(parsed.records.length))
  // Nodes answer, and what was signed is read, while this thread rebuilds the history.
  const asked = askLedger(parsed, reader)
  const signing = openSigned(parsed)
  const registers = verifyRegisters(parsed, reader, timeZone)
  const history = rebuildHistory(parsed, await hashRecords(parsed))
  const found = await findOut(parsed, asked, onStep, history)
  const result = boxResult(parsed, found, timeZone)
  const checked =
    signing === undefined ? result : await withSignatures(parsed, result, await registers, signing, timeZone)
  const terms = { policy, nowS, isLive: reader.live, timeZone }
  const logged = await withLog(parsed, checked, found, terms, signing)
  const whole = resultFor(box, await withWeights(parsed, logged))
  if (found.ledger.kind === 'read') onStep(completeStep(whole, found.ledger.count))
  return whole
}

const now = (): number => Math.floor(Date.now() / 1000)

const NO_LOG: LogResult = { state: 'no_log', origin: null, k: 0, n: 0, by: [], upTo: 0, time: null }

/**
 * Checks the log of a bundle, with code that is loaded where there is one. What contradicts it makes the box broken; where
 * the ledger could not be read, a box that witnesses cover is what they say of it. Source: witness.md, Whose policy.
 */
async function withLog(
  bundle: ProofBundle,
  result: BoxResult,
  { history, ledger }: Findings,
  { timeZone, ...terms }: LogTerms & { timeZone: string },
  signing: Signing | undefined,
): Promise<BoxResult> {
  const { log } = bundle
  if (log === undefined) return terms.policy === undefined ? result : { ...result, log: NO_LOG }
  const { asOf, checkLog, ledgerOfLog } = await import('./check-log.ts')
  const { checkpoint, reasons, result: seen } = await checkLog(bundle, log, terms, ledger)
  if (reasons.length > 0) return { ...brokenBy(result, reasons), log: seen }
  const then = asOf(bundle, checkpoint.size)
  const reader = ledgerOfLog(then, log, checkpoint.size)
  const byLog = boxResult(then, await findOut(then, askLedger(then, reader), () => {}, history), timeZone)
  if (byLog.verdict === 'broken')
    return { ...brokenBy(result, byLog.reasons), log: { ...seen, state: 'broken' } }
  if (seen.state !== 'witnessed') return { ...result, log: seen }
  const newest = then.anchors.at(-1)
  const isWhole = byLog.verdict === 'verified' || byLog.verdict === 'verified-up-to'
  if (!isWhole || byLog.upTo === 0 || newest === undefined)
    return { ...result, log: { ...seen, state: 'behind' } }
  const witnessed = { ...seen, upTo: byLog.upTo, time: newest.time }
  if (result.verdict !== 'unreachable') return { ...result, log: witnessed }
  if (signing === undefined) return { ...byLog, log: witnessed }
  const registers = await verifyRegisters(then, reader, timeZone)
  return { ...(await withSignatures(then, byLog, registers, signing, timeZone)), log: witnessed }
}

/** Beside all else that is known against it. */
function brokenBy(result: BoxResult, reasons: readonly Reason[]): BoxResult {
  const words = boxMessage('broken', { upTo: result.upTo, withheld: result.withheld, datedAhead: 0 })
  const known = new Set(result.reasons.map(({ code, seq, anchor }) => `${code} ${seq} ${anchor}`))
  const news = reasons.filter(({ code, seq, anchor }) => !known.has(`${code} ${seq} ${anchor}`))
  return { ...result, verdict: 'broken', words, reasons: [...news, ...result.reasons] }
}

/** Adds up what its records weigh, with code that is loaded where some state it. */
async function withWeights(bundle: ProofBundle, result: BoxResult): Promise<BoxResult> {
  if (result.verdict === 'broken' || !bundle.records.some(statesAmount)) return result
  const { weigh, withBalance } = await import('./balance.ts')
  return withBalance(result, weigh(bundle))
}

const statesAmount = (record: ProofBundle['records'][number]): boolean =>
  'kind' in record && ['weight', 'offer', 'sale', 'loss'].includes(record.kind)

type Signing = Promise<typeof import('./signed/check-signatures.ts') & { readings: Promise<Readings> }>

/** Begins to read what was signed, with code that is loaded when something was. */
function openSigned(bundle: ProofBundle): Signing | undefined {
  if (!bundle.records.some(saysSigned)) return undefined
  const signing = import('./signed/check-signatures.ts').then((code) => ({
    ...code,
    readings: code.readSigned(bundle),
  }))
  signing.catch(() => {}) // whoever waits for it is told
  return signing
}

/** The registers of the keys that a bundle brings, checked one after the other. */
async function verifyRegisters(
  { devices = [] }: ProofBundle,
  reader: LedgerReader,
  timeZone: string,
): Promise<BoxResult[]> {
  const registers: BoxResult[] = []
  for (const device of devices)
    registers.push(boxResult(device, await findOut(device, askLedger(device, reader), () => {}), timeZone))
  return registers
}

/** A result with what was found of its signatures. */
async function withSignatures(
  bundle: ProofBundle,
  result: BoxResult,
  registers: readonly BoxResult[],
  signing: Signing,
  timeZone: string,
): Promise<BoxResult> {
  const { checkSignatures, withFindings, readings } = await signing
  return withFindings(result, checkSignatures(bundle, result, registers, await readings, timeZone))
}

/** What the ledger says of a bundle's anchors. Never rejects. */
const askLedger = (bundle: ProofBundle, reader: LedgerReader): Promise<LedgerFinding> =>
  readLedger(reader, {
    ledger: bundle.ledger,
    anchors: bundle.anchors,
    sealed: bundle.anchors.at(-1)?.leaf.sealed ?? false,
    alsoRead: [...indexesBefore(bundle), ...(bundle.log?.state ? [bundle.log.state.index] : [])],
  })

async function findOut(
  bundle: ProofBundle,
  asked: Promise<LedgerFinding>,
  onStep: (step: VerifyStep) => void,
  history = rebuildHistory(bundle),
): Promise<Findings> {
  onStep(rebuildStep(history))
  const proofs = bundle.anchors.map((anchor, i) => ({ anchor, problem: proofProblem(bundle, i) }))
  onStep(proveStep(bundle.box, history, proofs))
  const ledger = await asked
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

/**
 * Checks the proof that a box was never recorded: `absent` when it holds in the ledger's newest anchor, `incomplete`
 * when there is a newer one, which may hold the box. Hostile input gets a verdict, never an exception.
 * Source: protocol §4 to §6.
 * @param asked the box of the address, the label or the question; by default the one that the bundle names
 */
export async function verifyAbsence(
  bundle: unknown,
  reader: LedgerReader,
  asked?: string,
): Promise<BoxResult> {
  const parsed = parsedOr(parseAbsence, bundle)
  if (parsed instanceof FormatError) return resultFor(asked, refusedResult(bundle, parsed))
  const { ledger: address, anchor, box } = parsed
  const ledger = await readLedger(reader, {
    ledger: address,
    anchors: [anchor],
    sealed: false,
  })
  const reasons = [...ledgerReasons(ledger), ...absenceReasons(parsed, ledger)]
  const verdict = verdictOf(reasons) ?? 'absent'
  return resultFor(asked, resultWithoutRecords(verdict, box, reasons))
}

function absenceReasons({ box, anchor, other, path }: AbsenceBundle, ledger: LedgerFinding): Reason[] {
  const codes: (ReasonCode | undefined)[] = []
  if (!verifyBox(box, { leaf: null, other, path }, anchor.root)) codes.push('absence_mismatch')
  if (ledger.kind === 'read') {
    codes.push(ledger.problems[0])
    if (anchor.index + 1 < ledger.count) codes.push('newer_anchor')
  }
  const about = `anchor ${anchor.index}`
  return codes.flatMap((code) =>
    code === undefined ? [] : [{ code, words: reasonMessages[code](about), anchor: anchor.index }],
  )
}
