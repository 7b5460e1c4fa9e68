import { button, type Letter, note, text } from '#server/mail/letter.ts'

/*
 * Mails about accounts. Those that go to an address before its owner has proved to be the account's hold nothing
 * that a stranger typed: no name, no words that could pass for ours.
 */

/** To a new account's address, to prove that it is its owner's. */
export const activationLetter = (shop: string, link: string): Letter => ({
  subject: `Activate your ${shop} account`,
  heading: 'Activate your account',
  blocks: [
    text(`Somebody, we hope you, signed up at ${shop} with this e-mail address.`),
    button('Activate my account', link),
    note('The link works once, within 24 hours. If it was not you, do nothing: the account stays shut.'),
  ],
})

/** To the owner of an account whose address was used to sign up again. */
export const addressTakenLetter = (shop: string, signIn: string, forgot: string): Letter => ({
  subject: `You have a ${shop} account already`,
  heading: 'You have an account already',
  blocks: [
    text(
      `Somebody tried to sign up at ${shop} with this e-mail address. It has an account, so nothing changed.`,
    ),
    button('Log in', signIn),
    note(`If it was you and the password is lost, ask for a new one: ${forgot}`),
    note('If it was not you, you need not do anything.'),
  ],
})

/** To who asked for a new password. */
export const recoveryLetter = (shop: string, link: string): Letter => ({
  subject: `Set a new ${shop} password`,
  heading: 'Set a new password',
  blocks: [
    text(`A new password was asked for at ${shop} for this e-mail address.`),
    button('Set a new password', link),
    note('The link works once, within 1 hour. If it was not you, do nothing: the old password stays.'),
  ],
})

const changed = (subject: string, heading: string, what: string, forgot: string): Letter => ({
  subject,
  heading,
  blocks: [text(what), note(`If it was not you, set a new password at once: ${forgot}`)],
})

/** After a password was changed or reset. */
export const passwordChangedLetter = (shop: string, forgot: string): Letter =>
  changed(
    `Your ${shop} password was changed`,
    'Your password was changed',
    'The password of your account was changed. Everywhere else you have been logged out.',
    forgot,
  )

const GUARD_CHANGES = {
  on: ['The second factor is on', 'Logging in to your account now takes a code beside the password.'],
  off: ['The second factor is off', 'Logging in to your account takes only the password now.'],
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

/** What can happen to the second factor and passkeys. */
export type GuardChange = keyof typeof GUARD_CHANGES

/** After the second factor or a passkey was changed. */
export function guardChangedLetter(shop: string, change: GuardChange, forgot: string): Letter {
  const [heading, what] = GUARD_CHANGES[change]
  return changed(`${shop}: ${heading.toLowerCase()}`, heading, what, forgot)
}
