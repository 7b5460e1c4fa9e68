import { z } from 'zod'
import { Account } from '../account.ts'
import { QrCode, Role, schemaNames } from '../fields.ts'
import { MAX_FAVOURITES } from '../limits.ts'
import { DeliveryAddress } from '../order.ts'

/** A delivery address that an account keeps. One of them is preferred. */
export const SavedAddressView = z
  .strictObject({ _id: z.string(), label: z.string(), ...DeliveryAddress.shape, preferred: z.boolean() })
  .register(schemaNames, { id: 'SavedAddress' })
export type SavedAddressView = z.infer<typeof SavedAddressView>

/** The user's own account with its security settings and the addresses that it keeps, the preferred one first. */
export const ProfileView = Account.extend({
  twoFa: z.boolean(),
  /** Number of unused recovery codes. */
  recoveryCodesLeft: z.int(),
  addresses: z.array(SavedAddressView),
})
  .strict()
  .register(schemaNames, { id: 'Profile' })
export type ProfileView = z.infer<typeof ProfileView>

/** A change of the account's email that waits to be confirmed by both addresses. Times are RFC 3339. */
export const EmailChangeView = z
  .strictObject({
    email: z.string(),
    oldConfirmed: z.boolean(),
    newConfirmed: z.boolean(),
    until: z.string(),
  })
  .register(schemaNames, { id: 'EmailChange' })
export type EmailChangeView = z.infer<typeof EmailChangeView>

/** What became of a change of an account's email: the other address is still to confirm it, it is done, or was dropped. */
export const EmailChangeAnswer = z.strictObject({ state: z.enum(['half', 'done', 'dropped']) })
export type EmailChangeAnswer = z.infer<typeof EmailChangeAnswer>

/** A session of a browser or of a bearer token. Times are RFC 3339. */
export const SessionView = z
  .strictObject({
    id: z.string(),
    /** Such as 'Firefox on Windows'. */
    device: z.string(),
    address: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string(),
    /** The session of this request. */
    current: z.boolean(),
  })
  .register(schemaNames, { id: 'Session' })
export type SessionView = z.infer<typeof SessionView>

/** A passkey: signs in without a password. */
export const PasskeyView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .register(schemaNames, { id: 'Passkey' })
export type PasskeyView = z.infer<typeof PasskeyView>

/** The response to a sign-in: signed in, or a code is required. Source: spec §4, §7. */
export const SignInAnswer = z
  .union([
    z.strictObject({ token: z.string(), user: z.strictObject({ fname: z.string(), role: Role }) }),
    z.strictObject({ requireTwoFa: z.literal(true) }),
  ])
  .register(schemaNames, { id: 'SignInAnswer' })
export type SignInAnswer = z.infer<typeof SignInAnswer>

/** A second factor that is not confirmed yet. */
export const TwoFaSetup = z
  .strictObject({
    /** Base32, for typing. */
    secret: z.string(),
    /** `otpauth://` URI, to open an authenticator on the same device. */
    uri: z.string(),
    /** QR code of the URI. */
    qr: QrCode,
  })
  .register(schemaNames, { id: 'TwoFaSetup' })
export type TwoFaSetup = z.infer<typeof TwoFaSetup>

/** Products to be kept with an account, the newest first. */
export const FavouriteIds = z.object({ products: z.array(z.string().min(1).max(64)).max(MAX_FAVOURITES) })
export type FavouriteIds = z.infer<typeof FavouriteIds>

/** What is kept with an account, the newest first, under the names of then: some of it may be sold no more. */
export const FavouriteList = z
  .strictObject({
    favourites: z.array(z.strictObject({ _id: z.string(), title: z.string() })),
    /** How many of those that were to be added did not fit. */
    leftOut: z.int(),
  })
  .register(schemaNames, { id: 'FavouriteList' })
export type FavouriteList = z.infer<typeof FavouriteList>
