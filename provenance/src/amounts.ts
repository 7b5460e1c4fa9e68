import { isPlainObject } from './canonical.ts'
import { FormatError } from './format-error.ts'
import { type Fields, fields, flag, integer, literal, text } from './validate.ts'

/** Kinds of records that state amounts of the fish in a box, or what of it is on sale. Source: protocol §6.9. */
export const amountKinds = ['weight', 'offer', 'sale', 'loss'] as const
export type AmountKind = (typeof amountKinds)[number]

/** Most that one record states: a tonne, which is more than a box holds, or as many pieces. */
export const MAX_AMOUNT = 1_000_000
const MAX_PRODUCT = 200
const MAX_SCALE = 80
const MAX_LOSS_REASON = 2_000

/** Net weight that ever went in, as it was caught or as it was boxed. `scale`: what weighed it; absent: it was typed. */
export interface Weight {
  readonly kind: 'weight'
  readonly of: 'catch' | 'box'
  readonly grams: number
  readonly scale?: string
}

/** A product is on sale from this box, or no more; `grams`: how much of the box is meant for it. */
export interface Offer {
  readonly kind: 'offer'
  readonly product: string
  readonly linked: boolean
  readonly grams?: number
}

/** What left a box for a buyer, or came back (`returned`). Never who the buyer is. */
export interface Sale {
  readonly kind: 'sale'
  readonly product: string
  readonly grams?: number
  readonly pieces?: number
  readonly returned?: true
}

/** What was lost of a box, with the reason. */
export interface Loss {
  readonly kind: 'loss'
  readonly product: string
  readonly grams?: number
  readonly pieces?: number
  readonly reason: string
}

/** What a record of these kinds states. */
export type Stated = Weight | Offer | Sale | Loss

export const isAmountKind = (kind: string): kind is AmountKind => amountKinds.some((known) => known === kind)

/** Does this data name an amount that no box can hold: not a whole number, nothing, less, or above a tonne? */
export const hasBadAmount = (data: unknown): boolean =>
  isPlainObject(data) &&
  ['grams', 'pieces'].some((name) => Object.hasOwn(data, name) && !isAmount(data[name]))

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= MAX_AMOUNT

/** Members that each kind has to have, and may have. */
const members: Readonly<Record<AmountKind, readonly [required: string[], optional: string[]]>> = {
  weight: [['of', 'grams'], ['scale']],
  offer: [['product', 'linked'], ['grams']],
  sale: [['product'], ['grams', 'pieces', 'returned']],
  loss: [
    ['product', 'reason'],
    ['grams', 'pieces'],
  ],
}

/** The data of a record of such a kind, with these members and no others. @throws FormatError with the path of what is wrong */
export function parseStated(kind: AmountKind, data: unknown, path = '$'): Stated {
  const [required, more] = members[kind]
  return statedIn(kind, fields(data, path, required, more))
}

/**
 * What the data of a record states, for adding up: members that a later writer put beside these are passed over, so that
 * an amount is not lost for them. @throws FormatError
 */
export function readStated(kind: AmountKind, data: unknown): Stated {
  const [required, more] = members[kind]
  const known = Object.entries(isPlainObject(data) ? data : {}).filter(
    ([name]) => required.includes(name) || more.includes(name),
  )
  return parseStated(kind, Object.fromEntries(known))
}

function statedIn(kind: AmountKind, from: Fields): Stated {
  if (kind === 'weight') {
    const { of } = from.of
    if (of !== 'catch' && of !== 'box') throw new FormatError(`${from.path}.of`, 'must be "catch" or "box"')
    const scale = optional(from, 'scale', () => text(from, 'scale', [1, MAX_SCALE]))
    return { kind, of, grams: amountIn(from, 'grams'), ...scale }
  }
  const product = text(from, 'product', [1, MAX_PRODUCT])
  const grams = optional(from, 'grams', () => amountIn(from, 'grams'))
  if (kind === 'offer') return { kind, product, linked: flag(from, 'linked'), ...grams }
  const amounts = { ...grams, ...optional(from, 'pieces', () => amountIn(from, 'pieces')) }
  if (Object.keys(amounts).length === 0) throw new FormatError(from.path, 'must state grams or pieces')
  if (kind === 'loss')
    return { kind, product, ...amounts, reason: text(from, 'reason', [0, MAX_LOSS_REASON]) }
  return { kind, product, ...amounts, ...optional(from, 'returned', () => literal(from, 'returned', true)) }
}

const amountIn = (from: Fields, name: string): number => integer(from, name, [1, MAX_AMOUNT])

/** A member as it is read, where there is one. */
const optional = <const Name extends string, T>(
  from: Fields,
  name: Name,
  read: () => T,
): { [key in Name]?: T } => (Object.hasOwn(from.of, name) ? ({ [name]: read() } as { [key in Name]: T }) : {})
