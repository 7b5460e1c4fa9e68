import type { ReactNode } from 'react'
import { Time } from '#web/time/time.tsx'
import { type Addresses, addressOf } from './addresses.ts'
import { Fact, FactColumns } from './facts.tsx'
import type { Origin } from './origin-mark.tsx'
import { fraction } from './score.ts'

/** What results of every kind say. */
export type Result = {
  operator: string
  time: string
  latitude?: number | null
  longitude?: number | null
}

type Props = {
  result: Result
  /** From 0, as caught, to 1, past its best. */
  score: number | null | undefined
  origin: Origin
  addresses: Addresses
  children: ReactNode
}

/** Who came to a result, how fresh it says the fish is, when and where. `children` is the fact of its own kind. */
export function ResultFacts({ result, score, origin, addresses, children }: Props) {
  return (
    <FactColumns>
      <Fact name="Operator" origin="declared">
        {result.operator}
      </Fact>
      <Fact name="Freshness score" origin={origin}>
        {fraction(score)}
      </Fact>
      {children}
      <Fact name="Date and time" origin="measured">
        <Time at={result.time} />
      </Fact>
      <Fact name="Address" origin="computed">
        {addressOf(addresses, result)}
      </Fact>
    </FactColumns>
  )
}
