import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { type Purpose, TOKEN_S } from '#server/accounts/one-time-tokens.ts'
import type { Tx } from '#server/db/client.ts'
import { queueMail } from '#server/mail/send-mail.ts'
import {
  activationLetter,
  addressTakenLetter,
  type GuardChange,
  guardChangedLetter,
  passwordChangedLetter,
  recoveryLetter,
} from './letters.ts'

/** When a link for `purpose` that is made now ends. */
const endOf = (deps: AccountDeps, purpose: Purpose): Date =>
  new Date(deps.now().getTime() + TOKEN_S[purpose] * 1_000)

const forgotPage = (deps: AccountDeps): string => `${deps.config.PUBLIC_URL}/user/forgotpassword`

/** Mails an activation link when `tx` commits. */
export function mailActivation(tx: Tx, deps: AccountDeps, to: string, link: string): Promise<void> {
  const letter = activationLetter(deps.siteFile.name, link)
  const post = { kind: 'activation', to, letter, goodUntil: endOf(deps, 'activate') } as const
  return queueMail(tx, deps.secrets, post, deps.now())
}

/** Tells an owner that the address was used to sign up again. */
export function mailAddressTaken(tx: Tx, deps: AccountDeps, to: string): Promise<void> {
  const letter = addressTakenLetter(
    deps.siteFile.name,
    `${deps.config.PUBLIC_URL}/user/signin`,
    forgotPage(deps),
  )
  return queueMail(tx, deps.secrets, { kind: 'address-taken', to, letter }, deps.now())
}

/** Mails a recovery link. */
export function mailRecovery(tx: Tx, deps: AccountDeps, to: string, link: string): Promise<void> {
  const letter = recoveryLetter(deps.siteFile.name, link)
  const post = { kind: 'recovery', to, letter, goodUntil: endOf(deps, 'reset') } as const
  return queueMail(tx, deps.secrets, post, deps.now())
}

/** Tells an owner that the password is another one. */
export function mailPasswordChanged(tx: Tx, deps: AccountDeps, to: string): Promise<void> {
  const letter = passwordChangedLetter(deps.siteFile.name, forgotPage(deps))
  return queueMail(tx, deps.secrets, { kind: 'password-changed', to, letter }, deps.now())
}

/** Tells an owner that the second factor or a passkey changed. */
export function mailGuardChanged(tx: Tx, deps: AccountDeps, to: string, change: GuardChange): Promise<void> {
  const letter = guardChangedLetter(deps.siteFile.name, change, forgotPage(deps))
  return queueMail(tx, deps.secrets, { kind: `second-factor-${change}`, to, letter }, deps.now())
}
