import type { CategoryView, ProductFacet, ProductView } from '@befaqt/domain/catalogue'
import { DAY_MS } from '@befaqt/domain/durations'
import { type AsOf, freshnessAt } from '@befaqt/domain/freshness-word'
import { titlePath } from '@befaqt/domain/page-paths'
import { type Choices, choiceValue, type FacetKind, facetKinds, YES } from '@befaqt/domain/shelf-choices'
import { hasPhrase, termsOf } from './search/terms.ts'

/** Values of one kind that a page offers, those of the most products. */
const MAX_OPTIONS = 12
/** Days from today of the dates that are offered: what is best by then or later. */
const BEST_BY_DAYS = [2, 4, 7, 10]

type Trait = { value: string; label: string }

/** What products are that are alike in all kinds. `bestBy`: null where nothing may be said. */
type Profile = Record<Exclude<FacetKind, 'bestBy' | 'category'>, readonly Trait[]> & {
  category: string
  bestBy: string | null
}

type Traits = { key: string; traits: Omit<Profile, 'bestBy' | 'fresh'> }

const known = new WeakMap<ProductView, Traits>()

/** What a product is, of what does not depend on the clock. */
function traitsOf(product: ProductView): Traits {
  const before = known.get(product)
  if (before !== undefined) return before
  const { category_id, origin, box, title, unit, discount, stock } = product
  const traits = {
    category: category_id,
    stock: stock > 0 ? [inStock] : [],
    origin: origin.flatMap(named),
    method: named(box?.method ?? ''),
    cut: cutsOf(title, unit),
    tracked: box === null ? [] : [tracked],
    special: discount > 0 ? [special] : [],
  }
  const made = { key: JSON.stringify(traits), traits }
  known.set(product, made)
  return made
}

const inStock = { value: 'in', label: 'In stock' }
const tracked = { value: YES, label: 'Tracked box' }
const special = { value: YES, label: 'On special' }
const excellent = { value: '5', label: 'Excellent' }
const good = { value: '4', label: 'Good or better' }

/** What `fresh` in an address asks for. Of an unknown state, a box is nothing of it. */
const freshTraits = { excellent: [excellent, good], good: [good], 'use soon': [], 'past its best': [] }

/** A name as suppliers and managers write it; none where it has no letters. */
function named(name: string): Trait[] {
  const value = choiceValue(name)
  return value === '' ? [] : [{ value, label: name.charAt(0).toUpperCase() + name.slice(1) }]
}

/** The profiles of a list of products, and of each product its own, as of one date; `until` then, in milliseconds. */
type Index = { today: string; until: number; profiles: readonly Profile[]; profileOf: Uint32Array }

const indexes = new WeakMap<readonly ProductView[], Index>()

/** Made once for a catalogue and a day, or until a warm box has been silent for too long. */
function indexOf(products: readonly ProductView[], now: AsOf): Index {
  const before = indexes.get(products)
  if (before?.today === now.today && now.at < before.until) return before
  const ids = new Map<string, number>()
  const profiles: Profile[] = []
  const profileOf = new Uint32Array(products.length)
  let until = Number.POSITIVE_INFINITY
  for (const [i, product] of products.entries()) {
    const { key, traits } = traitsOf(product)
    const { box } = product
    const { word = null, bestBy = null } = (box && freshnessAt(box, now)) ?? {}
    const unknownFrom = box?.warm ? Date.parse(box.warm.unknownFrom) : 0
    if (unknownFrom > now.at) until = Math.min(until, unknownFrom)
    const whole = `${word} ${bestBy} ${key}`
    const fresh = word === null ? [] : freshTraits[word]
    const id = ids.get(whole) ?? profiles.push({ ...traits, fresh, bestBy }) - 1
    ids.set(whole, id)
    profileOf[i] = id
  }
  const index = { today: now.today, until, profiles, profileOf }
  indexes.set(products, index)
  return index
}

type Option = { label: string; count: number; all: number }

/**
 * Asks of each product that all other filters leave whether it is chosen, and counts meanwhile how many each value of a
 * kind would leave with the choices of the other kinds as they are.
 */
export class FacetCounter {
  readonly #choices: Choices
  readonly #dates: readonly Trait[]
  readonly #categories: ReadonlyMap<string, Trait>
  /** Their places in the shop's order, by value. */
  readonly #places: ReadonlyMap<string, number>
  readonly #index: Index
  /** Of each profile the kinds whose choices it misses. */
  readonly #missed: readonly (readonly FacetKind[])[]
  /** Of each profile how many products were asked. */
  readonly #asked: Uint32Array

  /** @param products those that are asked, by their place; the same list as long as the catalogue stays as it is */
  constructor(
    { products, categories }: { products: readonly ProductView[]; categories: readonly CategoryView[] },
    choices: Choices,
    now: AsOf,
  ) {
    this.#choices = choices
    this.#categories = new Map(
      categories.map(({ _id, title }) => [_id, { value: inAddress(title), label: title }]),
    )
    this.#places = new Map([...this.#categories.values()].map(({ value }, place) => [value, place]))
    const offered = BEST_BY_DAYS.map((days) => dateAfter(now.today, days))
    this.#dates = [...new Set([...offered, ...choices.bestBy])]
      .sort()
      .map((value) => ({ value, label: value }))
    this.#index = indexOf(products, now)
    this.#missed = this.#index.profiles.map((profile) =>
      facetKinds.filter((kind) => {
        const chosen = choices[kind]
        return chosen.length > 0 && !this.#traits(profile, kind).some(({ value }) => chosen.includes(value))
      }),
    )
    this.#asked = new Uint32Array(this.#index.profiles.length)
  }

  /** Is the product at this place among what is chosen? Counts it. */
  take(place: number): boolean {
    const profile = this.#index.profileOf[place] ?? 0
    this.#asked[profile] = (this.#asked[profile] ?? 0) + 1
    return this.#missed[profile]?.length === 0
  }

  /** What a profile is in one kind: of dates all until which it keeps. */
  #traits(profile: Profile, kind: FacetKind): readonly Trait[] {
    if (kind === 'category') {
      const category = this.#categories.get(profile.category)
      return category === undefined ? [] : [category]
    }
    if (kind !== 'bestBy') return profile[kind]
    const { bestBy } = profile
    return bestBy === null ? [] : this.#dates.filter(({ value }) => value <= bestBy)
  }

  /** Categories and cuts have an order of their own. */
  #place(kind: FacetKind, { value }: Trait): number {
    if (kind === 'category') return this.#places.get(value) ?? this.#places.size
    return kind === 'cut' ? cutPlace(value) : 0
  }

  #options(kind: FacetKind): Map<string, Option> {
    const options = new Map<string, Option>()
    for (const [id, profile] of this.#index.profiles.entries()) {
      const asked = this.#asked[id] ?? 0
      const missed = this.#missed[id] ?? []
      // What no product of the category has is not offered beside it.
      if (asked === 0 || (kind !== 'category' && missed.includes('category'))) continue
      const isLeft = missed.every((one) => one === kind)
      for (const { value, label } of this.#traits(profile, kind)) {
        const { count, all } = options.get(value) ?? { count: 0, all: 0 }
        options.set(value, { label, count: count + (isLeft ? asked : 0), all: all + asked })
      }
    }
    return options
  }

  /**
   * The kinds that there is something to choose of. What was chosen is always among them, so that it can be
   * undone. Their order is the same whatever is chosen: nothing moves.
   */
  facets(): ProductFacet[] {
    return facetKinds.flatMap((kind) => {
      const options = this.#options(kind)
      const chosen = this.#choices[kind]
      for (const value of chosen)
        if (!options.has(value)) options.set(value, { label: labelOf(kind, value), count: 0, all: 0 })
      const offered = [...options]
        .sort(([, a], [, b]) => b.all - a.all)
        .filter(([value], place) => kind === 'category' || place < MAX_OPTIONS || chosen.includes(value))
        .map(([value, { label, count }]) => ({ value, label, count, isChosen: chosen.includes(value) }))
        .sort((a, b) => this.#place(kind, a) - this.#place(kind, b) || compare(a.label, b.label))
      return offered.length === 0 ? [] : [{ kind, options: offered }]
    })
  }
}

/**
 * The forms in which the trade sells seafood, and the words that say so in a title or a unit: products have no field of
 * it. In the order in which they are shown.
 */
const cuts: readonly { value: string; label: string; words: readonly string[] }[] = [
  { value: 'whole', label: 'Whole', words: ['whole'] },
  { value: 'fillets', label: 'Fillets', words: ['fillet', 'filet'] },
  { value: 'cutlets', label: 'Cutlets and steaks', words: ['cutlet', 'steak', 'darne'] },
  { value: 'loins', label: 'Loins', words: ['loin'] },
  { value: 'half-shell', label: 'Half shell', words: ['half shell', 'opened', 'shucked'] },
  { value: 'live', label: 'Live', words: ['live'] },
  { value: 'raw', label: 'Raw', words: ['raw', 'green prawn'] },
  { value: 'cooked', label: 'Cooked', words: ['cooked', 'boiled'] },
  { value: 'smoked', label: 'Smoked', words: ['smoked'] },
]

const phrases = cuts.map(({ words, ...cut }) => ({ cut, phrases: words.map(termsOf) }))

/** What a product is sold as, by its title and unit. */
export function cutsOf(title: string, unit: string): { value: string; label: string }[] {
  const texts = [termsOf(title), termsOf(unit)]
  return phrases.flatMap(({ cut, phrases }) =>
    phrases.some((phrase) => texts.some((text) => hasPhrase(text, phrase))) ? [cut] : [],
  )
}

/** Place of a cut among all. */
const cutPlace = (value: string): number => cuts.findIndex((cut) => cut.value === value)

const { compare } = new Intl.Collator('en-AU')

const fixed: Partial<Record<FacetKind, readonly Trait[]>> = {
  stock: [inStock],
  fresh: [excellent, good],
  tracked: [tracked],
  special: [special],
  cut: cuts,
}

/** What is chosen is called so, also where no product has it: a name of no product as it stands in the address. */
const labelOf = (kind: FacetKind, value: string): string =>
  fixed[kind]?.find((one) => one.value === value)?.label ??
  (kind === 'bestBy' ? value : (named(value.replaceAll('-', ' '))[0]?.label ?? value))

/** How a category is named in an address. */
export const inAddress = (title: string): string => decodeURIComponent(titlePath(title))

const dateAfter = (today: string, days: number): string =>
  new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10)
