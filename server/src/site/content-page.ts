import { readdir, readFile } from 'node:fs/promises'
import type { NextSlot } from '@befaqt/domain/api/order-api'
import type { ContentPage } from '@befaqt/domain/api/site-api'
import type { SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { COMPLAINT_DAYS, PHOTO_DAYS } from '@befaqt/domain/complaint'
import { durationText } from '@befaqt/domain/duration-text'
import { ShopError } from '@befaqt/domain/errors'
import { marketDate } from '@befaqt/domain/market-time'
import { clockText, dayText, momentText, slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { abnText, GUEST_CONTACT_DAYS } from '@befaqt/domain/order-documents'
import { type FulfilmentKind, fulfilmentKinds } from '@befaqt/domain/order-states'
import { deliveryTerms, feeText, TOLERANCE_PERCENT } from '@befaqt/domain/order-totals'
import { mapLink, type PickUpPlace, pickUpText } from '@befaqt/domain/place'
import type { SiteFact, SiteValueOf } from '@befaqt/domain/site-settings'
import { isDatabaseUnreachable } from '#server/db/unreachable.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { pageOf, type Seller, type Settings, type SiteSettings } from './settings.ts'
import { CONTENT_FOLDER, type SiteFile } from './site.ts'

/** The next open slots of each kind, what more of them come from, and the postcodes that deliveries go to. */
type Times = { slots: readonly NextSlot[]; areas: readonly string[]; plan: SlotPlan }

export type ContentDeps = {
  siteFile: SiteFile
  site: Pick<SiteSettings, 'current'>
  nextSlots: { times(now: Date): Promise<Times> }
  now: () => Date
}

/** What a text says in two braces, alone in its paragraph or within one: how the shop is set up, never written by hand. */
const PLACE = /(?:<p>)?\{\{([\w-]+)\}\}(?:<\/p>)?/g
/** In place of a paragraph of its own; the others are a word or two within one. */
const blocks = new Set(['seller', 'times', 'areas'])

/**
 * A page of words, with what only the shop itself knows filled in: who sells, which rules hold, when and where to it
 * delivers.
 * @throws ShopError `not_found`
 */
export async function contentPage(deps: ContentDeps, slug: string): Promise<ContentPage> {
  const page = (await deps.site.current()).pages.get(slug)
  if (page === undefined) throw new ShopError('not_found', 'There is no such page.')
  return filledIn(deps, page)
}

/** A text as its page would show it. */
export const previewText = (deps: ContentDeps, text: Text): Promise<ContentPage> =>
  filledIn(deps, pageOf(text))

async function filledIn(deps: ContentDeps, page: ContentPage): Promise<ContentPage> {
  if (!page.html.includes('{{')) return page
  const { seller, place, areas } = await deps.site.current()
  const hasFees = areas.some(({ fee }) => fee > 0)
  const all: Partial<Record<SiteFact, string>> = {
    ...plainFacts(deps, seller, place),
    'delivery-fee': hasFees
      ? 'Delivery to some postcodes costs a fee, which includes GST: it is said with them above'
      : 'Delivery is free of charge',
    ...(await timesOf(deps, page, place, areas)),
  }
  const facts = new Map(Object.entries(all))
  const html = page.html.replace(PLACE, (whole, name: string) => {
    const fact = facts.get(name)
    if (fact === undefined) throw new Error(`${page.slug} asks for {{${name}}}, which nothing fills in`)
    return blocks.has(name) ? fact : whole.replace(`{{${name}}}`, () => fact)
  })
  return { ...page, html }
}

const plainFacts = ({ siteFile }: ContentDeps, seller: Seller, place: PickUpPlace) => ({
  seller: sellerHtml(seller),
  market: placeHtml(place),
  tolerance: `${TOLERANCE_PERCENT}`,
  'complaint-days': `${COMPLAINT_DAYS}`,
  'photo-days': `${PHOTO_DAYS}`,
  'guest-days': `${GUEST_CONTACT_DAYS}`,
  'line-kg': `${siteFile.orders.lineKg}`,
  'line-pieces': `${siteFile.orders.linePieces}`,
  'first-dollars': `${siteFile.orders.firstOrderDollars}`,
  'first-kg': `${siteFile.orders.firstOrderKg}`,
})

function sellerHtml({ name, abn, address, email, phone }: Seller): string {
  const rows = [
    ['Name', name],
    ['ABN', abn && abnText(abn)],
    ['Address', address],
    ['Email', email],
    ['Phone', phone],
  ] as const
  const stated = rows.flatMap(([name, value]) => (value ? [`<li>${name}: ${escapeHtml(value)}</li>`] : []))
  const missing = email || phone ? '' : '<p>No email address or phone number is stated.</p>'
  return stated.length === 0
    ? '<p>This shop has not stated who sells: no name, address, email address or phone number.</p>'
    : `<ul>${stated.join('')}</ul>${missing}`
}

const placeHtml = (market: PickUpPlace): string =>
  `${escapeHtml(pickUpText(market))} (<a href="${escapeHtml(mapLink(market))}">on a map</a>)`

const titles: Readonly<Record<FulfilmentKind, string>> = { pickup: 'Pick-up', delivery: 'Delivery' }
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Does a page of words say when orders can be had, or where deliveries go? */
export const namesTimes = (page: ContentPage | undefined): boolean =>
  page !== undefined && /\{\{(?:times|areas)\}\}/.test(page.html)

/** When orders can be had, and where deliveries go: by the rules and slots that there are. */
async function timesOf(
  deps: ContentDeps,
  page: ContentPage,
  pickUp: PickUpPlace,
  priced: Settings['areas'],
): Promise<{ times?: string; areas?: string }> {
  if (!namesTimes(page)) return {}
  const { siteFile, now } = deps
  const read = await deps.nextSlots.times(now()).catch((error: unknown) => {
    if (!isDatabaseUnreachable(error)) throw error
    return null
  })
  if (read === null) {
    const unread = '<p>This could not be read just now. Please try again in a minute.</p>'
    return { times: unread, areas: unread }
  }
  const { slots, areas, plan } = read
  const today = marketDate(now().getTime(), siteFile.market.timeZone)
  const ofKind = (kind: FulfilmentKind): string => {
    const weekly = plan.rules
      .filter((rule) => rule.kind === kind)
      .map(
        ({ weekdays, from, to, cutOffMinutes }) =>
          `<li>${weekdaysText(weekdays)}, ${clockText(from)} to ${clockText(to)}: order until ${wholeHours(cutOffMinutes)} before</li>`,
      )
    const next = slots.find((slot) => slot.kind === kind)
    const open = next
      ? `The next that is open: ${slotText(next)}. Order until ${momentText(next.cutOffAt, next.timeZone)}.`
      : 'No times are open now.'
    const place = kind === 'pickup' ? `<p>At ${placeHtml(pickUp)}.</p>` : ''
    const list = weekly.length === 0 ? '' : `<ul>${weekly.join('')}</ul>`
    return `<h2>${titles[kind]}</h2>${place}${list}<p>${open}</p>`
  }
  const closed = plan.closedDays.filter(({ day }) => day >= today).map(({ day }) => dayText(day))
  return {
    times:
      fulfilmentKinds.map(ofKind).join('') +
      (closed.length === 0 ? '' : `<p>Closed on ${closed.join('; ')}.</p>`),
    areas: areasHtml(areas, priced),
  }
}

/** Where deliveries go, and what they cost there. What is in no area is free of charge. */
function areasHtml(postcodes: readonly string[], priced: Settings['areas']): string {
  if (postcodes.length === 0) return '<p>No deliveries are planned now.</p>'
  const list = (some: readonly string[]): string => some.map(escapeHtml).join(', ')
  if (priced.length === 0) return `<p>To these postcodes: ${list(postcodes)}.</p>`
  const byArea = Map.groupBy(postcodes, (code) => deliveryTerms(priced, 'delivery', code)?.area)
  const rows = priced.flatMap((terms) => {
    const own = byArea.get(terms.area)
    if (own === undefined) return []
    const from = terms.minimum === 0 ? '' : `; orders from ${formatDollars(cents(terms.minimum))} of goods`
    return [`<li><strong>${escapeHtml(terms.area)}</strong> (${list(own)}): ${feeText(terms)}${from}</li>`]
  })
  const others = byArea.get(undefined)
  const rest = others === undefined ? [] : [`<li>${list(others)}: free of charge</li>`]
  return `<ul>${[...rows, ...rest].join('')}</ul>`
}

/** '2 h' where it is no minute more. */
const wholeHours = (minutes: number): string => durationText(minutes).replace(/ 00 min$/, '')

/** 'Mon to Fri', 'Tue, Thu', 'Every day'. @param weekdays 1, Monday, to 7, ascending */
function weekdaysText(weekdays: readonly number[]): string {
  if (weekdays.length === 7) return 'Every day'
  const names = weekdays.map((day) => days[day - 1] ?? '')
  const isRow = weekdays.length > 2 && weekdays.every((day, i) => day === (weekdays[0] ?? 0) + i)
  return isRow ? `${names[0]} to ${names.at(-1)}` : names.join(', ')
}

type Text = SiteValueOf<'text'>

/** The texts of `server/content/**.md`: what pages say until an administrator edits them. Read once at start. */
export async function readTexts(): Promise<Text[]> {
  const names = (await readdir(CONTENT_FOLDER, { recursive: true })).filter((name) => name.endsWith('.md'))
  return Promise.all(
    names.sort().map(async (name) => textOf(name, await readFile(new URL(name, CONTENT_FOLDER), 'utf8'))),
  )
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/

function textOf(name: string, file: string): Text {
  const [, head = '', body = ''] = FRONT_MATTER.exec(file) ?? []
  const fields = new Map(
    head.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
  const title = fields.get('title')
  if (title === undefined) throw new Error(`content/${name} has no title in its front matter`)
  const description = fields.get('description')
  return { part: 'text', page: name.replace(/\.md$/, ''), title, description, text: body.trim() }
}
