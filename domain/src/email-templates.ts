import { z } from 'zod'
import { type EmailName, emailTexts } from './email-texts.ts'
import { line, maybe, paragraph, schemaNames } from './fields.ts'

/** Characters of what an email says. */
const MAX_EMAIL_TEXT = 4_000

/** Characters of what its button says. */
export const MAX_EMAIL_BUTTON = 40

/** What stands for several paragraphs, a table or a button, and so alone in its line. */
const blocks = ['details', 'links', 'warning', 'reason', 'answer', 'recall'] as const
export type EmailBlock = (typeof blocks)[number]
export const isEmailBlock = (name: string): name is EmailBlock => blocks.some((block) => block === name)

/** What each placeholder is filled in with, as staff are told. */
export const emailFacts = {
  details: 'what the email is about: a table, and what has to be said of it',
  links: 'buttons, and what has to be said of their links',
  warning: 'what to do if it was not they',
  reason: 'why',
  answer: 'what the shop answers',
  recall: 'what has to be said of the recall',
  shop: 'the shop’s name',
  order: 'the order’s number',
  box: 'the box’s number',
  rights: 'what the invited may do',
  what: 'what is waited for',
  answered: 'what became of it',
  news: 'what is there',
  'do-not-eat-it': '“Do not eat it”',
  'please-do-not-eat': '“Please do not eat this fish”',
} as const
export type EmailFact = Exclude<keyof typeof emailFacts, EmailBlock>

/** What an email says of itself in other words may go; whoever gets it needs the rest. */
const mayGo: readonly string[] = ['shop', 'order', 'news']

const fields = ['subject', 'heading', 'text'] as const

type Field = (typeof fields)[number]

/** A placeholder with its name; without one: braces that are none. */
const PLACE = /\{\{(?:([\w-]+)\}\})?/g

/** The names of the placeholders in a text, '' for braces that are none. */
const placesOf = (text: string): string[] => [...text.matchAll(PLACE)].map(([, name = '']) => name)

/** The placeholders that a template of this email may have. */
export const placesOfEmail = (name: EmailName): readonly string[] => [
  ...new Set(['shop', ...fields.flatMap((field) => placesOf(emailTexts[name][field]))]),
]

/** Why this can't be what an email says in a field; null: it can. */
function wrongOf(name: EmailName, field: Field, text: string): string | null {
  const found = placesOf(text)
  const may = placesOfEmail(name).filter((place) => field === 'text' || !isEmailBlock(place))
  const strange = found.find((place) => !may.includes(place))
  if (strange === '') return 'two braces begin a placeholder, as {{shop}}'
  if (strange !== undefined) return `{{${strange}}} is nothing that is filled in here`
  const missing = placesOf(emailTexts[name][field]).find(
    (place) => !mayGo.includes(place) && !found.includes(place),
  )
  if (missing !== undefined) return `{{${missing}}} is missing: ${meaningOf(missing)}`
  const own = found.filter(isEmailBlock)
  const twice = own.find((place, i) => own.indexOf(place) < i)
  if (twice !== undefined) return `{{${twice}}} is there twice`
  const lines = text.split('\n').map((line) => line.trim())
  const within = own.find((place) => !lines.includes(`{{${place}}}`))
  return within === undefined ? null : `{{${within}}} must be alone in its line`
}

/** Why this can't be what the button of an email says; null: it can. The shop's name alone is filled in there. */
function wrongButton(name: EmailName, said: string): string | null {
  if (emailTexts[name].button === undefined) return 'this email has no button'
  const strange = placesOf(said).find((place) => place !== 'shop')
  if (strange === undefined) return null
  return strange === ''
    ? 'two braces begin a placeholder, as {{shop}}'
    : `{{${strange}}} is not filled in in a button: only {{shop}} is`
}

/** What a placeholder is filled in with, as staff are told. */
export const meaningOf = (place: string): string =>
  new Map<string, string>(Object.entries(emailFacts)).get(place) ?? place

export const isEmailName = (name: string): name is EmailName => Object.hasOwn(emailTexts, name)

/** What an email says. Without a `button`: what the shop itself says on it. */
export const SiteEmail = z
  .strictObject({
    part: z.literal('email'),
    email: z.string().refine(isEmailName, 'there is no such email'),
    subject: line('subject', 150),
    heading: line('heading', 150),
    text: paragraph('text', MAX_EMAIL_TEXT).refine((text) => text.length > 0, 'text is required'),
    button: maybe('button', MAX_EMAIL_BUTTON),
  })
  .superRefine((said, { addIssue }) => {
    const { email } = said
    if (!isEmailName(email)) return
    for (const field of fields) {
      const message = wrongOf(email, field, said[field])
      if (message !== null) addIssue({ code: 'custom', path: [field], message })
    }
    const wrong = said.button === undefined ? null : wrongButton(email, said.button)
    if (wrong !== null) addIssue({ code: 'custom', path: ['button'], message: wrong })
  })
export type SiteEmail = z.input<typeof SiteEmail>

/** An email as it would be sent, with sample facts. `html`: its body. */
export const EmailPreview = z
  .strictObject({ subject: z.string(), html: z.string(), text: z.string() })
  .register(schemaNames, { id: 'EmailPreview' })
export type EmailPreview = z.infer<typeof EmailPreview>
