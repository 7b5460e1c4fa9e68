import { z } from 'zod'
import { schemaNames } from './api/schema-names.ts'
import { DeviceName, lowerHex } from './device.ts'
import { QrCode } from './qr-code.ts'

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
