import type { EmailPreview } from '@befaqt/domain/email-templates'
import { type EmailName, emailTexts } from '@befaqt/domain/email-texts'
import type { EmailTemplate } from '@befaqt/domain/email-texts-shop'
import type { SiteValueOf } from '@befaqt/domain/site-settings'
import {
  type Block,
  button,
  buttonText,
  DO_NOT_EAT,
  emailBody,
  emailText,
  type Filling,
  fillEmail,
  note,
  rowsOf,
  text,
} from '#server/mail/email-content.ts'
import { wholeEmail } from './settings.ts'

export type PreviewDeps = { config: { PUBLIC_URL: string }; siteFile: { name: string } }

const DETAILS = rowsOf([
  ['Order', 'SAMPLE-1'],
  ['Pick-up', 'at the time that was chosen'],
  ['A sample fish', 'about 1 kg at $30.00/kg, to be weighed'],
  ['Total', '$30.00'],
])

/** An email as a template would make it, with sample facts: no real order, person or link is in it. */
export function previewEmail({ config, siteFile }: PreviewDeps, said: SiteValueOf<'email'>): EmailPreview {
  const sender = { name: siteFile.name, url: config.PUBLIC_URL }
  const { email, ...template } = wholeEmail(said)
  const content = fillEmail(template, sampleOf(email as EmailName, template, sender))
  return { subject: content.subject, html: emailBody(content, sender), text: emailText(content, sender) }
}

/** What an email is about, where that is no order. */
const detailsOf = (name: EmailName): readonly Block[] =>
  name.startsWith('excursion-') ? [text('How warm it was, and for how long, is said here.')] : [DETAILS]

function sampleOf(
  name: EmailName,
  template: EmailTemplate,
  { name: shop, url }: { name: string; url: string },
): Filling {
  const links: Block[] = [
    ...(emailTexts[name].button ? [button(buttonText(template, shop), `${url}/sample`)] : []),
    note('What has to be said of the link is said here.'),
  ]
  return {
    shop,
    order: 'SAMPLE-1',
    box: 'SAMPLE-2',
    rights: 'what they may do there',
    what: 'A sample fish',
    news: 'A sample fish has landed',
    answered: 'What became of it is said here.',
    ...DO_NOT_EAT,
    details: detailsOf(name),
    links,
    warning: [note('What to do if it was not you is said here.')],
    reason: [text('The reason that the shop gave is said here.')],
    answer: [text('What the shop answers is said here.')],
    recall: [text('What has to be said of the recall, and why, is said here.')],
  }
}
