import { hoursText, LINK_HOURS } from '@befaqt/domain/link-hours'
import { button, type EmailContent, note, text } from '#server/mail/email-content.ts'

/*
 * Emails about accounts. Those to an unverified address contain nothing that a stranger typed: no name, no text that
 * could pass for ours.
 */

/** Verifies the address of a new account. */
export const activationEmail = (shop: string, link: string): EmailContent => ({
  subject: `Activate your ${shop} account`,
  heading: 'Activate your account',
  blocks: [
    text(`Somebody, we hope you, signed up at ${shop} with this email address.`),
    button('Activate my account', link),
    note(
      `The link works once, within ${hoursText(LINK_HOURS.activate)}. If it was not you, do nothing: the account stays shut.`,
    ),
  ],
})

/** Sent to an owner whose address was used to sign up again. */
export const addressTakenEmail = (shop: string, signIn: string, forgot: string): EmailContent => ({
  subject: `You have a ${shop} account already`,
  heading: 'You have an account already',
  blocks: [
    text(
      `Somebody tried to sign up at ${shop} with this email address. It has an account, so nothing changed.`,
    ),
    button('Log in', signIn),
    note(`If it was you and the password is lost, ask for a new one: ${forgot}`),
    note('If it was not you, you need not do anything.'),
  ],
})

/** Sent after a request for a new password. */
export const recoveryEmail = (shop: string, link: string): EmailContent => ({
  subject: `Set a new ${shop} password`,
  heading: 'Set a new password',
  blocks: [
    text(`A new password was asked for at ${shop} for this email address.`),
    button('Set a new password', link),
    note(
      `The link works once, within ${hoursText(LINK_HOURS.reset)}. If it was not you, do nothing: the old password stays.`,
    ),
  ],
})

const changeNotice = (subject: string, heading: string, what: string, forgot: string): EmailContent => ({
  subject,
  heading,
  blocks: [text(what), note(`If it was not you, set a new password at once: ${forgot}`)],
})

/** Sent after a password was changed or reset. */
export const passwordChangedEmail = (shop: string, forgot: string): EmailContent =>
  changeNotice(
    `Your ${shop} password was changed`,
    'Your password was changed',
    'The password of your account was changed. Everywhere else you have been logged out.',
    forgot,
  )

const SECURITY_EVENTS = {
  on: ['Two-step login is on', 'Logging in to your account now takes a code beside the password.'],
  off: ['Two-step login is off', 'Logging in to your account takes only the password now.'],
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
export type SecurityEvent = keyof typeof SECURITY_EVENTS

/** Sent after the second factor or a passkey was changed. */
export function securityEventEmail(shop: string, change: SecurityEvent, forgot: string): EmailContent {
  const [heading, what] = SECURITY_EVENTS[change]
  return changeNotice(`${shop}: ${heading.toLowerCase()}`, heading, what, forgot)
}
