import type { ProductCard, ProductSuggestions, ProductWindow } from '@befaqt/domain/catalogue'
import type { AsOf } from '@befaqt/domain/freshness-word'
import {
  FRESHEST_TODAY,
  MAX_CHOSEN_PRODUCTS,
  MAX_PAGE,
  MAX_SEARCH,
  SHELF_WINDOW,
} from '@befaqt/domain/limits'
import { marketDate } from '@befaqt/domain/market-time'
import { titleKey } from '@befaqt/domain/page-paths'
import { filterProducts, freshestToday, readFilter, sorts } from '@befaqt/domain/product-filter'
import {
  type Choices,
  choiceValue,
  facetKinds,
  MAX_CHOICE,
  MAX_CHOSEN,
  YES,
} from '@befaqt/domain/shelf-choices'
import { z } from 'zod'
import type { Catalogue } from './catalogue.ts'
import { FacetCounter, inAddress } from './facets.ts'
import { type Found, ProductSearch } from './search/product-search.ts'
import { titleNames, tradeNameOf } from './search/trade-name-of.ts'
import type { Snapshot } from './snapshot.ts'
import { cardOf } from './views.ts'

/** Characters of a product's id. */
const MAX_ID = 64

const whole = (max: number) => z.coerce.number().int('must be a whole number').min(1).max(max)
const typed = z.string().max(MAX_SEARCH).optional()

/** Values of one kind, separated by commas, each once. */
const choice = (value: z.ZodType<string, string>, most = MAX_CHOSEN) =>
  z
    .string()
    .max(MAX_CHOSEN * (MAX_CHOICE + 1))
    .default('')
    .transform((text) => [...new Set(text === '' ? [] : text.split(','))])
    .pipe(z.array(value).max(most, `must have at most ${most}, separated by commas`))

/** A name as `choiceValue` makes it. */
const name = z
  .string()
  .min(1)
  .max(MAX_CHOICE)
  .refine((text) => choiceValue(text) === text, 'must be a name in lower case, with - between its words')

const yes = z.literal(YES, { error: `must be ${YES}` })

/** Which products are asked for, in which order, and which window of them. Filters as in the address of /product. */
export const ShelfQuery = z.object({
  page: whole(MAX_PAGE).default(1).describe('from 1; after the last, the last'),
  size: whole(200).default(SHELF_WINDOW).describe('products of a page'),
  q: typed.describe(
    'words of title, category, description or place of catch, or other names of the trade; case, accents and small mistakes are forgiven',
  ),
  category: typed.describe('title of a category; one that does not exist leaves nothing out'),
  stock: typed.describe('`in`: only what is in stock'),
  min: typed.describe('dollars per unit, after discount; what is no amount leaves nothing out'),
  max: typed.describe('dollars per unit, after discount; what is no amount leaves nothing out'),
  fresh: typed.describe('5: excellent; 1 to 4: good or better'),
  sort: typed.describe(Object.keys(sorts).join(', ')),
  origin: choice(name).describe('countries, as `new-zealand`: any of them'),
  method: choice(name).describe('how it was fished, as `purse-seine`: any of them; only of tracked products'),
  cut: choice(name).describe('what it is sold as, by words of its title or unit, as `fillets`: any of them'),
  bestBy: choice(z.iso.date('must be a date, as 2026-11-30'), 1).describe(
    'a date: what is best by then or later. Not what is recalled, off sale, past its best or of an unknown state',
  ),
  tracked: choice(yes).describe('`yes`: only what comes from a box with a history'),
  special: choice(yes).describe('`yes`: only what has a discount'),
  facets: yes
    .optional()
    .describe('`yes`: with what the list can be narrowed by, and how many products each value would leave'),
})
type ShelfQuery = z.infer<typeof ShelfQuery>

/** Which products are asked for: of a cart, or of an order that is to be bought again. */
export const ProductIds = z.object({
  ids: z
    .string()
    .max(MAX_CHOSEN_PRODUCTS * (MAX_ID + 1))
    .describe(`ids, separated by commas, at most ${MAX_CHOSEN_PRODUCTS}`)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(z.string().min(1).max(MAX_ID)).max(MAX_CHOSEN_PRODUCTS)),
})

export type ShelfDeps = {
  catalogue: Catalogue
  siteFile: { market: { timeZone: string } }
  now: () => Date
}

const textOf = (query: ShelfQuery, name: string): string | null => {
  const value = Object.entries(query).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : null
}

/** A search that follows each catalogue; it goes with it. */
const searches = new WeakMap<Catalogue, ProductSearch>()

async function search(catalogue: Catalogue, { products, categories }: Snapshot, q: string): Promise<Found> {
  const index = searches.get(catalogue) ?? new ProductSearch()
  searches.set(catalogue, index)
  await index.follow(products, categories)
  return index.find(q)
}

function asOfNow({ siteFile, now }: Pick<ShelfDeps, 'siteFile' | 'now'>): AsOf {
  const at = now().getTime()
  return { at, today: marketDate(at, siteFile.market.timeZone) }
}

/** The cards of what is freshest today, for the shop's window. */
export async function freshestCards(deps: ShelfDeps): Promise<ProductCard[]> {
  const { products } = await deps.catalogue.snapshot()
  return freshestToday(products, asOfNow(deps), FRESHEST_TODAY).map(cardOf)
}

/** One window of the products on sale that the query asks for, from the catalogue in memory. */
export async function productWindow(
  { catalogue, siteFile, now }: ShelfDeps,
  query: ShelfQuery,
): Promise<ProductWindow> {
  const snapshot = await catalogue.snapshot()
  const { products, categories } = snapshot
  const { size } = query
  const filter = readFilter({ get: (name) => textOf(query, name) })
  const category = categories.find(({ title }) => titleKey(title) === filter.category)
  const asOf = asOfNow({ siteFile, now })
  const searched = filter.q === '' ? null : await search(catalogue, snapshot, filter.q)
  const sort = filter.sort === 'shelf' ? (searched?.reading.sort ?? filter.sort) : filter.sort
  const choices = {
    ...query,
    category: category ? [inAddress(category.title)] : [],
    stock: filter.inStock ? ['in'] : [],
    fresh: filter.fresh === 0 ? [] : [`${filter.fresh}`],
  }
  const counter = isNarrowable(query, choices) ? new FacetCounter(snapshot, choices, asOf) : null
  const found = filterProducts(
    products,
    { ...filter, sort },
    asOf,
    searched?.places ?? null,
    counter ? (place) => counter.take(place) : undefined,
  )
  const page = Math.min(query.page, Math.max(1, Math.ceil(found.length / size)))
  const rows = found.slice((page - 1) * size, page * size).map(cardOf)
  const { length: total } = found
  return {
    rows,
    page,
    size,
    total,
    onSale: products.length,
    search: searched && {
      ...searched.reading,
      named: total === 0 ? missedOf(filter.q, products) : null,
      said: saidOf(filter.q, searched),
    },
    facets: query.facets === undefined || counter === null ? null : counter.facets(),
  }
}

/** What the words name of the trade, where nothing that is called so can be bought: other filters may have left it out. */
function missedOf(q: string, products: Snapshot['products']): string | null {
  const name = tradeNameOf(q)
  if (name === null || products.some(({ title, stock }) => stock > 0 && titleNames(title, name))) return null
  return name
}

/** Is anything chosen or to be counted? Else no product is asked. */
const isNarrowable = ({ facets }: ShelfQuery, choices: Choices): boolean =>
  facets !== undefined || facetKinds.some((kind) => choices[kind].length > 0)

/** How the words were read, for who typed them. */
function saidOf(q: string, { reading: { instead, soldAs, isPartly, sort }, places }: Found): string {
  if (places.size === 0) return ''
  const said = [
    instead !== null && `Nothing here is written “${q}”. These are for “${instead}”.`,
    isPartly && instead === null && 'Nothing has all of these words. These have the most of them.',
    soldAs !== null && `What you call “${q}” is sold here as ${soldAs}.`,
    sort !== null && `${sorts[sort]}.`,
  ]
  return said.filter((sentence) => sentence !== false).join(' ')
}

/** Words and products of a list under a field. */
const SUGGESTED_WORDS = 3
const SUGGESTED = 5

/** What is still being typed. */
export const SuggestionsQuery = z.object({ q: z.string().max(MAX_SEARCH).describe('what was typed so far') })

/** The products that fit best what is being typed, what is in stock first, and the words that it may become. */
export async function suggestProducts(
  { catalogue }: ShelfDeps,
  { q }: z.infer<typeof SuggestionsQuery>,
): Promise<ProductSuggestions> {
  const snapshot = await catalogue.snapshot()
  if (q.trim() === '') return { words: [], products: [] }
  const { places, reading } = await search(catalogue, snapshot, q)
  const found = snapshot.among([...places.keys()]).slice(0, 4 * SUGGESTED)
  const inStock = found.filter(({ stock }) => stock > 0)
  const products = [...inStock, ...found.filter(({ stock }) => stock === 0)].slice(0, SUGGESTED).map(cardOf)
  const words = [reading.instead, ...(searches.get(catalogue)?.wordsFrom(q) ?? [])]
  return {
    words: [...new Set(words.filter((word) => word !== null))].slice(0, SUGGESTED_WORDS),
    products,
  }
}
