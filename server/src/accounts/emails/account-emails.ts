import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { type Purpose, TOKEN_LIFETIME_S } from '#server/accounts/one-time-tokens.ts'
import type { Tx } from '#server/db/client.ts'
import { queueEmail } from '#server/mail/send-email.ts'
import {
  activationEmail,
  addressTakenEmail,
  passwordChangedEmail,
  recoveryEmail,
  type SecurityEvent,
  securityEventEmail,
} from './email-templates.ts'

/** When a link for `purpose` that is issued now expires. */
const expiryOf = (deps: AccountDeps, purpose: Purpose): Date =>
  new Date(deps.now().getTime() + TOKEN_LIFETIME_S[purpose] * 1_000)

const forgotPage = (deps: AccountDeps): string => `${deps.config.PUBLIC_URL}/user/forgotpassword`

/** Sends an activation link when `tx` commits. */
export function mailActivation(tx: Tx, deps: AccountDeps, to: string, link: string): Promise<void> {
  const content = activationEmail(deps.siteFile.name, link)
  const email = { kind: 'activation', to, content, goodUntil: expiryOf(deps, 'activate') } as const
  return queueEmail(tx, deps.secrets, email, deps.now())
}

/** Notifies an owner that somebody signed up with their address again. */
export function mailAddressTaken(tx: Tx, deps: AccountDeps, to: string): Promise<void> {
  const content = addressTakenEmail(
    deps.siteFile.name,
    `${deps.config.PUBLIC_URL}/user/signin`,
    forgotPage(deps),
  )
  return queueEmail(tx, deps.secrets, { kind: 'address-taken', to, content }, deps.now())
}

/** Sends a recovery link. */
export function mailRecovery(tx: Tx, deps: AccountDeps, to: string, link: string): Promise<void> {
  const content = recoveryEmail(deps.siteFile.name, link)
  const email = { kind: 'recovery', to, content, goodUntil: expiryOf(deps, 'reset') } as const
  return queueEmail(tx, deps.secrets, email, deps.now())
}

/** Notifies an owner that the password was changed. */
export function mailPasswordChanged(tx: Tx, deps: AccountDeps, to: string): Promise<void> {
  const content = passwordChangedEmail(deps.siteFile.name, forgotPage(deps))
  return queueEmail(tx, deps.secrets, { kind: 'password-changed', to, content }, deps.now())
}

/** Notifies an owner that the second factor or a passkey changed. */
export function mailSecurityEvent(
  tx: Tx,
  deps: AccountDeps,
  to: string,
  change: SecurityEvent,
): Promise<void> {
  const content = securityEventEmail(deps.siteFile.name, change, forgotPage(deps))
  return queueEmail(tx, deps.secrets, { kind: `second-factor-${change}`, to, content }, deps.now())
}
