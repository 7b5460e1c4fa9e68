import type { Amount } from '@befaqt/domain/amount'
import type { Undecided } from '@befaqt/domain/api/order-api'
import { gramsText, unitsText } from '@befaqt/domain/labelling'
import { MAX_REASON } from '@befaqt/domain/limits'
import type { FulfilmentKind, OrderState } from '@befaqt/domain/order-states'
import { nameOf, type Preparation, preparedTitle } from '@befaqt/domain/preparation'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { TextAreaField } from '#web/components/field.tsx'

/** How an order reaches its buyer. */
export const kindLabels: Readonly<Record<FulfilmentKind, string>> = {
  pickup: 'Pick-up',
  delivery: 'Delivery',
}

/** Why a line waits for a decision. */
export const undecidedTexts: Readonly<Record<Undecided, string>> = {
  recalled: 'from a recalled box',
  'off sale': 'from a box that is off sale',
  short: 'not enough left to sell',
}

export const stateLabels: Readonly<Record<OrderState, string>> = {
  PLACED: 'to pack',
  PACKED: 'packed',
  READY: 'ready',
  SENT: 'on its way',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
}

const tones: Readonly<Record<OrderState, BadgeTone>> = {
  PLACED: 'warn',
  PACKED: 'teal',
  READY: 'teal',
  SENT: 'teal',
  COMPLETED: 'good',
  CANCELLED: 'bad',
}

type MarkProps = { state: OrderState; isPast?: boolean }

/** The state of an order as a word; in its history as what happened. */
export const OrderStateMark = ({ state, isPast = false }: MarkProps) => (
  <Badge tone={isPast && state === 'PLACED' ? 'plain' : tones[state]}>
    {isPast && state === 'PLACED' ? 'placed' : stateLabels[state]}
  </Badge>
)

/** Kilograms to two decimals: '12.35 kg'. */
export const kilogramsText = (grams: number): string =>
  `${(grams / 1_000).toLocaleString('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} kg`

/** An amount of a product to the gram, or with what it is sold by: '2,050 g', '3 × bag'. */
export const amountText = ({ value, unit }: Amount, soldBy: string): string =>
  unit === 'grams' ? gramsText(value) : `${value.toLocaleString('en-AU')} × ${soldBy}`

/** What was ordered of a line, as buyers ordered it: '500 g', '3 × bag'. */
export const quantityText = ({ unit, quantity }: { unit: string; quantity: number }): string =>
  unitsText(quantity, unit)

type Prepared = { title: string; orderedGrams: number | null; preparation?: Preparation | undefined }

/** What is to be done to a line, for whoever packs it: weighed whole, since that is what is paid. Nothing of whole fish. */
export function PrepareAs({ preparation, orderedGrams }: Omit<Prepared, 'title'>) {
  if (preparation === undefined) return null
  const name = nameOf(preparation.kind)
  return (
    <strong className="block font-semibold text-warn">
      {orderedGrams === null ? name : `${name}: weigh it whole first`}
    </strong>
  )
}

/** The name of a line with what is done to it. */
export const lineTitle = ({ title, preparation }: Omit<Prepared, 'orderedGrams'>): string =>
  preparedTitle(title, preparation?.kind)

type Name = { fname: string; lname: string }

/** Who ordered. A deleted account leaves its orders without a name. */
export const buyerName = (contact: Name | null): string =>
  contact ? `${contact.fname} ${contact.lname}` : 'deleted account'

type ReasonProps = { hint?: string; isMissing: boolean }

/** Why something of an order is given up: the buyer reads it. In a form it is read by `reasonOf`. */
export const ReasonField = ({ hint = 'The buyer reads it.', isMissing }: ReasonProps) => (
  <TextAreaField
    label="Reason"
    name="reason"
    rows={2}
    maxLength={MAX_REASON}
    hint={hint}
    error={isMissing ? 'reason is required' : undefined}
  />
)

/** The reason that was entered; empty: none. */
export const reasonOf = (entered: FormData): string => String(entered.get('reason') ?? '').trim()
