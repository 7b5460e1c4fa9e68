import { verifyBox } from './box-map.ts'
import { type AbsenceBundle, parseAbsence } from './bundle.ts'
import { FormatError, parsedOr } from './format-error.ts'
import type { LedgerReader } from './ledger.ts'
import { reasonMessages } from './messages.ts'
import { type LedgerFinding, readLedger } from './read-ledger.ts'
import { ledgerReasons, verdictOf } from './reasons.ts'
import { refusedResult, resultFor, resultWithoutRecords } from './result.ts'
import type { BoxResult, Reason, ReasonCode } from './verdict.ts'

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
