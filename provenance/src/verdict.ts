import type { Lateness } from './lateness.ts'

/**
 * What was found about a box. `verified-up-to`: newer records wait for their anchor. `incomplete`: the chain knows a
 * newer state than was shown. `absent`: the newest anchor does not hold such a box. `unreachable`: the chain could not
 * be read. Source: protocol §6.6.
 */
export type BoxVerdict = 'verified' | 'verified-up-to' | 'incomplete' | 'broken' | 'absent' | 'unreachable'

/**
 * What was found about a record. The first four are the protocol's; `unchecked` is said of a record that could not be
 * judged, because the chain could not be read or a neighbour that its head needs was not shown.
 */
export type RecordVerdict = 'anchored' | 'pending' | 'withheld' | 'broken' | 'unchecked'

/** Why a verdict is what it is. Each has its sentence in `messages.ts`. */
export type ReasonCode =
  | 'malformed'
  | 'other_format'
  | 'other_box'
  | 'record_missing'
  | 'record_out_of_place'
  | 'record_of_other_box'
  | 'record_after_seal'
  | 'seal_mismatch'
  | 'head_mismatch'
  | 'head_conflict'
  | 'anchor_out_of_order'
  | 'anchor_of_other_box'
  | 'anchor_failed'
  | 'proof_mismatch'
  | 'other_chain'
  | 'other_contract'
  | 'anchor_unknown'
  | 'root_mismatch'
  | 'time_mismatch'
  | 'transaction_mismatch'
  | 'block_mismatch'
  | 'before_out_of_place'
  | 'before_mismatch'
  | 'before_root_mismatch'
  | 'not_continued'
  | 'absence_mismatch'
  | 'forked'
  | 'dated_ahead'
  | SignatureReason
  | LogReason
  | 'newest_records_missing'
  | 'newer_anchor'
  | 'ledger_unreachable'

/**
 * What is wrong with the log of a proof: its checkpoint is not signed as it says; it does not hold an anchor as the
 * proof has it; it and the ledger hold two things.
 */
export type LogReason = 'log_refused' | 'log_mismatch' | 'log_conflict'

/**
 * What is wrong with a record that says it was signed: its signature or what was signed is another; its counter stood for
 * another statement; another statement goes on from the same one; a key that was not valid for it, of another level, or
 * whose register is not the ledger's.
 */
export type SignatureReason = 'signature_mismatch' | 'counter_repeated' | 'chain_forked' | 'key_not_valid'

/**
 * Why the weights that records state contradict each other: an amount is none that a box can hold; a sale before the catch;
 * more sold and lost than went in; more taken back than sold; more in the box than was caught. Its sentences are in
 * `balance-messages.ts`, loaded with what adds up.
 */
export type BalanceReason =
  | 'amount_refused'
  | 'sold_before_catch'
  | 'overdrawn'
  | 'returned_unsold'
  | 'boxed_above_catch'

/** What the records of a box state of its weight, in grams. Source: protocol §6.9. */
export interface Balance {
  /** `unweighed`: no record says what went in; `partly`: a record is withheld, can't be read or names no grams. */
  readonly state: 'unweighed' | 'whole' | 'partly'
  /** What ever went in: the newest weight of the box, else of the catch. */
  readonly total: number | null
  readonly of: 'catch' | 'box' | null
  /** What weighed that; null: it was typed, or there is none. */
  readonly scale: string | null
  /** The newest weight of the catch. */
  readonly caught: number | null
  /** Of what is on sale from this box; null: nothing is, or not all of it says how much. */
  readonly offered: number | null
  /** Without what came back, which is in `returned`. */
  readonly sold: number
  readonly lost: number
  readonly returned: number
  readonly left: number | null
  /** The total is higher than at the first sale, when it was `from`; null in it: there was none. */
  readonly raised: { readonly from: number | null } | null
  /** How many corrections such records have. */
  readonly corrected: number
  /** What is counted, by product. */
  readonly pieces: readonly { readonly product: string; readonly sold: number; readonly lost: number }[]
  /** What was found of the statement of the scale that weighed the total, where its record has one. */
  readonly signature?: SignatureResult
  /** For a shopper. */
  readonly words: string
}

/**
 * What was found about a signature. `good`: made by a key of this level, and both are on the ledger. `pending`: record
 * or key wait for their anchor. `unproven`: the proof does not carry what the ledger says of the key. `unchecked`: the
 * ledger could not be read, or this browser can't check signatures.
 */
export interface SignatureResult {
  /** `scale`: it signed a weight, with a key of the level `sensor`; the others signed readings. */
  readonly level: 'sensor' | 'gateway' | 'scale'
  /** Id of the key. */
  readonly key: string
  readonly state: 'good' | 'pending' | 'unproven' | 'unchecked'
}

/** Readings with a good signature of each level, and those that are signed and not confirmed. */
export interface SignatureCounts {
  readonly sensor: number
  readonly gateway: number
  readonly unconfirmed: number
}

/** Statements that a device signed and that no record shows. Times as the readings beside the gap have them. */
export interface MissingStatements {
  /** Id of the key, and its level. */
  readonly key: string
  readonly level: SignatureResult['level']
  /** Null: not known, for this device does not count by ones. */
  readonly count: number | null
  /** The last reading before them; null: they are the first. */
  readonly after: string | null
  /** The first reading behind them. */
  readonly before: string
}

/** What a box's signed statements say of each other. Source: protocol §6, 'Signed statements are chained'. */
export interface StatementNotes {
  readonly missing: readonly MissingStatements[]
  /** Where a device began anew after it had lost its state: what it signed last before can't be missed. */
  readonly anew: readonly {
    readonly key: string
    readonly level: SignatureResult['level']
    readonly at: string
  }[]
  /** How many statements are of the older form, which names none before. */
  readonly older: number
  /** How many readings of statements that are here have no record. */
  readonly unshown: number
  /** Something is missing, among statements or in one: such a box does not get the top grade. */
  readonly lacking: boolean
  /** For a shopper, in the market's time. */
  readonly words: string
}

/** Something that kept a box from being verified. */
export interface Reason {
  readonly code: ReasonCode | BalanceReason
  /** A sentence for a shopper. */
  readonly words: string
  /** The record it is about, by its `seq`. */
  readonly seq?: number
  /** It is about one of several records, `seq` to this one, and can't be told which. */
  readonly lastSeq?: number
  /** The anchor it is about, by its index. */
  readonly anchor?: number
  /** For operators: the place in the bundle, or what the ledger's reader said. */
  readonly detail?: string
}

/** The anchor that proves a record: the first whose leaf has `count >= seq`. Source: protocol §4. */
export interface ProvingAnchor {
  readonly index: number
  readonly txHash: string
  readonly blockNumber: number
  /** Block time, `2026-11-21T01:02:03Z`. */
  readonly time: string
}

export interface RecordResult {
  readonly seq: number
  /** Recomputed from the record; for a withheld one as it was given. Hex. */
  readonly recordHash: string
  readonly verdict: RecordVerdict
  readonly code: ReasonCode | 'anchored' | 'pending' | 'withheld'
  readonly words: string
  /** Its content was erased, only its hash is shown. Also true while such a record is pending or broken. */
  readonly withheld: boolean
  readonly anchor: ProvingAnchor | null
  /**
   * Seconds from the record's time to its anchor's; null unless the record is anchored and shown. Source: protocol
   * §6.5.
   */
  readonly latenessS: number | null
  /** Where it says that it was signed, and is not broken. */
  readonly signature?: SignatureResult
}

/**
 * How the log of a proof stands under the policy of whoever checks. `witnessed`: a quorum signed, and the box is proven in
 * the newest state that they signed. `missed`: fewer have signed than the policy asks for. `stale`: what they signed is
 * older than a day, or lacks an anchor that is. `behind`: the proof does not show the box in the newest state that they
 * signed. `other_log`: the policy names another log. `no_policy`, `no_log`: nobody named one, the proof has none.
 * `broken`: something in it is false.
 */
export type LogState =
  | 'witnessed'
  | 'missed'
  | 'stale'
  | 'behind'
  | 'other_log'
  | 'no_policy'
  | 'no_log'
  | 'broken'

export interface WitnessSignature {
  /** Of the witness, in the policy. */
  readonly name: string
  /** Seconds since it signed, by its own clock. */
  readonly ageS: number
}

/** What the log of a proof says. */
export interface LogResult {
  readonly state: LogState
  /** Name of the log; null without one. */
  readonly origin: string | null
  /** Members of the policy's quorum that have signed, and how many it has. */
  readonly k: number
  readonly n: number
  readonly by: readonly WitnessSignature[]
  /** Every record up to this one is in a state that they signed, which is whole as of `time`; 0 and null: none is. */
  readonly upTo: number
  readonly time: string | null
}

export interface BoxResult {
  readonly verdict: BoxVerdict
  readonly words: string
  /** Why the box is not verified. When it is verified, or up to a record: at most `dated_ahead`. */
  readonly reasons: readonly Reason[]
  /** null when the bundle could not be read. */
  readonly box: string | null
  /** The history is closed, and the chain says so. */
  readonly sealed: boolean
  /** Every record up to this `seq` is proven; 0 for none. */
  readonly upTo: number
  /** How many records were shown without their content. `words` says so too. */
  readonly withheld: number
  readonly lateness: Lateness
  readonly signatures: SignatureCounts
  /** Absent where all statements of its devices are there, or none was signed. */
  readonly statements?: StatementNotes
  /** Where the proof has a log, or whoever checks has a policy. */
  readonly log?: LogResult
  /** Where records state amounts, and the history is the one that the ledger holds. */
  readonly balance?: Balance
  /** One for each record of the bundle, in its order. Empty when the bundle could not be read. */
  readonly records: readonly RecordResult[]
}

/** The stages of a check, in their order. */
export const verifySteps = ['read', 'rebuild', 'prove', 'ledger', 'continuity', 'complete'] as const

/** Reported as each stage ends; a check that has to stop reports no further ones. */
export interface VerifyStep {
  readonly name: (typeof verifySteps)[number]
  readonly ok: boolean
  /** How many things were checked: records (read, rebuild), anchors (all later ones). */
  readonly count: number
  readonly words: string
}
