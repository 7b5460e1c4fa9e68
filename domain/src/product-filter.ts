import type { ProductView } from './catalogue.ts'
import { type AsOf, freshnessAt, freshnessWords, usedShare } from './freshness-word.ts'
import { MAX_DOLLARS, MAX_SEARCH } from './limits.ts'
import { nearestCents, salePrice } from './money.ts'
import { titleKey } from './page-paths.ts'
import type { ChoiceKind } from './shelf-choices.ts'
import { parseNumber } from './typed-number.ts'

export const sorts = {
  shelf: 'Featured',
  freshest: 'Freshest first',
  'price-up': 'Price, lowest first',
  'price-down': 'Price, highest first',
  name: 'Name',
} as const
export type Sort = keyof typeof sorts

/**
 * What /product shows. Prices in cents per unit, after discount. `fresh`: 5 asks for excellent, 4 for good or better, 0 for
 * nothing; older links meant stars.
 */
export type ProductFilter = {
  q: string
  /** `titleKey` of a category; '' for all. */
  category: string
  inStock: boolean
  minCents: number | null
  maxCents: number | null
  fresh: number
  sort: Sort
  /** What was typed as a price and says no amount, by field; '' where nothing is wrong. */
  odd: { min: string; max: string }
}

/**
 * Dollars typed by a person, null where there are none; text that is not an amount is returned in `odd`, for a message.
 */
function cents(typed: string | null): { value: number | null; odd: string } {
  const text = (typed ?? '').trim().slice(0, 20)
  const dollars = parseNumber(text)
  if (typeof dollars === 'number' && dollars >= 0 && dollars <= MAX_DOLLARS)
    return { value: nearestCents(dollars), odd: '' }
  return { value: null, odd: text }
}

/** 4 or 5; older links asked for fewer stars, which came to the same as 4. */
function freshAtLeast(text: string | null): number {
  const count = Number(text)
  return Number.isInteger(count) && count >= 1 && count <= 5 ? Math.max(4, count) : 0
}

const isSort = (text: string | null): text is Sort => text !== null && Object.hasOwn(sorts, text)

/** `URLSearchParams`, for which there is no type here. */
type UrlParams = { get(name: string): string | null }

/** The filter that a URL asks for. Odd values leave nothing out; a range the wrong way round is turned. */
export function readFilter(params: UrlParams): ProductFilter {
  const [min, max] = [cents(params.get('min')), cents(params.get('max'))]
  const turned = min.value !== null && max.value !== null && min.value > max.value
  const sort = params.get('sort')
  return {
    q: (params.get('q') ?? '').trim().slice(0, MAX_SEARCH),
    category: titleKey(params.get('category') ?? ''),
    inStock: params.get('stock') === 'in',
    minCents: turned ? max.value : min.value,
    maxCents: turned ? min.value : max.value,
    fresh: freshAtLeast(params.get('fresh')),
    sort: isSort(sort) ? sort : 'shelf',
    odd: { min: min.odd, max: max.odd },
  }
}

/** What a URL says to `readFilter`, and which window of the products found is asked for. */
export type ShelfQuery = {
  page?: number | undefined
  size?: number | undefined
  /** With what the list can be narrowed by. */
  facets?: 'yes' | undefined
} & {
  [Name in 'q' | 'category' | 'stock' | 'min' | 'max' | 'fresh' | 'sort' | ChoiceKind]?: string | undefined
}

/**
 * Places in "freshest first": what can be bought today by its word, then what is still to come or sold out, what is
 * past its best, and what is not tracked or of an unknown state.
 */
function freshnessPlace({ box, stock }: ProductView, now: AsOf): number {
  const word = box && freshnessAt(box, now).word
  const isHere = stock > 0 && (box?.stage === 'at market' || box?.stage === 'sealed')
  return word === null
    ? UNTRACKED
    : isHere || word === 'past its best'
      ? freshnessWords.indexOf(word)
      : NOT_TODAY
}

/** Between 'use soon' and 'past its best'. */
const NOT_TODAY = 2.5
const UNTRACKED = 9

type Order = (a: ProductView, b: ProductView) => number

/** Of the same place first what has used less of its shelf life, then what keeps longer. */
const freshest =
  (now: AsOf): Order =>
  (a, b) =>
    freshnessPlace(a, now) - freshnessPlace(b, now) ||
    (a.box ? usedShare(a.box, now) : 2) - (b.box ? usedShare(b.box, now) : 2) ||
    (b.box?.bestBy ?? '').localeCompare(a.box?.bestBy ?? '')

/** Is it at the market, in stock, never warm on the way, and good or better with a date to keep it until? */
const isFreshToday = (product: ProductView, now: AsOf): boolean =>
  freshnessPlace(product, now) <= freshnessWords.indexOf('good') &&
  product.box !== null &&
  product.box.coldChain !== 'warmed' &&
  freshnessAt(product.box, now).bestBy !== null

/** What can be bought today and is good or better, the freshest first: at most so many, and one product of a box. */
export function freshestToday(products: readonly ProductView[], now: AsOf, most: number): ProductView[] {
  const boxes = new Set<string | undefined>()
  return products
    .filter((product) => isFreshToday(product, now))
    .sort(freshest(now))
    .filter(({ box }) => boxes.size < boxes.add(box?.boxID).size)
    .slice(0, most)
}

const byName = /* @__PURE__ */ new Intl.Collator('en-AU')

const orders: Record<Exclude<Sort, 'freshest'>, Order> = {
  shelf: () => 0,
  'price-up': (a, b) => salePrice(a) - salePrice(b),
  'price-down': (a, b) => salePrice(b) - salePrice(a),
  name: (a, b) => byName.compare(a.title, b.title),
}

const byPlace =
  (places: ReadonlyMap<string, number>): Order =>
  (a, b) =>
    (places.get(a._id) ?? 0) - (places.get(b._id) ?? 0)

/**
 * The products that price and search leave, and of those the chosen ones, in the order asked for; those of a search in
 * the shop's order stand as they fit.
 * @param places of what a search found, by product id, 0 for what fits best; null: nothing is searched for
 * @param isChosen asked last, of the place of each product that all else leaves
 */
export function filterProducts(
  products: readonly ProductView[],
  { minCents, maxCents, sort }: Pick<ProductFilter, 'minCents' | 'maxCents' | 'sort'>,
  now: AsOf,
  places: ReadonlyMap<string, number> | null,
  isChosen: (place: number) => boolean = () => true,
): ProductView[] {
  const found = products.filter(
    (product, place) =>
      (minCents === null || salePrice(product) >= minCents) &&
      (maxCents === null || salePrice(product) <= maxCents) &&
      (places === null || places.has(product._id)) &&
      isChosen(place),
  )
  if (sort === 'shelf' && places !== null) return found.sort(byPlace(places))
  return found.sort(sort === 'freshest' ? freshest(now) : orders[sort])
}
