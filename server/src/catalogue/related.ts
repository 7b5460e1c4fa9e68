import type { ProductView, RelatedProducts } from '@befaqt/domain/catalogue'
import { originText } from '@befaqt/domain/labelling'
import { RELATED } from '@befaqt/domain/limits'
import { type Cents, formatDollars, salePrice } from '@befaqt/domain/money'
import { cutsOf } from './facets.ts'
import { tradeNameOf } from './search/trade-name-of.ts'
import { cardOf } from './views.ts'

type Alike = { kind: string | null; cuts: readonly { value: string; label: string }[] }

const known = new WeakMap<ProductView, Alike>()

/** What a product is, for who looks for another one like it: read once, as long as it stays as it is. */
function alike(product: ProductView): Alike {
  const { title, unit } = product
  const made = known.get(product) ?? { kind: tradeNameOf(title), cuts: cutsOf(title, unit) }
  known.set(product, made)
  return made
}

/** Cuts that say how something is sold, not as what: 'Also sold whole', but 'Also fillets'. */
const MANNERS = new Set(['whole', 'half-shell', 'live', 'raw', 'cooked', 'smoked'])

/**
 * Others that can be bought now, in the shop's order: those that the trade calls the same, those of the same boat, then
 * those of the same category and cut. What is recalled or off sale can't be bought, and no card names its box.
 * @param products all on sale, in the shop's order
 */
export function relatedTo(products: readonly ProductView[], product: ProductView): RelatedProducts[] {
  const { kind, cuts } = alike(product)
  const others = products.filter(({ _id, stock }) => _id !== product._id && stock > 0)
  const found = new Map<ProductView, string>()
  if (kind !== null) for (const one of others) if (alike(one).kind === kind) found.set(one, `Also ${kind}`)
  const boat = product.box?.boat
  if (boat)
    for (const one of others)
      if (one.box?.boat === boat && !found.has(one)) found.set(one, `Also landed by ${boat}`)
  for (const { value, label } of cuts)
    for (const one of others)
      if (one.category_id === product.category_id && !found.has(one) && isCut(one, value))
        found.set(one, `Also ${MANNERS.has(value) ? 'sold ' : ''}${label.toLowerCase()}`)
  const shown = Map.groupBy([...found].slice(0, RELATED), ([, reason]) => reason)
  return [...shown].map(([reason, alikes]) => ({
    reason,
    products: alikes.map(([one]) => cardOf(one)),
    differences: alikes.map(([one]) =>
      kind !== null && alike(one).kind === kind ? difference(one, product) : '',
    ),
  }))
}

/**
 * How an offer of the same fish differs from another, where both say it: 'fillets, not whole; not tracked; $14.00/kg
 * more'. What both have is left out.
 */
export function difference(one: ProductView, other: ProductView): string {
  const cut = cutWords(one, other)
  const parts = [
    cut,
    cut === '' || one.preparations.length > 0 ? preparedWords(one, other) : '',
    boxWords(one, other),
  ]
  if (one.origin.length > 0 && other.origin.length > 0 && originText(one.origin) !== originText(other.origin))
    parts.push(`from ${originText(one.origin)}`)
  parts.push(priceWords(one, other))
  const said = parts.filter(Boolean).join('; ')
  return said.charAt(0).toUpperCase() + said.slice(1)
}

function cutWords(one: ProductView, other: ProductView): string {
  const [own, its] = [one, other].map((product) =>
    alike(product)
      .cuts.map(({ label }) => label.toLowerCase())
      .join(', '),
  )
  if (!own || own === its) return ''
  return its ? `${own}, not ${its}` : own
}

function preparedWords(one: ProductView, other: ProductView): string {
  const isPrepared = one.preparations.length > 0
  if (isPrepared === other.preparations.length > 0) return ''
  return isPrepared ? 'cleaned or filleted if you like' : 'sold as it is, not cleaned or filleted'
}

function boxWords({ box: own }: ProductView, { box: its }: ProductView): string {
  if (own === null) return its === null ? '' : 'not tracked'
  if (its === null) return 'from a tracked box'
  return own.boxID === its.boxID ? 'from the same box' : 'from another box'
}

function priceWords(one: ProductView, other: ProductView): string {
  if (one.unit !== other.unit) return `sold by ${one.unit === 'each' ? 'the piece' : `the ${one.unit}`}`
  const more = salePrice(one) - salePrice(other)
  if (more === 0) return 'the same price'
  return `${formatDollars(Math.abs(more) as Cents)}/${one.unit} ${more > 0 ? 'more' : 'less'}`
}

const isCut = (product: ProductView, cut: string): boolean =>
  alike(product).cuts.some(({ value }) => value === cut)
