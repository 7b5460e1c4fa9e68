import type {
  BoxResult as BoxResultOf1,
  BoxVerdict as BoxVerdictOf1,
  RecordResult as RecordResultOf1,
  VerifyStep as VerifyStepOf1,
} from '../verdict.ts'
import type { Lateness } from './lateness.ts'

/** What was found about a box. `absent`: a ledger's newest anchor does not hold such a box. Source: protocol §6.6. */
export type BoxVerdict = BoxVerdictOf1 | 'absent'

/** The stages of a check, in their order. */
export const verifySteps = ['read', 'rebuild', 'prove', 'ledger', 'continuity', 'complete'] as const

/** Told as each stage of a check ends. */
export interface VerifyStep extends Omit<VerifyStepOf1, 'name'> {
  readonly name: (typeof verifySteps)[number]
}

export interface RecordResult extends RecordResultOf1 {
  /** Seconds from the record's time to its anchor's; null unless the record is anchored and shown. Source: protocol §6.5. */
  readonly latenessS: number | null
}

export interface BoxResult extends Omit<BoxResultOf1, 'verdict' | 'records'> {
  readonly verdict: BoxVerdict
  /** How many records were shown without their content. `words` says so too. */
  readonly withheld: number
  readonly lateness: Lateness
  readonly records: readonly RecordResult[]
}
