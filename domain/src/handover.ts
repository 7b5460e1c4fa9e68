import { z } from 'zod'
import { Latitude, Longitude, mustBe, oneLine, someLines, Temperature, When } from './box-values.ts'
import { HOUR_MS } from './durations.ts'
import { MAX_REASON } from './limits.ts'
import { isSameParty } from './supplier.ts'

/** How long a hand-over that its receiver alone said waits for a word of the holder or a manager. */
export const CLAIM_MS = 24 * HOUR_MS

/** Is it confirmed? Otherwise it is refused, a catch with the reason. */
export const ClaimDecision = z.strictObject({
  confirmed: z.boolean(mustBe('true or false')),
  reason: someLines(MAX_REASON).optional(),
})
export type ClaimDecision = z.infer<typeof ClaimDecision>

/** Why a manager refuses a catch: its supplier is told. */
export const CatchRefusal = z.strictObject({
  reason: someLines(MAX_REASON).refine((text) => text.trim() !== '', 'is required when a catch is refused'),
})

const party = oneLine(200).refine((name) => name.trim() !== '', 'is required')

type Parties = { from: string; to: string; accepted: boolean; reason: string }

/** What the fields of a hand-over say together: two parties, and why a box was refused. */
export function checkParties({ from, to, accepted, reason }: Parties, context: z.RefinementCtx): void {
  if (isSameParty(from, to))
    context.addIssue({ code: 'custom', path: ['to'], message: 'must be somebody else than who hands over' })
  if (!accepted && reason.trim() === '')
    context.addIssue({ code: 'custom', path: ['reason'], message: 'is required when a box is refused' })
}

/**
 * A box changes hands, or is refused. `temperature` is a probe's in the fish, null where nobody measured; latitude and
 * longitude 0: no position. Wrap in `rejectFutureTimes`.
 */
export const Handover = z
  .strictObject(
    {
      time: When,
      from: party,
      to: party,
      temperature: Temperature.nullable(),
      accepted: z.boolean(mustBe('true or false')),
      /** Why it was refused; may say more of an accepted one. */
      reason: someLines(MAX_REASON),
      latitude: Latitude,
      longitude: Longitude,
    },
    mustBe('an object'),
  )
  .superRefine(checkParties)
export type Handover = z.infer<typeof Handover>
