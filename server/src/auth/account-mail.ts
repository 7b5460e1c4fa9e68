import type { Tx } from '#server/db/client.ts'
import { queueMail } from '#server/mail/send-mail.ts'
import type { AccountDeps } from './account-deps.ts'
import {
  activationLetter,
  addressTakenLetter,
  type GuardChange,
  guardChangedLetter,
  passwordChangedLetter,
  recoveryLetter,
} from './letters.ts'

const forgotPage = (deps: AccountDeps): string => `${deps.config.PUBLIC_URL}/user/forgotpassword`

/** Mails an activation link when `tx` commits. */
export const mailActivation = (tx: Tx, deps: AccountDeps, to: string, link: string): Promise<void> =>
  queueMail(
    tx,
    deps.secrets,
    { kind: 'activation', to, letter: activationLetter(deps.siteFile.name, link) },
    deps.now(),
  )

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
export const mailRecovery = (tx: Tx, deps: AccountDeps, to: string, link: string): Promise<void> =>
  queueMail(
    tx,
    deps.secrets,
    { kind: 'recovery', to, letter: recoveryLetter(deps.siteFile.name, link) },
    deps.now(),
  )

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
