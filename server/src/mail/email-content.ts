import { type EmailBlock, type EmailFact, isEmailBlock } from '@befaqt/domain/email-templates'
import type { EmailName } from '@befaqt/domain/email-texts'
import type { EmailTemplate } from '@befaqt/domain/email-texts-shop'
import { escapeHtml } from '#server/http/escape-html.ts'

/** A part of an email; rendered as HTML and as plain text. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'rows'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'note'; text: string }

/**
 * An email's content without its layout. Texts are plain; they are escaped when they are rendered. `stop`: where all
 * emails of its kind can be ended: a page with a button, and a form that mail programs send there.
 */
export type EmailContent = {
  subject: string
  heading: string
  blocks: readonly Block[]
  stop?: string | undefined
}

export const text = (text: string): Block => ({ kind: 'text', text })
export const button = (label: string, url: string): Block => ({ kind: 'button', label, url })
export const rowsOf = (rows: readonly (readonly [string, string])[]): Block => ({ kind: 'rows', rows })
/** In small print; one of several lines is to be copied as it is. */
export const note = (text: string): Block => ({ kind: 'note', text })

/** Where what staff made of emails is found: read before the transaction that queues one. */
export type EmailTexts = {
  site: { known: { email(name: EmailName): EmailTemplate } }
  siteFile: { name: string }
}

/** What an email fills in for its placeholders. */
export type Filling = Partial<Record<EmailFact, string> & Record<EmailBlock, readonly Block[]>>

/** The email that a template and what its placeholders stand for make. What is filled in is not looked through again. */
export function filledEmail({ site, siteFile }: EmailTexts, name: EmailName, filling: Filling): EmailContent {
  const { subject, heading, text } = site.known.email(name)
  return fillEmail({ subject, heading, text }, { shop: siteFile.name, ...filling })
}

/** The same, of any template. */
export function fillEmail(template: EmailTemplate, filling: Filling): EmailContent {
  const values = new Map<string, string | readonly Block[] | undefined>(Object.entries(filling))
  const fill = (line: string): string =>
    line
      .replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
        const value = values.get(name)
        return typeof value === 'string' ? value : ''
      })
      .trim()
  const blocksOf = (line: string): readonly Block[] => {
    const [, name = ''] = /^\{\{([\w-]+)\}\}$/.exec(line) ?? []
    const value = values.get(name)
    if (isEmailBlock(name) && typeof value === 'object') return value
    const filled = fill(line)
    return filled === '' ? [] : [text(filled)]
  }
  return {
    subject: fill(template.subject),
    heading: fill(template.heading),
    blocks: template.text.split('\n').flatMap((line) => blocksOf(line.trim())),
  }
}

/** What no recall may leave out. */
export const DO_NOT_EAT = {
  'do-not-eat-it': 'Do not eat it',
  'please-do-not-eat': 'Please do not eat this fish',
} as const satisfies Filling

/** The first button of an email, as it says by its template. */
export const buttonOf = ({ site, siteFile }: EmailTexts, name: EmailName, url: string): Block =>
  button(buttonText(site.known.email(name), siteFile.name), url)

/** What the button of a template says, with the shop's name for `{{shop}}`. */
export const buttonText = ({ button: said = 'Open' }: EmailTemplate, shop: string): string =>
  said.replaceAll('{{shop}}', () => shop)

/** The sender, for header and footer. */
export type Sender = { name: string; url: string }

const INK = '#12232b'
const SLATE = '#4a5c65'
const FOAM = '#eef3f4'
const LINE = '#d5dfe2'
const TEAL = '#0b5c63'
const SERIF = "Fraunces, Georgia, 'Times New Roman', serif"
const SANS = "'Instrument Sans', 'Helvetica Neue', Arial, sans-serif"

const paragraph = (size: number, colour: string, inner: string): string =>
  `<p style="margin:0 0 16px;font:${size}px/1.5 ${SANS};color:${colour}">${inner}</p>`

/** A button with its URL below: some mail programs show no buttons, and some people don't trust them. */
const buttonHtml = (label: string, url: string): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:14px 24px;border-radius:8px;background:${TEAL};color:#ffffff;font:600 16px/1.2 ${SANS};text-decoration:none">${escapeHtml(label)}</a></p>${paragraph(
    13,
    SLATE,
    `Or open this address: <span style="word-break:break-all">${escapeHtml(url)}</span>`,
  )}`

const copiedHtml = (text: string): string =>
  `<pre style="margin:0 0 16px;padding:12px;background:${FOAM};font:12px/1.5 Menlo, Consolas, monospace;color:${INK};white-space:pre-wrap;word-break:break-all">${escapeHtml(text)}</pre>`

const cell = `padding:6px 0;border-top:1px solid ${LINE};font:15px/1.4 ${SANS}`

const tableRow = ([label, value]: readonly [string, string]): string =>
  `<tr><th align="left" style="${cell};padding-right:16px;color:${SLATE};font-weight:400">${escapeHtml(label)}</th><td style="${cell};color:${INK}">${escapeHtml(value)}</td></tr>`

function blockHtml(block: Block): string {
  if (block.kind === 'button') return buttonHtml(block.label, block.url)
  if (block.kind === 'note')
    return block.text.includes('\n') ? copiedHtml(block.text) : paragraph(13, SLATE, escapeHtml(block.text))
  if (block.kind === 'text') return paragraph(16, INK, escapeHtml(block.text))
  return `<table role="presentation" width="100%" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse">${block.rows.map(tableRow).join('')}</table>`
}

const smallLink = (label: string, url: string): string =>
  `<a href="${escapeHtml(url)}" style="color:${SLATE}">${escapeHtml(label)}</a>`

/** The content as HTML: one column, inline styles, no external resources. */
export const emailHtml = (content: EmailContent, sender: Sender): string =>
  `<!doctype html>
<html lang="en-AU">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapeHtml(content.subject)}</title>
</head>
<body style="margin:0;background:${FOAM}">
${emailBody(content, sender)}
</body>
</html>
`

/** What a mail program shows of it. */
export const emailBody = (content: EmailContent, { name, url }: Sender): string =>
  `<div style="padding:24px 12px;background:${FOAM}">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font:600 20px/1.2 ${SERIF};color:${TEAL}">${escapeHtml(name)}</p>
<div style="padding:32px 28px 16px;background:#ffffff;border:1px solid ${LINE};border-radius:12px;overflow-wrap:anywhere">
<h1 style="margin:0 0 20px;font:600 26px/1.25 ${SERIF};color:${INK}">${escapeHtml(content.heading)}</h1>
${content.blocks.map(blockHtml).join('\n')}
</div>
<p style="margin:16px 4px;font:13px/1.5 ${SANS};color:${SLATE}">${escapeHtml(name)} · ${smallLink(url, url)}${content.stop === undefined ? '' : ` · ${smallLink('Stop these emails', content.stop)}`}</p>
</div>
</div>`

function blockText(block: Block): string {
  if (block.kind === 'button') return `${block.label}:\n${block.url}`
  if (block.kind === 'rows') return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
  return block.text
}

/** The same content as plain text. */
export function emailText(content: EmailContent, { name, url }: Sender): string {
  const stop = content.stop === undefined ? [] : [`Stop these emails:\n${content.stop}`]
  return `${[content.heading, ...content.blocks.map(blockText), ...stop, `-- \n${name}\n${url}`].join('\n\n')}\n`
}
