/** What an email says around what the shop knows, which is filled in for `{{…}}`. `button`: what its first button says. */
export type EmailTemplate = { subject: string; heading: string; text: string; button?: string | undefined }

/** `title`: what staff call it. An email without a `button` has none. */
export type EmailText = EmailTemplate & { title: string }

const LATE = 'Readings that came late, or a correction, show that'

/** News of an excursion to who is told of them. */
const excursion = (title: string, what: string, why = ''): EmailText => ({
  title: `Excursion: ${title}`,
  subject: `{{shop}}: an excursion of box {{box}} ${what}`,
  heading: `Box {{box}}: an excursion ${what}`,
  text: `${why === '' ? '' : `${why}\n\n`}{{details}}\n\n{{links}}`,
  button: 'Look at it',
})

const complaint = (title: string, what: string): EmailText => ({
  title: `Complaint: to the shop, ${title}`,
  subject: '{{shop}}: something is wrong with order {{order}}',
  heading: `Order {{order}}: ${what}`,
  text: '{{details}}\n\n{{links}}',
  button: 'Look at it',
})

/** Emails to those who work at the desk or bring fish, as they are until staff say them otherwise. */
export const shopEmailTexts = {
  'excursion-opened': excursion('began', 'began'),
  'excursion-ended': excursion('ended', 'ended by itself'),
  'excursion-resumed': excursion('goes on after all', 'has not ended', `${LATE} it goes on.`),
  'excursion-closed': excursion('closed', 'was closed by a manager'),
  'excursion-reopened': excursion(
    'open again',
    'is open again',
    'A manager had closed it. Since then it became worse.',
  ),
  'excursion-withdrawn': excursion('was none', 'was none', `${LATE} there was no such excursion.`),
  'excursion-merged': excursion(
    'part of another',
    'is part of another',
    `${LATE} it is one with another one.`,
  ),
  'complaint-notice': complaint('of an order', 'a complaint'),
  'complaint-notice-boxes': complaint('boxes to look at', 'look at it now'),
  'staff-invited': {
    title: 'Staff: invited to the desk',
    subject: 'Work at the desk of {{shop}}',
    heading: 'You are invited',
    text: '{{shop}} invites you to its desk, for: {{rights}}.\n\n{{links}}',
    button: 'Look at the invitation',
  },
  'supplier-invited': {
    title: 'Supplier: invited to record catches',
    subject: 'Record your catches at {{shop}}',
    heading: 'You are invited',
    text: '{{shop}} invites you to record catches and hand-overs of fish boxes on your phone, also offline.\n\n{{links}}',
    button: 'Set up my access',
  },
} as const satisfies Record<string, EmailText>

/** Whether an email is to staff or suppliers, not to who buys. */
export const isToShop = (name: string): name is keyof typeof shopEmailTexts =>
  Object.hasOwn(shopEmailTexts, name)
