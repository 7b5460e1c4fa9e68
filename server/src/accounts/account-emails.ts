import { hoursText, LINK_HOURS } from '@befaqt/domain/link-hours'
import type { Tx } from '#server/db/client.ts'
import { buttonOf, type EmailContent, filledEmail, note } from '#server/mail/email-content.ts'
import { queueEmail, queueEmails } from '#server/mail/send-email.ts'
import type { AccountDeps } from './account.ts'
import { type Purpose, TOKEN_LIFETIME_S } from './tokens.ts'

/** When a link for `purpose` that is issued now expires. */
const expiryOf = (deps: AccountDeps, purpose: Purpose): Date =>
  new Date(deps.now().getTime() + TOKEN_LIFETIME_S[purpose] * 1_000)

const forgotPage = (deps: AccountDeps): string => `${deps.config.PUBLIC_URL}/user/forgotpassword`

const signInPage = (deps: AccountDeps): string => `${deps.config.PUBLIC_URL}/user/signin`

/*
 * Emails about accounts. Those to an unverified address contain nothing that a stranger typed: no name, no text that
 * could pass for ours. Which the other address of a change is stays unsaid, since a stranger may have typed it.
 */

/** Sends an activation link when `tx` commits. */
export function mailActivation(tx: Tx, deps: AccountDeps, to: string, link: string): Promise<void> {
  const content = filledEmail(deps, 'activation', {
    links: [
      buttonOf(deps, 'activation', link),
      note(
        `The link works once, within ${hoursText(LINK_HOURS.activate)}. Didn’t sign up? Ignore this email: the account stays inactive.`,
      ),
    ],
  })
  const email = { kind: 'activation', to, content, goodUntil: expiryOf(deps, 'activate') } as const
  return queueEmail(tx, deps.secrets, email, deps.now())
}

/** Notifies an owner that somebody signed up with their address again. */
export function mailAddressTaken(tx: Tx, deps: AccountDeps, to: string): Promise<void> {
  const content = filledEmail(deps, 'address-taken', {
    links: [
      buttonOf(deps, 'address-taken', signInPage(deps)),
      note(`If it was you and you forgot your password, set a new one: ${forgotPage(deps)}`),
      note('If it was not you, you can ignore this email.'),
    ],
  })
  return queueEmail(tx, deps.secrets, { kind: 'address-taken', to, content }, deps.now())
}

/** Sends a recovery link. */
export function mailRecovery(tx: Tx, deps: AccountDeps, to: string, link: string): Promise<void> {
  const content = filledEmail(deps, 'recovery', {
    links: [
      buttonOf(deps, 'recovery', link),
      note(
        `The link works once, within ${hoursText(LINK_HOURS.reset)}. If it was not you, ignore this email: your password stays the same.`,
      ),
    ],
  })
  const email = { kind: 'recovery', to, content, goodUntil: expiryOf(deps, 'reset') } as const
  return queueEmail(tx, deps.secrets, email, deps.now())
}

/** Notifies an owner that the password was changed. */
export function mailPasswordChanged(tx: Tx, deps: AccountDeps, to: string): Promise<void> {
  const content = noticeOf(deps, 'password-changed')
  return queueEmail(tx, deps.secrets, { kind: 'password-changed', to, content }, deps.now())
}

/** Asks the old or the new address of an account whether its email is to be changed. */
export function mailEmailChange(
  tx: Tx,
  deps: AccountDeps,
  which: 'old' | 'new',
  to: string,
  { link, goodUntil }: { link: string; goodUntil: Date },
): Promise<void> {
  const otherwise =
    which === 'old'
      ? 'Without it your account keeps this address.'
      : 'If it was not you, you can ignore this email.'
  const content = filledEmail(deps, `email-change-${which}`, {
    links: [
      buttonOf(deps, `email-change-${which}`, link),
      note(`The link works for ${hoursText(LINK_HOURS['email-change'])}. ${otherwise}`),
    ],
  })
  return queueEmail(tx, deps.secrets, { kind: 'email-change', to, content, goodUntil }, deps.now())
}

/** Tells the old and the new address that the email of the account was changed. */
export async function mailEmailChanged(tx: Tx, deps: AccountDeps, from: string, to: string): Promise<void> {
  const emails = (['old', 'new'] as const).map((which) => ({
    kind: 'email-changed' as const,
    to: which === 'old' ? from : to,
    content: filledEmail(deps, `email-changed-${which}`, {
      links: [buttonOf(deps, 'email-changed-new', signInPage(deps))],
      warning: [note('If it was not you, please contact us at once.')],
    }),
  }))
  await queueEmails(tx, deps.secrets, emails, deps.now())
}

/** Tells the address of an account that its owner, or whoever was logged in to it, has deleted it. */
export function mailAccountErased(tx: Tx, deps: AccountDeps, to: string): Promise<void> {
  const content = filledEmail(deps, 'account-erased', {
    warning: [
      note(
        'If it was not you, please contact us: we can’t bring the account back, but we can look at what happened.',
      ),
    ],
  })
  return queueEmail(tx, deps.secrets, { kind: 'account-erased', to, content }, deps.now())
}

/** Notifies an owner that the second factor or a passkey changed. */
export function mailSecurityEvent(
  tx: Tx,
  deps: AccountDeps,
  to: string,
  change: SecurityEvent,
): Promise<void> {
  const content = noticeOf(deps, `second-factor-${change}`)
  return queueEmail(tx, deps.secrets, { kind: `second-factor-${change}`, to, content }, deps.now())
}

/** What an owner is notified of. */
type SecurityEvent = 'on' | 'off' | 'codes' | 'code-used' | 'passkey-added' | 'passkey-removed'

/** Tells an owner of something done with the account, and what to do where it was somebody else. */
const noticeOf = (
  deps: AccountDeps,
  name: 'password-changed' | `second-factor-${SecurityEvent}`,
): EmailContent =>
  filledEmail(deps, name, {
    warning: [note(`If it was not you, set a new password right away: ${forgotPage(deps)}`)],
  })
