import { type EmailText, shopEmailTexts } from './email-texts-shop.ts'

const SEE_ORDER = 'See your order'
const DETAILS = '{{details}}\n\n{{links}}'

/** A notice to the owner of an account of what was done with it. */
const notice = (title: string, heading: string, subject: string, text: string): EmailText => ({
  ...{ title, heading, subject },
  text: `${text}\n\n{{warning}}`,
})

const secondFactor = (heading: string, text: string): EmailText =>
  notice(
    `Account: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`,
    heading,
    `{{shop}}: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`,
    text,
  )

const ofOrder = (title: string, subject: string, heading: string, text: string): EmailText => ({
  ...{ title: `Order: ${title}`, subject, heading, button: SEE_ORDER },
  text: `${text}\n\n${DETAILS}`,
})

const texts = {
  'order-placed': ofOrder(
    'placed',
    'Your order {{order}}',
    'Thank you for your order',
    'We have your order. What is sold by weight is weighed when we pack it; its price follows the weight.',
  ),
  'order-waiting': {
    title: 'Order: waits to be confirmed',
    subject: 'Please confirm your order',
    heading: 'Please confirm your order',
    text: `Somebody ordered this with your address, for the first time and a lot of it. Nothing is taken for it yet: please open the link and confirm it there within 24 hours. What is left then is yours.\n\n${DETAILS}`,
    button: 'See and confirm the order',
  },
  'order-not-left': {
    title: 'Order: paid, but could not be filled',
    subject: 'Your order could not be filled',
    heading: 'Your order could not be filled',
    text: '{{reason}}\n\nNothing is charged: what is held on your card is released.',
  },
  'order-amended': ofOrder(
    'changed by its buyer',
    'Your order {{order}} was changed',
    'Your order was changed',
    'This is your order as it is now. It takes the place of what we wrote before.',
  ),
  'order-changed': ofOrder(
    'weighed',
    'Your order {{order}} was weighed',
    'Your order was weighed',
    'These are the weights and the total of your order.',
  ),
  'order-asks': ofOrder(
    'weighed, costs more than agreed',
    'Your order {{order}} was weighed',
    'Your order was weighed',
    'It weighs more than you ordered and costs more than you agreed to. We will pack it once you accept the new total; otherwise you can cancel it.',
  ),
  'order-left-out': ofOrder(
    'something left out',
    'Something was left out of your order {{order}}',
    'We had to leave something out',
    'You pay nothing for it. The rest of your order stays as it is; if you don’t want it like this, you can cancel it.',
  ),
  'order-replaced': ofOrder(
    'recalled fish replaced',
    'Fish in your order {{order}} was replaced',
    'We replaced the fish that we recalled',
    '{{recall}}',
  ),
  'order-moved': ofOrder(
    'moved',
    'A new time for your order {{order}}',
    'Your order has a new time',
    'We had to move your order. If the new time does not suit you, please contact us.',
  ),
  'order-ready': ofOrder(
    'packed, ready for pick-up',
    'Your order {{order}} is ready',
    'Your order is ready',
    'You can pick it up at the time below. Keep it cold on the way home.',
  ),
  'order-sent': ofOrder(
    'on its way',
    'Your order {{order}} is on its way',
    'Your order is on its way',
    'It will arrive at the time below.',
  ),
  'order-cancelled': ofOrder(
    'cancelled',
    'Your order {{order}} was cancelled',
    'Your order was cancelled',
    'Nothing will be charged.',
  ),
  'order-cancelled-paid': ofOrder(
    'cancelled after its card was charged',
    'Your order {{order}} was cancelled',
    'Your order was cancelled',
    'What was charged to your card is refunded; another email will say when that is done.',
  ),
  'order-unpaid': ofOrder(
    'no longer paid by card',
    'Your card was not charged for order {{order}}',
    'Your card was not charged',
    'The bank ended its hold on your card before your order was packed. Your order stands: you pay when you get it, or by card again.',
  ),
  'order-refunded': ofOrder(
    'payment refunded',
    'Your card payment for order {{order}} was refunded',
    'Your card payment was refunded',
    'Your order was cancelled, and this is what became of its payment. Banks may take some days to show it.',
  ),
  'order-recalled': {
    title: 'Recall: of what was sold',
    subject: '{{do-not-eat-it}}: recall of fish in your order {{order}}',
    heading: '{{please-do-not-eat}}',
    text: `{{recall}}\n\n${DETAILS}`,
    button: 'See the box',
  },
  'order-recall-withdrawn': {
    title: 'Recall: withdrawn',
    subject: 'The recall of fish in your order {{order}} was withdrawn',
    heading: 'The recall was withdrawn',
    text: `{{recall}}\n\n${DETAILS}`,
    button: 'See the box',
  },
  'complaint-received': {
    title: 'Complaint: received',
    subject: 'We have your message about order {{order}}',
    heading: 'We are sorry that something is wrong',
    text: `Somebody in our shop reads it and answers you by email.\n\n${DETAILS}`,
    button: 'See it, or take it back',
  },
  'complaint-answered': {
    title: 'Complaint: answered',
    subject: 'Our answer about order {{order}}',
    heading: 'Our answer',
    text: '{{answer}}\n\n{{links}}',
    button: SEE_ORDER,
  },
  'stock-confirm': {
    title: 'Told when it is there: please confirm',
    subject: 'Shall we tell you?',
    heading: 'Shall we tell you?',
    text: 'Somebody asked {{shop}} to send one email to this address when this can be bought: {{what}}.\n\n{{links}}',
    button: 'Yes, tell me',
  },
  'stock-waiting': {
    title: 'Told when it is there: waits already',
    subject: 'You are on the list',
    heading: 'You are on the list',
    text: 'Somebody asked to be told when this can be bought: {{what}}. {{answered}}\n\n{{warning}}',
  },
  'stock-back': {
    title: 'Told when it is there: it is',
    subject: '{{news}}',
    heading: '{{news}}',
    text: 'You wanted to know when it can be bought: {{what}} is there now. Nothing of it is kept for you.\n\n{{links}}',
    button: 'See it',
  },
  activation: {
    title: 'Account: activation',
    subject: 'Activate your {{shop}} account',
    heading: 'Activate your account',
    text: 'Confirm your email address to activate your {{shop}} account.\n\n{{links}}',
    button: 'Activate my account',
  },
  'address-taken': {
    title: 'Account: there is one already',
    subject: 'You have a {{shop}} account already',
    heading: 'You have an account already',
    text: 'Somebody tried to sign up at {{shop}} with this email address. It has an account, so nothing changed.\n\n{{links}}',
    button: 'Log in',
  },
  recovery: {
    title: 'Account: set a new password',
    subject: 'Set a new {{shop}} password',
    heading: 'Set a new password',
    text: 'Somebody asked to reset the password of the {{shop}} account with this email address.\n\n{{links}}',
    button: 'Set a new password',
  },
  'password-changed': notice(
    'Account: password was changed',
    'Your password was changed',
    'Your {{shop}} password was changed',
    'The password of your account was changed. You have been logged out on all other devices.',
  ),
  'email-change-old': {
    title: 'Account: new email, to the old one',
    subject: 'Change the email of your {{shop}} account?',
    heading: 'A new email for your account?',
    text: 'Somebody who is logged in to your {{shop}} account asked to change its email to another address. It changes when both addresses have confirmed it.\n\n{{links}}',
    button: 'Confirm, or say that it was not you',
  },
  'email-change-new': {
    title: 'Account: new email, to the new one',
    subject: 'Change the email of your {{shop}} account?',
    heading: 'Is this your new email?',
    text: 'Somebody asked to use this address for their {{shop}} account. It changes when both its addresses have confirmed it.\n\n{{links}}',
    button: 'Confirm, or say that it was not you',
  },
  'email-changed-old': notice(
    'Account: email was changed, to the old one',
    'Your email was changed',
    'The email of your {{shop}} account was changed',
    'Both addresses confirmed it: your account has another email from now on. We write nothing about it to this address any more.',
  ),
  'email-changed-new': {
    ...notice(
      'Account: email was changed, to the new one',
      'Your email was changed',
      'The email of your {{shop}} account was changed',
      'Both addresses confirmed it: you log in with this address from now on, with the same password.\n\n{{links}}',
    ),
    button: 'Log in',
  },
  'account-erased': notice(
    'Account: deleted',
    'Your account was deleted',
    'Your {{shop}} account was deleted',
    'Your account and what we kept of you are deleted, and we forget this address once this email is sent. What you bought stays in our books without your name, where the law wants an invoice as it was.',
  ),
  'second-factor-on': secondFactor(
    'Two-step login is on',
    'Logging in to your account now needs a code as well as the password.',
  ),
  'second-factor-off': secondFactor(
    'Two-step login is off',
    'Logging in to your account now needs only the password.',
  ),
  'second-factor-codes': secondFactor(
    'New recovery codes',
    'New recovery codes were made for your account. The old ones no longer work.',
  ),
  'second-factor-code-used': secondFactor(
    'A recovery code was used',
    'Somebody logged in to your account with one of its recovery codes.',
  ),
  'second-factor-passkey-added': secondFactor(
    'A passkey was added',
    'A new passkey can log in to your account without the password.',
  ),
  'second-factor-passkey-removed': secondFactor(
    'A passkey was removed',
    'A passkey was removed from your account and can no longer log in.',
  ),
  ...shopEmailTexts,
} as const satisfies Record<string, EmailText>
export type EmailName = keyof typeof texts

/** Every email as it is until staff say it otherwise: those to shoppers, and then those to staff and suppliers. */
export const emailTexts: Readonly<Record<EmailName, EmailText>> = texts
