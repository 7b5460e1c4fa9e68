/** Every kind of email that the shop sends, with its label for managers. */
export const emailKinds = {
  activation: 'activation email',
  'address-taken': 'email that there is an account already',
  recovery: 'email to set a new password',
  'password-changed': 'notice of a changed password',
  'second-factor-on': 'notice that two-step login is on',
  'second-factor-off': 'notice that two-step login is off',
  'second-factor-codes': 'notice of new recovery codes',
  'second-factor-code-used': 'notice of a used recovery code',
  'second-factor-passkey-added': 'notice of a new passkey',
  'second-factor-passkey-removed': 'notice of a removed passkey',
  'supplier-invited': 'invitation of a supplier',
  excursion: 'notice of an excursion',
  'order-waiting': 'request to confirm an order',
  'order-not-left': 'notice that a paid order could not be filled',
  'order-placed': 'confirmation of an order',
  'order-changed': 'notice of a weighed order',
  'order-left-out': 'notice of what was left out of an order',
  'order-replaced': 'notice that fish of an order was replaced',
  'order-moved': 'notice of a new time for an order',
  'order-ready': 'notice that an order is ready',
  'order-sent': 'notice that an order is on its way',
  'order-cancelled': 'notice of a cancelled order',
  'order-unpaid': 'notice that an order is no longer paid',
  'order-refunded': 'notice of a refunded payment',
  'order-recalled': 'recall of what was sold',
  'order-recall-withdrawn': 'notice that a recall was withdrawn',
} as const
export type EmailKind = keyof typeof emailKinds

const isKnown = (kind: string): kind is EmailKind => Object.hasOwn(emailKinds, kind)

/** The label of a queued email; its bare kind for one that another version of the shop queued. */
export const emailLabel = (kind: string): string =>
  isKnown(kind) ? emailKinds[kind] : `${kind.replaceAll('-', ' ')} email`
