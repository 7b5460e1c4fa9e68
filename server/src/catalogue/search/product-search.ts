import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { CategoryView, ProductView, SearchReading } from '@befaqt/domain/catalogue'
import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch'
import { correctionOf, hasPhrase, plain, term, termsOf, wordsOf } from './terms.ts'
import { cutNames, fillers, orderWords, tradeNames } from './trade-names.ts'

/** How words were read, but for the sentences that say it. */
type Reading = Omit<SearchReading, 'said' | 'named'>

/** `places`: of the products found, from 0 for what fits best. */
export type Found = { reading: Reading; places: ReadonlyMap<string, number> }

type Doc = { id: string; title: string; names: string; category: string; place: string; description: string }

/** Products read into the index before others get their turn: a few milliseconds. */
const AT_ONCE = 50
/** Words of a query that count; more of them find nothing that is meant. */
const MAX_WORDS = 12
/** Characters after which a word is cut. */
const MAX_WORD = 30
/** How many letters of a word may be wrong: first few, then more, where that finds nothing. */
const mistakes = [
  { letters: 1, inWordsOf: 3 },
  { letters: 2, inWordsOf: 5 },
]
/** What counts for finding only some of the words: a word that merely stands in a description says little. */
const TELLING = new Set(['title', 'names', 'category'])

const asTyped: SearchOptions = {
  combineWith: 'AND',
  prefix: (word, i, all) => i === all.length - 1 && word.length > 1,
  boost: { title: 6, names: 4, category: 2, place: 2 },
}
/** Before what only has the words somewhere: what is called so, by the shop itself or by others. */
const OWN_NAME = 10
const OTHER_NAME = 5

const groups = [...tradeNames, ...cutNames].map((group) =>
  group.map((name) => ({ name, terms: termsOf(name) })),
)
const cuts = new Set(cutNames.flat().flatMap(termsOf))
/** Words that somebody who types them means, also where the shop sells no such thing. */
const known = new Set(groups.flat().flatMap(({ terms }) => terms))

const keyOf = (terms: readonly string[]): string => terms.join(' ')

/** What a title names, and what else that is called: by the terms of a whole name, the shop's own with `OWN_NAME`. */
function namesOf(title: string): { others: string; boosts: ReadonlyMap<string, number> } {
  const terms = termsOf(title)
  const named = groups.filter(([own]) => own !== undefined && hasPhrase(terms, own.terms))
  const others = named.flatMap(([, ...rest]) => rest)
  const boosts = new Map(others.map((other) => [keyOf(other.terms), OTHER_NAME]))
  for (const [own] of named) if (own !== undefined) boosts.set(keyOf(own.terms), OWN_NAME)
  return { others: others.map(({ name }) => name).join(' '), boosts }
}

type Indexed = {
  product: ProductView
  category: string
  boosts: ReadonlyMap<string, number>
  /** For parts of words, which an index of words can't find. */
  text: string
}

/**
 * The products on sale by their words, as people type them: whole words first, then beginnings, parts of words, mistyped
 * ones, and at last what has some of the words. It follows the catalogue: what did not change there is not read again.
 */
export class ProductSearch {
  readonly #index = new MiniSearch<Doc>({
    fields: ['title', 'names', 'category', 'place', 'description'],
    tokenize: wordsOf,
    processTerm: (word) => (fillers.has(word) ? null : term(word)),
  })
  readonly #indexed = new Map<string, Indexed>()
  #products: readonly ProductView[] = []
  #following: Promise<void> = Promise.resolve()

  /** Takes over what changed since the last call, by the identity of the products; one call after the other. */
  follow(products: readonly ProductView[], categories: readonly CategoryView[]): Promise<void> {
    if (products === this.#products) return this.#following
    this.#products = products
    const taking = this.#following.then(() => this.#take(products, categories))
    // One that failed is taken again at the next search, and stops no later one.
    this.#following = taking.catch(() => {
      this.#products = []
    })
    return taking
  }

  async #take(products: readonly ProductView[], categories: readonly CategoryView[]): Promise<void> {
    const titles = new Map(categories.map(({ _id, title }) => [_id, title]))
    const gone = new Set(this.#indexed.keys())
    let read = 0
    for (const product of products) {
      gone.delete(product._id)
      const category = titles.get(product.category_id) ?? ''
      const known = this.#indexed.get(product._id)
      if (known?.product === product && known.category === category) continue
      if (known !== undefined) this.#forget(product._id)
      const place = product.box?.catchPlace ?? ''
      const { _id: id, title, description } = product
      const { others, boosts } = namesOf(title)
      this.#index.add({ id, title, names: others, category, place, description })
      const text = plain(`${title} ${description} ${place}`)
      this.#indexed.set(id, { product, category, boosts, text })
      if (++read % AT_ONCE === 0) await yieldToEventLoop()
    }
    for (const id of gone) this.#forget(id)
  }

  #forget(id: string): void {
    this.#index.discard(id)
    this.#indexed.delete(id)
  }

  /** What fits the words best, of what was followed last. @param typed of any length; what is long is cut */
  find(typed: string): Found {
    const all = wordsOf(typed).map((word) => word.slice(0, MAX_WORD))
    const words = all.slice(0, MAX_WORDS).filter((word) => !fillers.has(word))
    const asks = words.flatMap((word) => (Object.hasOwn(orderWords, word) ? [word] : []))
    const sort = orderWords[asks[0] as keyof typeof orderWords] ?? null
    const wanted = words.filter((word) => !asks.includes(word))
    const asIs = { instead: null, soldAs: null, isPartly: false, sort }
    // Only what orders, or only fillers: everything. Only signs: nothing.
    if (wanted.length === 0) {
      const ids = all.length > 0 ? this.#products.map(({ _id }) => _id) : []
      return { reading: asIs, places: placesOf(ids) }
    }
    const exact = this.#search(wanted, asTyped)
    const ids = [...new Set([...idsOf(exact), ...this.#havingParts(wanted)])]
    if (ids.length === 0) return this.#forgiven(wanted, asIs)
    // Where the words meet in no name, what one of them names may be meant as well.
    const more = exact.some((hit) => telling(hit) >= wanted.length) ? [] : idsOf(this.#someOf(wanted, 0))
    const reading = { ...asIs, soldAs: this.#soldAs(wanted, exact[0]) }
    return { reading, places: placesOf([...new Set([...ids, ...more])]) }
  }

  #search(words: readonly string[], options: SearchOptions): SearchResult[] {
    const whole = keyOf(words.map(term))
    const boostDocument = (id: unknown): number => this.#indexed.get(String(id))?.boosts.get(whole) ?? 1
    return this.#index.search(words.join(' '), { ...options, boostDocument })
  }

  /** Whole words that what is being typed may become, those of the most products first. Without what it is already. */
  wordsFrom(typed: string): string[] {
    const options: SearchOptions = { ...asTyped, fields: ['title', 'names'] }
    const now = termsOf(typed).join(' ')
    return this.#index
      .autoSuggest(typed, options)
      .map(({ suggestion }) => suggestion)
      .filter((suggestion) => suggestion !== now)
  }

  /** Those whose text has all of these parts of words, in the shop's order. */
  #havingParts(words: readonly string[]): string[] {
    const parts = words.filter((word) => word.length > 1)
    if (parts.length < words.length) return []
    const has = (id: string): boolean => parts.every((part) => this.#indexed.get(id)?.text.includes(part))
    return this.#products.map(({ _id }) => _id).filter(has)
  }

  /** What has all words but for mistakes in their letters, else what has most of them. */
  #forgiven(wanted: readonly string[], asIs: Reading): Found {
    for (const [i, fuzzy] of mistakes.map(fuzzyFor).entries()) {
      const hits = this.#search(wanted, { ...asTyped, fuzzy })
      const isPartly = hits.length === 0 && wanted.length > 1
      const best = isPartly ? this.#someOf(wanted, i) : hits
      const [first] = best
      const instead = first
        ? correctionOf(isPartly ? first.queryTerms : wanted, Object.keys(first.match))
        : null
      if (best.length > 0) return { reading: { ...asIs, instead, isPartly }, places: placesOf(idsOf(best)) }
    }
    return { reading: asIs, places: new Map() }
  }

  /** What names most of the words; one that merely stands in a description says little. */
  #someOf(wanted: readonly string[], forgiving: number): SearchResult[] {
    const fuzzy = mistakes.map(fuzzyFor)[forgiving] ?? false
    const things = wanted.filter((word) => !cuts.has(term(word)))
    const options: SearchOptions = { ...asTyped, fuzzy, combineWith: 'OR', prefix: false }
    const some = this.#search(things.length > 0 ? things : wanted, options)
    const most = Math.max(1, ...some.map(telling))
    return some.filter((hit) => telling(hit) === most)
  }

  /** The shop's name of what was found by another; null where its own title has a word of the search. */
  #soldAs(wanted: readonly string[], best: SearchResult | undefined): string | null {
    if (best === undefined || Object.values(best.match).some((fields) => fields.includes('title')))
      return null
    const title = termsOf(this.#indexed.get(String(best.id))?.product.title ?? '')
    const typed = wanted.map(term)
    const group = groups.find(
      ([own, ...others]) =>
        own !== undefined &&
        hasPhrase(title, own.terms) &&
        others.some(({ terms }) => hasPhrase(typed, terms)),
    )
    return group?.[0]?.name ?? null
  }
}

const idsOf = (hits: readonly SearchResult[]): string[] => hits.map(({ id }) => String(id))

/** How many words of the search are in a name of what was found. */
const telling = ({ terms, match }: SearchResult): number =>
  terms.filter((found) => match[found]?.some((field) => TELLING.has(field))).length

/** A word of the trade is meant as it is typed, whether it is sold or not. */
const fuzzyFor =
  ({ letters, inWordsOf }: (typeof mistakes)[number]) =>
  (word: string): number | false =>
    word.length >= inWordsOf && !known.has(word) ? letters : false

const placesOf = (ids: readonly string[]): ReadonlyMap<string, number> =>
  new Map(ids.map((id, place) => [id, place]))
