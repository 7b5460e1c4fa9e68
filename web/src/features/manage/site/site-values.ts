import type { SitePart, SiteValue } from '@befaqt/domain/site-settings'
import { SiteInput } from '@befaqt/domain/site-settings'
import { parseNumber } from '@befaqt/domain/typed-number'
import type { FieldErrors } from '#web/forms/field-errors.ts'

/** What the form of a part holds: what is typed, by field. */
export type PartValues = Readonly<Record<string, string>>

/** A line of a part's form. */
export type PartField = { name: string; label: string; hint?: string; type?: 'email' | 'tel'; decimal?: true }

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

/** The form of a part. */
export const formOf = (key: string): PartForm => forms[key] ?? { title: key, about: '', fields: [] }

/** What the form of a part begins with. */
export function valuesOf(key: string, value: SiteValue): PartValues {
  const said = new Map(Object.entries(value))
  return Object.fromEntries(formOf(key).fields.map(({ name }) => [name, String(said.get(name) ?? '')]))
}

/** What is sent of a form, or what is wrong with it, by the path of each field. */
export function parsePart(
  { value: { part } }: SitePart,
  values: PartValues,
): { input: SiteInput; errors: null } | { input: null; errors: FieldErrors } {
  const typed = Object.entries(values).map(([name, text]): [string, unknown] => [
    name,
    numbers.includes(name) ? parseNumber(text) : text,
  ])
  const input = { part, ...Object.fromEntries(typed) }
  const parsed = SiteInput.safeParse(input)
  if (parsed.success) return { input: input as SiteInput, errors: null }
  const errors = parsed.error.issues.map(({ path, message }) => [pathText(path), message] as const)
  return { input: null, errors: Object.fromEntries(errors.toReversed()) }
}

/** 'partners[1].url', as the server names a field. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step),
    '',
  )
