import type { ProductFacet, ProductView } from '@befaqt/domain/catalogue'
import { DAY_MS } from '@befaqt/domain/durations'
import { type AsOf, freshnessAt } from '@befaqt/domain/freshness-word'
import { type ChoiceKind, type Choices, choiceKinds, choiceValue, YES } from '@befaqt/domain/shelf-choices'
import { cutPlace, cutsOf } from './cuts.ts'

/** Values of one kind that a page offers, those of the most products. */
const MAX_OPTIONS = 12
/** Days from today of the dates that are offered: what is best by then or later. */
const BEST_BY_DAYS = [2, 4, 7, 10]

type Trait = { value: string; label: string }

/** What a product is, of what does not depend on the clock. */
type Traits = Record<Exclude<ChoiceKind, 'bestBy'>, readonly Trait[]>

const traits = new WeakMap<ProductView, Traits>()

function traitsOf(product: ProductView): Traits {
  const known = traits.get(product) ?? newTraits(product)
  traits.set(product, known)
  return known
}

const newTraits = ({ origin, box, title, unit, discount }: ProductView): Traits => ({
  origin: origin.flatMap(named),
  method: named(box?.method ?? ''),
  cut: cutsOf(title, unit),
  tracked: box === null ? [] : [{ value: YES, label: 'Tracked box' }],
  special: discount > 0 ? [{ value: YES, label: 'On special' }] : [],
})

/** A name as suppliers and managers write it; none where it has no letters. */
function named(name: string): Trait[] {
  const value = choiceValue(name)
  return value === '' ? [] : [{ value, label: name.charAt(0).toUpperCase() + name.slice(1) }]
}

type Option = { label: string; count: number; all: number }

/**
 * Asks of each product that all other filters leave whether it is chosen, and counts meanwhile how many each value of a
 * kind would leave with the choices of the other kinds as they are.
 */
export class FacetCounter {
  readonly #kinds: {
    kind: ChoiceKind
    chosen: ReadonlySet<string>
    options: Map<string, Option>
  }[]
  readonly #dates: readonly Trait[]
  readonly #now: AsOf

  /** @param now the clock, and the date in market time: an unknown or past box has no date */
  constructor(choices: Choices, now: AsOf) {
    this.#now = now
    this.#kinds = choiceKinds.map((kind) => ({ kind, chosen: new Set(choices[kind]), options: new Map() }))
    const offered = BEST_BY_DAYS.map((days) => dateAfter(now.today, days))
    this.#dates = [...new Set([...offered, ...choices.bestBy])]
      .sort()
      .map((value) => ({ value, label: value }))
  }

  /** Is the product among what is chosen? Counts it. */
  take(product: ProductView): boolean {
    const of = { ...traitsOf(product), bestBy: this.#datesOf(product) }
    const missed = this.#kinds.filter(
      ({ kind, chosen }) => chosen.size > 0 && !of[kind].some(({ value }) => chosen.has(value)),
    )
    for (const one of this.#kinds) {
      const isLeft = missed.length === 0 || (missed.length === 1 && missed[0] === one)
      for (const { value, label } of of[one.kind]) {
        const option = one.options.get(value)
        if (option === undefined) one.options.set(value, { label, count: Number(isLeft), all: 1 })
        else {
          option.all++
          if (isLeft) option.count++
        }
      }
    }
    return missed.length === 0
  }

  /** The dates until which the product keeps, by what its card says. */
  #datesOf({ box }: ProductView): readonly Trait[] {
    const bestBy = box && freshnessAt(box, this.#now).bestBy
    return bestBy === null ? [] : this.#dates.filter(({ value }) => value <= bestBy)
  }

  /** The kinds that there is something to choose of. What was chosen is always among them, so that it can be undone. */
  facets(): ProductFacet[] {
    return this.#kinds.flatMap(({ kind, chosen, options }) => {
      for (const value of chosen)
        if (!options.has(value)) options.set(value, { label: value, count: 0, all: 0 })
      const offered = [...options]
        .sort(([, a], [, b]) => b.all - a.all)
        .filter(([value], place) => place < MAX_OPTIONS || chosen.has(value))
        .map(([value, { label, count }]) => ({ value, label, count, isChosen: chosen.has(value) }))
        .sort((a, b) => inOrderOf(kind, a, b))
      return offered.length === 0 ? [] : [{ kind, options: offered }]
    })
  }
}

const { compare } = new Intl.Collator('en-AU')

/** The same whatever is chosen, so that nothing moves: cuts from the whole fish on, all else by name or date. */
const inOrderOf = (kind: ChoiceKind, a: Trait, b: Trait): number =>
  (kind === 'cut' ? cutPlace(a.value) - cutPlace(b.value) : 0) || compare(a.label, b.label)

const dateAfter = (today: string, days: number): string =>
  new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10)
