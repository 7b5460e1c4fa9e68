import { z } from 'zod'
import { FirstName, LastName, NewPassword } from './account.ts'
import { Fisher } from './box.ts'
import { Latitude, Longitude, mustBe, oneLine, someLines, Temperature, When } from './box-values.ts'
import { DeviceName, lowerHex } from './device.ts'
import { HOUR_MS } from './durations.ts'
import { Email, Phone, QrCode, schemaNames } from './fields.ts'
import { MAX_REASON } from './limits.ts'

/** Days for which the link of an invitation works, once. */
export const INVITATION_DAYS = 7

/** Who a supplier is in records: the fisher of a registration, whose trader id and name are required. */
export const SupplierIdentity = Fisher.extend({ traderName: oneLine(200).min(1, 'is required') })
export type SupplierIdentity = z.infer<typeof SupplierIdentity>

/** The name of a supplier in hand-overs: the company's, or the trader's where there is none. */
export const partyOf = ({ companyName, traderName }: Pick<Fisher, 'companyName' | 'traderName'>): string =>
  companyName.trim() || traderName.trim()

/** Two names of one party: case and outer spaces do not count. */
export const isSameParty = (a: string, b: string): boolean =>
  a.trim().toLocaleLowerCase('en') === b.trim().toLocaleLowerCase('en')

/** An invitation that a manager sends. */
export const NewInvitation = z.strictObject({ email: Email, fisher: SupplierIdentity })
export type NewInvitation = z.infer<typeof NewInvitation>

const token = z.string({ error: 'token is required' }).min(1, 'token is required').max(200)

/** The token of an invitation's link. */
export const InvitationToken = z.strictObject({ token })
export type InvitationToken = z.infer<typeof InvitationToken>

/** What an invited supplier fills in. */
export const JoinInput = z.strictObject({
  token,
  fname: FirstName,
  lname: LastName,
  phone: Phone,
  password: NewPassword,
})
export type JoinInput = z.infer<typeof JoinInput>

/** Days for which the link works that lets a supplier's phone sign, once. */
export const PHONE_LINK_DAYS = 7

/** A phone that a manager lets sign. Its name is public with each reading that it signs. */
export const NewPhoneLink = z.strictObject({ name: DeviceName })
export type NewPhoneLink = z.infer<typeof NewPhoneLink>

/** The link of a phone: shown once, for the shop keeps its hash alone. */
export const PhoneLink = z
  .strictObject({
    link: z.string(),
    expiresAt: z.string(),
    /** QR code of `link`. */
    qr: QrCode,
  })
  .register(schemaNames, { id: 'PhoneLink' })
export type PhoneLink = z.infer<typeof PhoneLink>

/** A phone that shows its public key, with the token of its link. */
export const PhoneKey = z.strictObject({
  token: z.string({ error: 'token is required' }).min(1, 'token is required').max(200),
  /** Ed25519 public key. */
  publicKey: lowerHex(32, 'public key'),
})
export type PhoneKey = z.infer<typeof PhoneKey>

/** What the register says of a supplier's own phone. Times are RFC 3339. */
export const FieldPhone = z.strictObject({
  /** Id of its key. */
  id: z.string(),
  name: z.string(),
  validFrom: z.string(),
  revokedAt: z.string().nullable(),
})
export type FieldPhone = z.infer<typeof FieldPhone>

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
