import type { SalesBy, Sold } from '@befaqt/domain/api/desk-api'
import { dayText } from '@befaqt/domain/moment-text'

/** A figure of reports that can be looked at in a chart. */
export type Figure = {
  label: string
  of: (sold: Sold) => number
  text: (value: number) => string
  /** What an axis reaches at least: less could not be told in its figures. */
  least: number
}

const money = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' })

/** '$12,345.00': sums are longer than prices. */
export const dollars = (cents: number): string => money.format(cents / 100)
const kilograms = (grams: number): string =>
  `${(grams / 1_000).toLocaleString('en-AU', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} kg`
const count = (value: number): string => value.toLocaleString('en-AU')

/** By its name in the URL. */
export const figures = {
  revenue: { label: 'Revenue', of: ({ revenue }) => revenue, text: dollars, least: 400 },
  gst: { label: 'GST', of: ({ gst }) => gst, text: dollars, least: 400 },
  weight: { label: 'Weight', of: ({ grams }) => grams, text: kilograms, least: 400 },
  orders: { label: 'Orders', of: ({ orders }) => orders, text: count, least: 4 },
  off: { label: 'Taken off', of: ({ discounts, coupons }) => discounts + coupons, text: dollars, least: 400 },
} as const satisfies Readonly<Record<string, Figure>>

/** An order is in several products and categories: what is counted there are its lines. */
export const figureLabel = ({ label }: Pick<Figure, 'label'>, by: SalesBy): string =>
  label === figures.orders.label && (by === 'product' || by === 'category') ? 'Lines' : label

export type FigureName = keyof typeof figures

/** The figure that is looked at. */
export const figureName = (asked: string | null): FigureName =>
  (Object.keys(figures) as FigureName[]).find((name) => name === asked) ?? 'revenue'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** 'Mon 30 Nov' of a day, 'Nov 2026' of a month; other rows have their names. */
export function rowName(by: SalesBy, { key, name }: { key: string; name: string }): string {
  if (by !== 'day') return name
  return key.length > 7 ? dayText(key) : `${MONTHS[Number(key.slice(5, 7)) - 1]} ${key.slice(0, 4)}`
}

/** '30 Nov' of a day, 'Nov 2026' of a month, for where there is little room. */
export const shortName = (row: { key: string; name: string }): string =>
  rowName('day', row).replace(/^[A-Z][a-z]{2} (?=\d\d? )/, '')

/** What stands on an axis: without cents, or tenths, that are none. */
export const axisText = (text: string): string => text.replace(/\.0+(?=\D|$)/, '')

/** 'Mon 30 Nov 2026 to Sun 6 Dec 2026'. */
export const rangeText = ({ from, to }: { from: string; to: string }): string =>
  from === to ? dayYear(from) : `${dayYear(from)} to ${dayYear(to)}`

const dayYear = (day: string): string => `${dayText(day)} ${day.slice(0, 4)}`

/** By how much more or less, in whole percent; nothing to compare with: ''. */
export function changeText(now: number, then: number): string {
  if (then <= 0) return ''
  const percent = Math.round(((now - then) / then) * 100)
  return percent === 0
    ? 'the same'
    : `${percent > 0 ? '+' : '−'}${Math.abs(percent).toLocaleString('en-AU')} %`
}
