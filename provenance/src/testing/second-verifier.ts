import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fileLedger, parseAnchorFile } from '../file-ledger.ts'
import { LedgerError, type LedgerReader } from '../index.ts'
import type { BoxResult } from '../verdict.ts'
import { verifyBundle } from '../verify.ts'
import { policyOf } from './logged-shop.ts'

/** What both verifiers are asked. */
export interface Question {
  readonly bundle: unknown
  /** A file of anchors; null: nobody answers. */
  readonly ledger: unknown
  readonly policy: string | null
  readonly now: number
}

/** The verifier in Python. */
export const secondVerifier = fileURLToPath(new URL('../../vectors/verify.py', import.meta.url))
/** Of tests that need it. */
export const needsPython =
  spawnSync('python3', ['--version']).status === 0 ? {} : { skip: 'there is no python3 here' }

function secondAnswers(questions: readonly Question[]): unknown[] {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('')
  const done = spawnSync('python3', [secondVerifier], { input, encoding: 'utf8', maxBuffer: 2 ** 30 })
  assert.equal(done.status, 0, done.stderr)
  return done.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const silent = async (): Promise<never> => {
  throw new LedgerError('down')
}
const nobody: LedgerReader = {
  live: true,
  identity: silent,
  count: silent,
  anchorsOf: silent,
  eventsOf: silent,
}

/** As the second one words it: what is proven of a broken box is not compared. */
async function firstAnswer({ bundle, ledger, policy, now }: Question) {
  const reader = ledger === null ? nobody : { ...fileLedger(parseAnchorFile(ledger)), live: true }
  const whose = policy === null ? undefined : policyOf(policy)
  const result = await verifyBundle(bundle, reader, { policy: whose, nowS: now })
  const { verdict, upTo, log } = result
  return {
    verdict,
    upTo: isWhole(verdict) ? upTo : 0,
    log: log === undefined ? null : shortOf(log),
    weights: weightsOf(result),
    signed: signedOf(result),
  }
}

/** How much is signed, what the statements say of each other, without words, and which weights are; of a broken box it is not compared. */
function signedOf({ verdict, signatures, statements, records }: BoxResult) {
  if (verdict === 'broken' || records.every(({ signature }) => signature === undefined)) return null
  const { words: _, ...notes } = statements ?? {}
  const weights = records.flatMap(({ seq, signature }) =>
    signature?.level === 'scale' && signature.state === 'good' ? [[`${seq}`, signature.key]] : [],
  )
  return [signatures, statements === undefined ? null : notes, Object.fromEntries(weights)]
}

/** Figures without words, and why they contradict each other. */
function weightsOf({ balance, reasons }: BoxResult) {
  if (balance === undefined) return null
  const { words: _, signature, ...sums } = balance
  const figures = { ...sums, signedBy: signature?.state === 'good' ? signature.key : null }
  const codes = new Set<string>(balanceReasons)
  return [figures, reasons.flatMap(({ code, seq }) => (codes.has(code) ? [[code, seq]] : []))]
}

const balanceReasons = [
  'amount_refused',
  'sold_before_catch',
  'overdrawn',
  'returned_unsold',
  'boxed_above_catch',
]

const isWhole = (verdict: string): boolean => verdict !== 'broken' && verdict !== 'unreachable'

const shortOf = ({ state, k, n, upTo, time }: NonNullable<BoxResult['log']>) =>
  state === 'broken' ? { state, k: 0, n: 0, upTo: 0, time: null } : { state, k, n, upTo, time }

/** The other says of a broken log what it knew before. */
const worded = (answer: unknown): unknown => {
  const { verdict, upTo, log, weights, signed } = Object(answer)
  return {
    verdict,
    upTo: isWhole(verdict) ? upTo : 0,
    log: log === null ? null : shortOf(log),
    weights,
    signed: verdict === 'broken' ? null : signed,
  }
}

/** Both answer the same. Returns what they say. @param about what makes the questions again, for the message */
export async function agreed(
  questions: readonly Question[],
  about: string,
): Promise<Awaited<ReturnType<typeof firstAnswer>>[]> {
  const others = secondAnswers(questions)
  assert.equal(others.length, questions.length)
  const answers: Awaited<ReturnType<typeof firstAnswer>>[] = []
  for (const [i, question] of questions.entries()) {
    const answer = await firstAnswer(question)
    assert.deepEqual(worded(others[i]), answer, `${about}: ${JSON.stringify(question)}`)
    answers.push(answer)
  }
  return answers
}
