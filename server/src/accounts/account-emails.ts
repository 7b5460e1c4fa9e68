import { hoursText, LINK_HOURS } from '@befaqt/domain/link-hours'
import type { Tx } from '#server/db/client.ts'
import { button, type EmailContent, note, text } from '#server/mail/email-content.ts'
import { queueEmail, queueEmails } from '#server/mail/send-email.ts'
import type { AccountDeps } from './account.ts'
import { type Purpose, TOKEN_LIFETIME_S } from './tokens.ts'

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

/** Asks the old or the new address of an account whether its email is to be changed. */
export function mailEmailChange(
  tx: Tx,
  deps: AccountDeps,
  which: 'old' | 'new',
  to: string,
  { link, goodUntil }: { link: string; goodUntil: Date },
): Promise<void> {
  const content = emailChangeEmail(deps.siteFile.name, which, link)
  return queueEmail(tx, deps.secrets, { kind: 'email-change', to, content, goodUntil }, deps.now())
}

/** Tells the old and the new address that the email of the account was changed. */
export async function mailEmailChanged(tx: Tx, deps: AccountDeps, from: string, to: string): Promise<void> {
  const emails = (['old', 'new'] as const).map((which) => ({
    kind: 'email-changed' as const,
    to: which === 'old' ? from : to,
    content: emailChangedEmail(deps.siteFile.name, which, `${deps.config.PUBLIC_URL}/user/signin`),
  }))
  await queueEmails(tx, deps.secrets, emails, deps.now())
}

/** Tells the address of an account that its owner, or whoever was logged in to it, has deleted it. */
export function mailAccountErased(tx: Tx, deps: AccountDeps, to: string): Promise<void> {
  const content = accountErasedEmail(deps.siteFile.name)
  return queueEmail(tx, deps.secrets, { kind: 'account-erased', to, content }, deps.now())
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

/*
 * Emails about accounts. Those to an unverified address contain nothing that a stranger typed: no name, no text that
 * could pass for ours.
 */

/** Verifies the address of a new account. */
const activationEmail = (shop: string, link: string): EmailContent => ({
  subject: `Activate your ${shop} account`,
  heading: 'Activate your account',
  blocks: [
    text(`Confirm your email address to activate your ${shop} account.`),
    button('Activate my account', link),
    note(
      `The link works once, within ${hoursText(LINK_HOURS.activate)}. Didn’t sign up? Ignore this email: the account stays inactive.`,
    ),
  ],
})

/** Sent to an owner whose address was used to sign up again. */
const addressTakenEmail = (shop: string, signIn: string, forgot: string): EmailContent => ({
  subject: `You have a ${shop} account already`,
  heading: 'You have an account already',
  blocks: [
    text(
      `Somebody tried to sign up at ${shop} with this email address. It has an account, so nothing changed.`,
    ),
    button('Log in', signIn),
    note(`If it was you and you forgot your password, set a new one: ${forgot}`),
    note('If it was not you, you can ignore this email.'),
  ],
})

/** Sent after a request for a new password. */
const recoveryEmail = (shop: string, link: string): EmailContent => ({
  subject: `Set a new ${shop} password`,
  heading: 'Set a new password',
  blocks: [
    text(`Somebody asked to reset the password of the ${shop} account with this email address.`),
    button('Set a new password', link),
    note(
      `The link works once, within ${hoursText(LINK_HOURS.reset)}. If it was not you, ignore this email: your password stays the same.`,
    ),
  ],
})

const changeNotice = (subject: string, heading: string, what: string, forgot: string): EmailContent => ({
  subject,
  heading,
  blocks: [text(what), note(`If it was not you, set a new password right away: ${forgot}`)],
})

/** Sent after a password was changed or reset. */
const passwordChangedEmail = (shop: string, forgot: string): EmailContent =>
  changeNotice(
    `Your ${shop} password was changed`,
    'Your password was changed',
    'The password of your account was changed. You have been logged out on all other devices.',
    forgot,
  )

/** Sent to both addresses; which the other one is stays unsaid, since a stranger may have typed it. */
const emailChangeEmail = (shop: string, which: 'old' | 'new', link: string): EmailContent => ({
  subject: `Change the email of your ${shop} account?`,
  heading: which === 'old' ? 'A new email for your account?' : 'Is this your new email?',
  blocks: [
    text(
      which === 'old'
        ? `Somebody who is logged in to your ${shop} account asked to change its email to another address. It changes when both addresses have confirmed it.`
        : `Somebody asked to use this address for their ${shop} account. It changes when both its addresses have confirmed it.`,
    ),
    button('Confirm, or say that it was not you', link),
    note(
      which === 'old'
        ? `The link works for ${hoursText(LINK_HOURS['email-change'])}. Without it your account keeps this address.`
        : `The link works for ${hoursText(LINK_HOURS['email-change'])}. If it was not you, you can ignore this email.`,
    ),
  ],
})

const emailChangedEmail = (shop: string, which: 'old' | 'new', signIn: string): EmailContent => ({
  subject: `The email of your ${shop} account was changed`,
  heading: 'Your email was changed',
  blocks: [
    text(
      which === 'old'
        ? 'Both addresses confirmed it: your account has another email from now on. We write nothing about it to this address any more.'
        : 'Both addresses confirmed it: you log in with this address from now on, with the same password.',
    ),
    ...(which === 'new' ? [button('Log in', signIn)] : []),
    note('If it was not you, please contact us at once.'),
  ],
})

const accountErasedEmail = (shop: string): EmailContent => ({
  subject: `Your ${shop} account was deleted`,
  heading: 'Your account was deleted',
  blocks: [
    text(
      'Your account and what we kept of you are deleted, and we forget this address once this email is sent. What you bought stays in our books without your name, where the law wants an invoice as it was.',
    ),
    note(
      'If it was not you, please contact us: we can’t bring the account back, but we can look at what happened.',
    ),
  ],
})

const SECURITY_EVENTS = {
  on: ['Two-step login is on', 'Logging in to your account now needs a code as well as the password.'],
  off: ['Two-step login is off', 'Logging in to your account now needs only the password.'],
  codes: [
    'New recovery codes',
    'New recovery codes were made for your account. The old ones no longer work.',
  ],
  'code-used': [
    'A recovery code was used',
    'Somebody logged in to your account with one of its recovery codes.',
  ],
  'passkey-added': ['A passkey was added', 'A new passkey can log in to your account without the password.'],
  'passkey-removed': [
    'A passkey was removed',
    'A passkey was removed from your account and can no longer log in.',
  ],
} as const

/** What an owner is notified of. */
type SecurityEvent = keyof typeof SECURITY_EVENTS

/** Sent after the second factor or a passkey was changed. */
function securityEventEmail(shop: string, change: SecurityEvent, forgot: string): EmailContent {
  const [heading, what] = SECURITY_EVENTS[change]
  return changeNotice(`${shop}: ${heading.toLowerCase()}`, heading, what, forgot)
}
