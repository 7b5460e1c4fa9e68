import { isEmailName, MAX_EMAIL_BUTTON, meaningOf, placesOfEmail } from '@befaqt/domain/email-templates'
import { type EmailName, emailTexts } from '@befaqt/domain/email-texts'
import { cents, formatDollars } from '@befaqt/domain/money'
import { feeText } from '@befaqt/domain/order-totals'
import {
  SiteInput,
  type SitePart,
  type SiteValue,
  type SiteValueOf,
  siteFacts,
} from '@befaqt/domain/site-settings'
import { parseNumber } from '@befaqt/domain/typed-number'
import type { FieldErrors } from '#web/forms/field-errors.ts'

/** What the form of a part holds: what is typed, by field. */
export type PartValues = Readonly<Record<string, string | readonly Partner[] | readonly TypedArea[]>>
export type Partner = SiteValueOf<'partners'>['partners'][number]
/** An area of deliveries as it is typed: postcodes with commas between, amounts in dollars. */
export type TypedArea = Record<'area' | 'postcodes' | 'fee' | 'minimum' | 'freeFrom', string>
type Area = SiteValueOf<'delivery'>['areas'][number]

/** A line of a part's form, or the many of a text. */
export type PartField = {
  name: string
  label: string
  hint?: string
  type?: 'email' | 'tel' | 'url' | 'text of a page' | 'text of an email' | 'partners' | 'areas'
  decimal?: true
}

type PartForm = { title: string; about: string; fields: readonly PartField[] }

const numbers: readonly string[] = ['latitude', 'longitude']

/** The form of each part, by its key. */
const forms: Readonly<Record<string, PartForm>> = {
  seller: {
    title: 'Who sells',
    about:
      'Named in the footer, on the page of contacts and on invoices. Invoices that there are keep what they said. What is left empty is said to be not stated.',
    fields: [
      { name: 'name', label: 'Name (optional)', hint: 'Of the company or person that sells' },
      { name: 'abn', label: 'ABN (optional)', hint: '11 digits. With it, invoices are tax invoices' },
      { name: 'address', label: 'Address (optional)' },
      { name: 'email', label: 'Email (optional)', type: 'email' },
      { name: 'phone', label: 'Phone (optional)', type: 'tel' },
    ],
  },
  place: {
    title: 'Where orders are picked up',
    about:
      'Named on the home page, at the checkout, with orders and in their emails and calendar files. Orders that there are keep the place that they were placed with.',
    fields: [
      { name: 'name', label: 'Name' },
      { name: 'address', label: 'Address (optional)', hint: 'Street and town' },
      { name: 'latitude', label: 'Latitude', hint: 'South is below 0, as -33.8727', decimal: true },
      { name: 'longitude', label: 'Longitude', hint: 'East is above 0, as 151.1925', decimal: true },
    ],
  },
}

const deliveryForms: Readonly<Record<string, PartForm>> = {
  delivery: {
    title: 'What delivery costs',
    about:
      'By postcode, said in the cart, at the checkout and on the page about delivery. A postcode in no area is delivered to free of charge, and takes orders of any size; where deliveries go is said under Slots. Orders that there are keep what they were placed with.',
    fields: [{ name: 'areas', label: 'Areas', type: 'areas' }],
  },
}

const homeForms: Readonly<Record<string, PartForm>> = {
  partners: {
    title: 'Partners',
    about:
      'Named on the home page of wide screens, each with a link to its own site. Without any there is no list.',
    fields: [{ name: 'partners', label: 'Partners', type: 'partners' }],
  },
  award: {
    title: 'Award',
    about: 'Named on the home page. Leave both empty where there is none.',
    fields: [
      { name: 'text', label: 'What it says (optional)' },
      { name: 'url', label: 'Link (optional)', type: 'url', hint: 'To who says so: https://…' },
    ],
  },
  'sample-box': {
    title: 'Sample box',
    about:
      'The box that the film of the home page and the lab lead to: one whose history shows well. Nothing leads there while there is no such box.',
    fields: [{ name: 'box', label: 'Box number' }],
  },
}

const pageTitles: Readonly<Record<string, string>> = {
  landing: 'First words of the home page',
  'about.contact': 'Contact',
  'about.delivery': 'Delivery and pick-up',
  'about.returns': 'Returns',
  'about.terms': 'Terms',
  'about.privacy': 'Privacy',
  'about.food-safety': 'Food safety',
  'about.accessibility': 'Accessibility',
  'about.project': 'About the project',
  'about.tech': 'About the technologies',
  'about.us': 'About the team',
}

/** The form of a page's text. */
const textForm = (key: string): PartForm => ({
  title: pageTitles[key] ?? key,
  about: `What ${key === 'landing' ? 'the home page says first' : `/${key.replaceAll('.', '/')} says`}. A text that says it is a sample is one: it stands there to show what a shop has to say.`,
  fields: [
    { name: 'title', label: 'Title' },
    {
      name: 'description',
      label: 'Description (optional)',
      hint: 'One sentence, for search engines and shared links',
    },
    {
      name: 'text',
      label: 'Text',
      type: 'text of a page',
      hint: `In Markdown; HTML is shown as it is typed, and pictures are the shop’s own. What the shop knows fills itself in: ${siteFacts.map((fact) => `{{${fact}}}`).join(', ')}.`,
    },
  ],
})

/** Emails whose button asks guests to confirm. */
const asked: readonly EmailName[] = ['order-placed', 'order-amended']

/** The form of what an email says. */
function emailForm(name: EmailName): PartForm {
  const places = placesOfEmail(name).map((place) => `{{${place}}}, ${meaningOf(place)}`)
  const { title, button } = emailTexts[name]
  return {
    title,
    about:
      'What this email says, from the next one that is written; one that waits to be sent stays as it was written. It is plain text: HTML is shown as it is typed.',
    fields: [
      { name: 'subject', label: 'Subject' },
      { name: 'heading', label: 'Heading' },
      ...(button === undefined
        ? []
        : [
            {
              name: 'button',
              label: 'Button (optional)',
              hint: `The first, which leads to what the email is about. Up to ${MAX_EMAIL_BUTTON} characters; empty, it says “${button}”. {{shop}} fills itself in.${asked.includes(name) ? ' Where a guest has to confirm the order, the button says that instead.' : ''}`,
            },
          ]),
      {
        name: 'text',
        label: 'Text',
        type: 'text of an email',
        hint: `Each line is a paragraph. The shop fills in: ${places.join('; ')}.`,
      },
    ],
  }
}

/** Of which email a part is what it says; null: of none. */
export function emailOf(key: string): EmailName | null {
  const [, name = ''] = /^email\.(.+)$/.exec(key) ?? []
  return isEmailName(name) ? name : null
}

/** The form of a part. */
export function formOf(key: string): PartForm {
  const email = emailOf(key)
  return (
    forms[key] ?? deliveryForms[key] ?? homeForms[key] ?? (email === null ? textForm(key) : emailForm(email))
  )
}

/** What the form of a part begins with. */
export function valuesOf(key: string, value: SiteValue): PartValues {
  if (value.part === 'partners') return { partners: value.partners }
  if (value.part === 'delivery') return { areas: value.areas.map(typedArea) }
  const said = new Map(Object.entries(value))
  return Object.fromEntries(formOf(key).fields.map(({ name }) => [name, String(said.get(name) ?? '')]))
}

const dollars = (amount: number): string => (amount === 0 ? '' : (amount / 100).toFixed(2))

const typedArea = ({ area, postcodes, fee, minimum, freeFrom }: Area): TypedArea => ({
  area,
  postcodes: postcodes.join(', '),
  fee: dollars(fee),
  minimum: dollars(minimum),
  freeFrom: freeFrom === null ? '' : dollars(freeFrom),
})

/** Dollars as people type them, in cents; nothing is 0, and what is no number is for the schema to refuse. */
function centsOf(typed: string): unknown {
  const number = parseNumber(typed)
  if (typed.trim() === '') return 0
  return typeof number === 'number' ? Math.round(number * 100_000) / 1_000 : number
}

/** An area as it is sent. */
export const areaOf = ({
  area,
  postcodes,
  fee,
  minimum,
  freeFrom,
}: TypedArea): Record<keyof Area, unknown> => ({
  area,
  postcodes: postcodes
    .replaceAll('–', '-')
    .replaceAll(' - ', '-')
    .split(/[\s,;]+/)
    .filter((entry) => entry !== ''),
  fee: centsOf(fee),
  minimum: centsOf(minimum),
  freeFrom: freeFrom.trim() === '' ? null : centsOf(freeFrom),
})

/** What buyers are told of an area. */
export function termsText({ fee, freeFrom, minimum }: Pick<Area, 'fee' | 'freeFrom' | 'minimum'>): string {
  const least = minimum > 0 ? `; orders from ${formatDollars(cents(minimum))} of goods` : ''
  return `${feeText({ fee, freeFrom })}${least}`
}

/** What is sent of a form, or what is wrong with it, by the path of each field. */
export function parsePart(
  { value }: SitePart,
  values: PartValues,
): { input: SiteInput; errors: null } | { input: null; errors: FieldErrors } {
  const typed = Object.entries(values).map(([name, typed]): [string, unknown] => [name, sentOf(name, typed)])
  const { part } = value
  const which =
    value.part === 'text' ? { page: value.page } : value.part === 'email' ? { email: value.email } : {}
  const input = { part, ...which, ...Object.fromEntries(typed) }
  const parsed = SiteInput.safeParse(input)
  if (parsed.success) return { input: input as SiteInput, errors: null }
  const errors = parsed.error.issues.map(({ path, message }) => [pathText(path), message] as const)
  return { input: null, errors: Object.fromEntries(errors.toReversed()) }
}

function sentOf(name: string, typed: PartValues[string]): unknown {
  if (typeof typed === 'string') return numbers.includes(name) ? parseNumber(typed) : typed
  return typed.map((one) => ('postcodes' in one ? areaOf(one) : one))
}

/** 'partners[1].url', as the server names a field. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step),
    '',
  )

/** The lines in which two texts differ: those that both begin and end with are left out. */
export function changedLines(before: string, after: string): { from: string; to: string } {
  const [was, is] = [before.split('\n'), after.split('\n')]
  const most = Math.min(was.length, is.length)
  let first = 0
  while (first < most && was[first] === is[first]) first++
  let last = 0
  while (last < most - first && was.at(-1 - last) === is.at(-1 - last)) last++
  const between = (lines: readonly string[]): string => lines.slice(first, lines.length - last).join('\n')
  return { from: between(was), to: between(is) }
}
