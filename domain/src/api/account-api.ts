import { z } from 'zod'
import { Account } from '../account.ts'
import { Role } from '../status.ts'
import { schemaNames } from './schema-names.ts'

/** The owner's account with what stands guard over it. */
export const ProfileView = Account.extend({
  twoFa: z.boolean(),
  /** Recovery codes that have not been used. */
  recoveryCodesLeft: z.int(),
})
  .strict()
  .register(schemaNames, { id: 'Profile' })
export type ProfileView = z.infer<typeof ProfileView>

/** One signed-in browser or bearer of a token. Moments are RFC 3339. */
export const SessionView = z
  .strictObject({
    id: z.string(),
    /** In words: 'Firefox on Windows'. */
    device: z.string(),
    address: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string(),
    /** The one that asks. */
    current: z.boolean(),
  })
  .register(schemaNames, { id: 'Session' })
export type SessionView = z.infer<typeof SessionView>

/** A key of the owner's device that signs in without a password. */
export const PasskeyView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .register(schemaNames, { id: 'Passkey' })
export type PasskeyView = z.infer<typeof PasskeyView>

/** What the server answers to a sign-in: in, or the code is wanted. Source: spec §4, §7. */
export const SignInAnswer = z
  .union([
    z.strictObject({ token: z.string(), user: z.strictObject({ fname: z.string(), role: Role }) }),
    z.strictObject({ requireTwoFa: z.literal(true) }),
  ])
  .register(schemaNames, { id: 'SignInAnswer' })
export type SignInAnswer = z.infer<typeof SignInAnswer>

/** A second factor that has been begun and is not confirmed yet. */
export const TwoFaSetup = z
  .strictObject({
    /** Base32, for typing. */
    secret: z.string(),
    /** `otpauth://` address, for a tap on the same phone. */
    uri: z.string(),
    /** QR code of the address: side in modules, quiet zone included, and the dark modules as an SVG path. */
    qr: z.strictObject({ side: z.int(), path: z.string() }),
  })
  .register(schemaNames, { id: 'TwoFaSetup' })
export type TwoFaSetup = z.infer<typeof TwoFaSetup>

/** What account pages read. Everything here needs a session: `auth.required` without. */
export interface AccountApi {
  profile(): Promise<ProfileView>
  sessions(): Promise<SessionView[]>
  passkeys(): Promise<PasskeyView[]>
}
