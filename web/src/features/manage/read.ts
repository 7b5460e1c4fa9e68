import type { DeskView, FishBy, SalesBy } from '@befaqt/domain/api/desk-api'
import type { ProductFilter } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { ListQuery } from '@befaqt/domain/api/manage-api'
import type { Waiting } from '@befaqt/domain/api/today-api'
import { COLUMNS, type ExportFilter, isAskedOf, type ShownList } from '@befaqt/domain/desk-views'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import { placeIn, placeNames } from '@befaqt/domain/list-place'
import { isMarketTime } from '@befaqt/domain/market-time'
import { fulfilmentKinds, type OrderState, orderStates } from '@befaqt/domain/order-states'
import { type BoxStage, boxStages } from '@befaqt/domain/place'
import { statuses } from '@befaqt/domain/statuses'
import { firstPage } from '#web/api/first-page.ts'

/** What a page of managers has read, or why it could not, as the message of the red banner. */
export type Read<Data> = { data: Data; failure: null } | { data: null; failure: string }

/**
 * What comes with every page of the desk, for its rail, and with a list that can be kept as views these; null: it could
 * not be read.
 */
export type OnDesk = { waiting: Waiting | null; views?: DeskView[] | null }

/** Whether the page of this URL is in sight already, with all that is typed there. */
const isShown = ({ url }: Request): boolean =>
  typeof window !== 'undefined' && new URL(url).pathname === window.location.pathname

/**
 * A failed reading as a message, so that the page around it stands. Who may not read at all, or asks for
 * what is not there, gets the error screen, unless
 * the page is in sight already: a session that has ended must not take what is typed. A bug stays one.
 */
export async function readFor<Data>(request: Request, reading: Promise<Data>): Promise<Read<Data>> {
  try {
    return { data: await reading, failure: null }
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    const first = firstPage(request, error)
    if (first !== null) throw first
    if ([401, 403, 404].includes(error.status) && !isShown(request)) throw error
    return { data: null, failure: error.message }
  }
}

export type StageFilter = BoxStage | 'alerts'
export const stages: readonly StageFilter[] = [...boxStages, 'alerts']

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text)

/** Rows of a page of a list. */
const ROWS = 50

/** What a list's URL asks for. Odd values are left out; a number of a page, as older addresses have, is the first. */
export function readManageQuery(params: URLSearchParams): ListQuery {
  const q = (params.get('q') ?? '').trim().slice(0, MAX_SEARCH)
  const status = oneOf(statuses, params.get('status'))
  const category = params.get('category')?.slice(0, 64)
  const sort = params.get('sort')?.slice(0, 30)
  return {
    ...placeIn(params),
    size: ROWS,
    ...(q && { q }),
    ...(status && { status }),
    ...(category && { category }),
    ...(sort && { sort }),
    ...(params.get('dir') === 'desc' && { dir: 'desc' as const }),
  }
}

/** In a URL of products, the status of those that are INACTIVE and never were ACTIVE. */
export const DRAFT = 'DRAFT'

/** What the URL of the list of products asks for. */
export const productQuery = (params: URLSearchParams): ListQuery => ({
  ...readManageQuery(params),
  ...(params.get('status') === DRAFT && { draft: '1' }),
})

/** What narrows the list of products at this URL, without its order and page. */
export function productFilter(params: URLSearchParams): ProductFilter {
  const {
    after: _after,
    before: _before,
    size: _size,
    sort: _sort,
    dir: _dir,
    ...filter
  } = productQuery(params)
  return filter
}

/** The stage that the list of boxes is narrowed to. */
export const readStage = (params: URLSearchParams): StageFilter | undefined =>
  oneOf(stages, params.get('stage'))

/** Is a list filtered? */
export const isNarrowed = (params: URLSearchParams): boolean =>
  ['q', 'status', 'category', 'stage', 'state', 'slot', 'day', 'kind', 'when'].some((name) =>
    params.get(name),
  )

/** The same URL with some of its questions changed, at its first page; empty ones are left out. */
export function withParams(params: URLSearchParams, changes: Record<string, string>): string {
  const changed = new URLSearchParams(params)
  for (const name of placeNames) changed.delete(name)
  for (const [name, value] of Object.entries(changes)) changed.set(name, value)
  const asked = [...changed].filter(([, value]) => value !== '')
  return `?${new URLSearchParams(asked)}`
}

const kinds = [...fulfilmentKinds, 'valid', 'revoked'] as const
const states = ['open', 'ended', 'closed', 'withdrawn', 'early', 'over', 'used up'] as const

/** What the list at this URL is asked for as a file: narrowed, sorted and with the columns as it is shown. */
export function exportQuery(
  list: ShownList,
  params: URLSearchParams,
): { list: ShownList; cols?: string } & ExportFilter {
  const read =
    { order: orderQuery, product: productQuery, waiting: () => ({}) }[list as string] ?? readManageQuery
  const filter = read(params)
  const asked = {
    ...filter,
    stage: readStage(params),
    kind: oneOf(kinds, params.get('kind')),
    when: params.get('when') === 'past' ? 'past' : 'coming',
    state: list === 'complaint' ? complaintQuery(params)?.state : oneOf(states, params.get('state')),
  }
  const kept = Object.entries(asked).filter(([name, value]) => value !== undefined && isAskedOf(list, name))
  const cols = params.get(COLUMNS)?.slice(0, 500)
  return { list, ...Object.fromEntries(kept), ...(cols && { cols }) }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

type OrderQuery = {
  after?: string
  before?: string
  q?: string
  status?: OrderState | 'open' | 'decide'
  slot?: string
  day?: string
}

/** Does the URL of the queue ask for large first orders that wait to be confirmed? They are a list of their own. */
export const asksForWaiting = (params: URLSearchParams): boolean => params.get('status') === 'waiting'

/** The complaints that the URL of the queue asks for, which are a list of their own; null: for none. */
export function complaintQuery(
  params: URLSearchParams,
): { q?: string; state?: 'check'; after?: string } | null {
  const status = params.get('status')
  if (status !== 'complaint' && status !== 'complaint-check') return null
  const { q } = readManageQuery(params)
  const after = params.get('after')?.slice(0, 200)
  return { ...(q && { q }), ...(status === 'complaint-check' && { state: 'check' }), ...(after && { after }) }
}

/** What the URL of the queue asks for: open orders unless it names another state. Odd values are left out. */
export function orderQuery(params: URLSearchParams): OrderQuery {
  const { q } = readManageQuery(params)
  const asked = params.get('status')
  const status =
    asked === 'all'
      ? undefined
      : ([...orderStates, 'decide' as const].find((state) => state === asked) ?? 'open')
  const slot = params.get('slot') ?? ''
  const day = params.get('day') ?? ''
  return {
    ...placeIn(params),
    ...(q && { q }),
    ...(status && { status }),
    ...(UUID.test(slot) && { slot }),
    ...(isMarketTime(`${day} 00:00:00`) && { day }),
  }
}

/** Of which boxes documents are to be made: ids with commas between, or days of the catch. */
export type TradeQuery = { box: string } | { from: string; to: string }

/** Days of catch that documents are offered of where the URL chooses none. */
export const TRADE_DAYS = 7

/** What the URL asks for; null: nothing. Ids may have been typed with spaces or on lines of their own. */
export function tradeQuery(params: URLSearchParams): TradeQuery | null {
  const box = (params.get('box') ?? '').split(/[\s,;]+/).filter((id) => id !== '')
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  if (box.length > 0) return { box: box.join(',') }
  return from === '' && to === '' ? null : { from, to }
}

/** What is reported by what, as the links say it. */
export const reportNames: Readonly<Record<SalesBy | FishBy, string>> = {
  day: 'By day',
  product: 'By product',
  category: 'By category',
  customer: 'By customer',
  slot: 'By slot',
  coupon: 'By coupon',
  species: 'Fish by species',
  box: 'Fish by box',
  reason: 'Waste',
  freshness: 'Freshness',
}

/** Of fish, or of sales. */
export const isOfFish = (by: SalesBy | FishBy): by is FishBy =>
  by === 'species' || by === 'box' || by === 'reason' || by === 'freshness'

/** What the URL of reports asks for. Odd values are left out; a range that ends before it begins is the server's to refuse. */
export function reportQuery(params: URLSearchParams): {
  by: SalesBy | FishBy
  category?: string
  range: { from?: string; to?: string }
} {
  const by = oneOf(Object.keys(reportNames) as (SalesBy | FishBy)[], params.get('by')) ?? 'day'
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  const isDay = (text: string): boolean => isMarketTime(`${text} 00:00:00`)
  const category = by === 'product' && params.get('category')?.slice(0, 64)
  return {
    by,
    ...(category && { category }),
    range: { ...(isDay(from) && { from }), ...(isDay(to) && { to }) },
  }
}
