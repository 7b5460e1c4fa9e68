import { boxMessage as boxMessageOf1 } from '../messages.ts'
import type { BoxVerdict } from './verdict.ts'

/** What the verdict's words count. */
export interface Counts {
  /** The last proven record. */
  readonly upTo: number
  readonly withheld: number
  readonly datedAhead: number
}

/** What a box's verdict means to a shopper, with what is held back from him. */
export function boxMessage(verdict: BoxVerdict, { upTo, withheld, datedAhead }: Counts): string {
  const verdictText =
    verdict === 'absent'
      ? 'The ledger proves that no such box was ever recorded.'
      : boxMessageOf1(verdict, upTo)
  return [verdictText, ...withheldText(withheld), ...datedAheadText(datedAhead)].join(' ')
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
