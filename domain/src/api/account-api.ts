import type { Account } from '../account.ts'

/** The owner's account with what stands guard over it. */
export type ProfileView = Account & {
  twoFa: boolean
  /** Recovery codes that have not been used. */
  recoveryCodesLeft: number
}

/** One signed-in browser or bearer of a token. Moments are RFC 3339. */
export type SessionView = {
  id: string
  /** In words: 'Firefox on Windows'. */
  device: string
  address: string
  createdAt: string
  lastUsedAt: string
  /** The one that asks. */
  current: boolean
}

/** A key of the owner's device that signs in without a password. */
export type PasskeyView = { id: string; name: string; createdAt: string; lastUsedAt: string | null }

/** What the server answers to a sign-in: in, or the code is wanted. Source: spec §4, §7. */
export type SignInAnswer =
  | { token: string; user: { fname: string; role: Account['role'] } }
  | { requireTwoFa: true }

/** A second factor that has been begun and is not confirmed yet. */
export type TwoFaSetup = {
  /** Base32, for typing. */
  secret: string
  /** `otpauth://` address, for a tap on the same phone. */
  uri: string
  /** QR code of the address: side in modules, quiet zone included, and the dark modules as an SVG path. */
  qr: { side: number; path: string }
}

/** What account pages read. Everything here needs a session: `auth.required` without. */
export interface AccountApi {
  profile(): Promise<ProfileView>
  sessions(): Promise<SessionView[]>
  passkeys(): Promise<PasskeyView[]>
}
