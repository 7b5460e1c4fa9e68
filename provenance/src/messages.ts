import type { BoxVerdict, ReasonCode } from './verdict.ts'

/** What a reason means to a shopper. `about` is the record or anchor it concerns, like `record 4`; may be empty. */
export const reasonMessages: Readonly<Record<ReasonCode, (about: string) => string>> = {
  malformed: () => 'The proof is not written the way proofs are, so nothing in it can be trusted.',
  other_format: (about) => `Could not be checked: written in ${about}.`,
  other_box: (about) => `This proof is for ${about}, another box than the one that was asked for.`,
  record_missing: (about) => `${start(about)} was not shown, so the history has a hole.`,
  record_out_of_place: (about) => `${start(about)} is in the wrong place or is shown twice.`,
  record_of_other_box: (about) => `${start(about)} belongs to another box.`,
  record_after_seal: (about) => `${start(about)} comes after this box was closed.`,
  seal_mismatch: (about) => `The ledger and ${about} disagree on whether this box is closed.`,
  head_mismatch: (about) =>
    `${start(about)} was changed after it was anchored: the ledger holds another fingerprint.`,
  head_conflict: () => 'Two anchors give different fingerprints for the same records.',
  anchor_out_of_order: (about) => `${start(about)} is not in its place among the anchors.`,
  anchor_of_other_box: (about) => `${start(about)} speaks of another box.`,
  anchor_failed: () => 'The anchor that should prove this record does not hold.',
  proof_mismatch: (about) => `This box is not part of ${about}: the path does not lead to its root.`,
  other_chain: () => 'The proof names another chain than the one that was asked.',
  other_contract: () => 'The proof names another contract than the one that was asked.',
  anchor_unknown: (about) => `The ledger holds no ${about}.`,
  root_mismatch: (about) => `The ledger holds another root for ${about}.`,
  time_mismatch: (about) => `The ledger gives another time for ${about}.`,
  transaction_mismatch: (about) => `The transaction named for ${about} did not make it.`,
  block_mismatch: (about) => `The ledger holds ${about} in another block.`,
  before_out_of_place: (about) => `${start(about)} shows a state before it where there is none to show.`,
  before_mismatch: (about) => `The state before ${about} is not the one that the root before it holds.`,
  before_root_mismatch: (about) => `The ledger holds another root for the anchor before ${about}.`,
  not_continued: (about) =>
    `${start(about)} does not continue the state before it: the history was rewritten, or anchors were left out.`,
  absence_mismatch: (about) => `The proof does not show that ${about} lacks this box.`,
  forked: (about) => `The two proofs tell two histories: they differ from ${about} on.`,
  dated_ahead: (about) => `${start(about)} is dated later than the ledger logged it.`,
  signature_mismatch: (about) => `${start(about)} is not what the device signed that it names.`,
  counter_repeated: (about) => `${start(about)} repeats something that its device had signed before.`,
  chain_forked: (about) => `${start(about)} goes on from where its device had gone on with another.`,
  key_not_valid: (about) => `${start(about)} is signed with a key that was not valid for it.`,
  log_refused: () => 'The log’s newest state is not signed by those whose names it bears.',
  log_mismatch: (about) => `The log does not hold ${about} as the proof shows it.`,
  log_conflict: (about) => `The log and the ledger hold two different things of ${about}.`,
  newest_records_missing: () => 'The ledger knows more records of this box than were shown.',
  newer_anchor: () => 'The ledger has a newer anchor than this proof: newer records may have been left out.',
  ledger_unreachable: () => 'The ledger could not be read, so nothing was compared with it.',
}

const start = (about: string): string => about.charAt(0).toUpperCase() + about.slice(1)

/** `record 4`, or `a record between 4 and 6`. */
export const recordsText = (from: number, to: number): string =>
  from === to ? `record ${from}` : `a record between ${from} and ${to}`

/** What a record's verdict means to a shopper, where no reason says it. */
export const recordMessages = {
  anchored: 'Unchanged since it was logged.',
  pending: 'Not on the ledger yet: it waits for the next anchor.',
  withheld: 'Its content was removed by law; its fingerprint is unchanged on the ledger.',
  besideHole: 'A record next to it was not shown, so this one could not be compared.',
} as const

/** That nobody but the shop vouched for the ledger, of a history that it holds unchanged. Source: protocol §6.7. */
export const OWN_LEDGER = 'Unchanged, by the ledger that the shop names; we asked nobody else'

/** What the words of a verdict count. */
export interface Counts {
  /** The last proven record. */
  readonly upTo: number
  readonly withheld: number
  readonly datedAhead: number
}

/** What a box's verdict means to a shopper, with what is held back from him. */
export const boxMessage = (
  verdict: BoxVerdict | 'unsigned',
  { upTo, withheld, datedAhead }: Counts,
): string => [verdictText(verdict, upTo), ...withheldText(withheld), ...datedAheadText(datedAhead)].join(' ')

function verdictText(verdict: BoxVerdict | 'unsigned', upTo: number): string {
  if (verdict === 'verified-up-to' && upTo === 0) return 'New records are anchored within minutes.'
  return {
    verified: 'Nothing was changed or removed since the records were logged.',
    'verified-up-to': `Every record up to number ${upTo} is unchanged; newer ones wait for the next anchor.`,
    incomplete: 'The ledger holds a newer state of this box than was shown.',
    unsigned: 'A record is not what its device signed.',
    broken: 'This history is not the one that the ledger holds.',
    absent: 'The ledger proves that no such box was ever recorded.',
    unreachable: 'The ledger isn’t answering. Try again.',
  }[verdict]
}

const withheldText = (count: number): string[] => {
  if (count === 0) return []
  return [
    count === 1 ? 'The content of 1 record is withheld.' : `The content of ${count} records is withheld.`,
  ]
}

const datedAheadText = (count: number): string[] => {
  if (count === 0) return []
  return [
    count === 1
      ? '1 record is dated later than the ledger logged it.'
      : `${count} records are dated later than the ledger logged them.`,
  ]
}
