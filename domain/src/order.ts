import { z } from 'zod'
import { FirstName, LastName } from './account.ts'
import { BoxID } from './box-values.ts'
import { MAX_CART_LINES } from './cart.ts'
import { CouponCode } from './coupon-code.ts'
import { Email, line, Phone, paragraph } from './fields.ts'
import { MAX_ORDER_GRAMS, MAX_REASON, MAX_SLOT_CAPACITY, MAX_STOCK } from './limits.ts'
import { fulfilmentKinds, orderStates } from './order-states.ts'
import { paymentMethods } from './payment.ts'
import { isInThousandths } from './quantity.ts'
import { preparedKinds } from './statuses.ts'
import { numberError } from './typed-number.ts'

/** An id as it is named in a request. */
const id = (label: string) => line(label, 64)

const wholeFromOne = (label: string, max: number) =>
  z
    .number(`${label} must be a number`)
    .int(`${label} must be a whole number`)
    .min(1, `${label} must be at least 1`)
    .max(max, `${label} must be at most ${max}`)

/** How much is ordered, in the product's units. What steps it is sold in is known once the product is read. */
const AnyQuantity = z
  .number({ error: numberError('quantity', 'a point, as in 1.5 for one and a half') })
  .max(MAX_STOCK, `quantity must be at most ${MAX_STOCK}`)
  .refine(isInThousandths, 'quantity must have at most three decimals')

const Quantity = AnyQuantity.gt(0, 'quantity must be more than 0')

/** `unit`: what its buyer saw its quantity count in; absent: not said. `preparation`: to be done to it; absent: whole. */
const OrderedLine = z.strictObject({
  product_id: id('product'),
  quantity: Quantity,
  unit: z.string('unit must be text').max(50, 'unit must have at most 50 characters').optional(),
  preparation: z.enum(preparedKinds, `preparation must be one of ${preparedKinds.join(', ')}`).optional(),
})

/** What tells lines of an order apart: their product, and what is done to it. */
export const orderedKey = ({
  product_id,
  preparation = 'whole',
}: {
  product_id: string
  preparation?: string | undefined
}): string => `${product_id} ${preparation}`

/** Lines of an order or a hold: each product once for what is done to it. */
export const OrderedLines = z
  .array(OrderedLine, 'lines must be a list')
  .min(1, 'order at least one product')
  .max(MAX_CART_LINES, `at most ${MAX_CART_LINES} products`)
  .superRefine((lines, { addIssue }) => {
    const seen = new Set<string>()
    for (const [i, line] of lines.entries()) {
      if (seen.has(orderedKey(line)))
        addIssue({ code: 'custom', path: [i], message: 'is listed twice with the same preparation' })
      seen.add(orderedKey(line))
    }
  })

const Postcode = z.string('postcode is required').regex(/^\d{4}$/, 'postcode must be 4 digits')

/** An Australian street address. */
export const DeliveryAddress = z.strictObject({
  street: line('street', 200),
  suburb: line('suburb', 100),
  state: z.enum(['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'], 'state must be one of Australia’s'),
  postcode: Postcode,
})
export type DeliveryAddress = z.infer<typeof DeliveryAddress>

const Fulfilment = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('pickup'), slot: id('slot') }),
    z.strictObject({ kind: z.literal('delivery'), slot: id('slot'), address: DeliveryAddress }),
  ],
  'kind must be pickup or delivery',
)
export type Fulfilment = z.infer<typeof Fulfilment>

export const OrderContact = z.strictObject({ fname: FirstName, lname: LastName, email: Email, phone: Phone })

/** Whoever sends it is logged in and wants it for the account: without a session it is rejected. */
export const forAccount = z.literal(true).optional()

/**
 * An order as it is placed. `payment`: on receipt unless named; `coupon`: a code that takes something off it; `expectedTotal`: the cents that the page showed;
 * `hold`: of this checkout.
 */
export const PlaceOrder = z.strictObject({
  lines: OrderedLines,
  contact: OrderContact,
  fulfilment: Fulfilment,
  note: paragraph('note', MAX_REASON).default(''),
  payment: z.enum(paymentMethods, 'payment must be later or card').optional(),
  coupon: CouponCode.optional(),
  expectedTotal: z.int('expectedTotal must be whole cents').min(0).optional(),
  hold: id('hold').optional(),
  account: forAccount,
})
export type PlaceOrder = z.infer<typeof PlaceOrder>

/** Random bits of a checkout, under which it holds. */
export const HoldId = z
  .string('hold must be text')
  .regex(/^(-?[0-9a-f]){32}$/, 'hold must be 128 random bits in hex')

/**
 * What an open checkout holds. A time is held only for somebody who says who they are. `hold`: under which a guest's hold is replaced, and one that is sent again because its
 * answer was lost replaces itself. A user has one hold, whatever its id.
 */
export const HoldInput = z
  .strictObject({
    lines: OrderedLines,
    slot: id('slot').optional(),
    contact: OrderContact.optional(),
    hold: HoldId.optional(),
    account: forAccount,
  })
  .refine(({ slot, contact }) => slot === undefined || contact !== undefined, {
    path: ['contact'],
    error: 'is needed to hold a time',
  })
export type HoldInput = z.infer<typeof HoldInput>

/**
 * That an order is meant. `confirm`: of the link in its email, which the shop's staff do without. `lines`, `slot`: what
 * is taken of a waiting order, where not all of it is left; never more than was ordered.
 */
export const ConfirmOrder = z.strictObject({
  confirm: line('confirm', 128).optional(),
  lines: OrderedLines.optional(),
  slot: id('slot').optional(),
})
export type ConfirmOrder = z.infer<typeof ConfirmOrder>

/**
 * A move of an order to another state. The buyer is sent the reason that the shop gives for a cancellation. `paid`: what
 * was to be paid by card, and was not, the buyer has paid in another way.
 */
export const OrderMove = z.strictObject({
  status: z.enum(orderStates, `status must be one of ${orderStates.join(', ')}`),
  reason: paragraph('reason', MAX_REASON).default(''),
  paid: z.literal('otherwise', 'paid must be otherwise').optional(),
  version: z.int('version must be a whole number').optional(),
})
export type OrderMove = z.infer<typeof OrderMove>

/** A position of a line. */
const Position = wholeFromOne('position', MAX_CART_LINES)

const eachOnce = (list: readonly { position: number }[]): boolean =>
  new Set(list.map(({ position }) => position)).size === list.length

const chosenKinds = ['whole', ...preparedKinds] as const

/**
 * What its buyer changes of a placed order; what is not named stays. A line with quantity 0 is taken out; `preparation`:
 * what is to be done to it instead, 'whole': nothing. `added`: what is not in it yet; `kind`: delivery instead of
 * pick-up, which needs `slot` and `address`, or the reverse, which needs `slot`. `version`: the one that was seen; `expectedTotal`: the cents that the page showed.
 */
export const AmendOrder = z.strictObject({
  version: z.int('version must be a whole number'),
  lines: z
    .array(
      z.strictObject({
        position: Position,
        quantity: AnyQuantity.min(0, 'quantity must be at least 0'),
        preparation: z.enum(chosenKinds, `preparation must be one of ${chosenKinds.join(', ')}`).optional(),
      }),
      'lines must be a list',
    )
    .max(MAX_CART_LINES)
    .refine(eachOnce, 'a line is listed twice')
    .optional(),
  added: OrderedLines.optional(),
  kind: z.enum(fulfilmentKinds, 'kind must be pickup or delivery').optional(),
  slot: id('slot').optional(),
  address: DeliveryAddress.optional(),
  note: paragraph('note', MAX_REASON).optional(),
  expectedTotal: z.int('expectedTotal must be whole cents').min(0).optional(),
})
export type AmendOrder = z.infer<typeof AmendOrder>

/** Another slot for an order. */
export const OrderSlot = z.strictObject({
  slot: id('slot'),
  version: z.int('version must be a whole number').optional(),
})
export type OrderSlot = z.infer<typeof OrderSlot>

/** The total in cents that a buyer accepts after weighing. */
export const AcceptedTotal = z.strictObject({ total: z.int('total must be whole cents').min(0) })

const Amount = wholeFromOne('amount', MAX_ORDER_GRAMS)

/**
 * What was packed of the lines that are named, by their positions from 1: net grams of what is sold by weight, and the
 * boxes it came from, with grams or pieces of each. It replaces what was packed of these lines before. `noBox`: why it
 * comes from no box, which what is linked to boxes needs when it names none.
 */
export const PackedLines = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        position: Position,
        grams: wholeFromOne('weight in grams', MAX_ORDER_GRAMS).optional(),
        scale: line('scale', 80).optional(),
        boxes: z
          .array(z.strictObject({ boxID: BoxID, amount: Amount }))
          .max(20, 'at most 20 boxes')
          .refine(
            (list) => new Set(list.map(({ boxID }) => boxID)).size === list.length,
            'a box is listed twice',
          )
          .default([]),
        noBox: line('reason', MAX_REASON).optional(),
      }),
      'lines must be a list',
    )
    .min(1, 'name a line')
    .max(MAX_CART_LINES)
    .refine(eachOnce, 'a line is listed twice'),
})
export type PackedLines = z.infer<typeof PackedLines>

/** A line that is left out of an order, with the reason, which the buyer reads. */
export const LeftOutLine = z.strictObject({
  position: Position,
  reason: line('reason', MAX_REASON),
})
export type LeftOutLine = z.infer<typeof LeftOutLine>

/** What was lost of a product in a box: grams, or pieces of what is counted. */
export const BoxLoss = z.strictObject({
  product_id: id('product'),
  amount: Amount,
  reason: line('reason', MAX_REASON),
})
export type BoxLoss = z.infer<typeof BoxLoss>

export const Moment = z.iso.datetime({
  offset: true,
  error: 'must be a time with its offset, as 2026-12-24T09:00:00+11:00',
})

/** Orders that a slot takes. */
export const SlotCapacity = wholeFromOne('capacity', MAX_SLOT_CAPACITY)
/** Where a delivery slot goes to. */
export const Postcodes = z.array(Postcode, 'name a postcode').min(1, 'name a postcode').max(1_000)

const slotFields = {
  capacity: SlotCapacity,
  cutOffAt: Moment,
  closed: z.boolean('closed must be true or false'),
}

/** Is it an IANA time zone that this runtime knows? */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}

/** A new slot. `area`: the postcodes that a delivery slot goes to. */
export const SlotInput = z
  .strictObject({
    kind: z.enum(fulfilmentKinds, 'kind must be pickup or delivery'),
    startsAt: Moment,
    endsAt: Moment,
    timeZone: z.string().max(60).refine(isTimeZone, 'timeZone must be an IANA time zone').optional(),
    area: Postcodes.optional(),
    ...slotFields,
    closed: slotFields.closed.default(false),
  })
  .refine(({ startsAt, endsAt }) => Date.parse(startsAt) < Date.parse(endsAt), {
    path: ['endsAt'],
    error: 'must be after startsAt',
  })
  .refine(({ cutOffAt, endsAt }) => Date.parse(cutOffAt) <= Date.parse(endsAt), {
    path: ['cutOffAt'],
    error: 'must not be after endsAt',
  })
  .refine(({ kind, area }) => (kind === 'delivery') === (area !== undefined), {
    path: ['area'],
    error: 'is for delivery slots, which need it',
  })
export type SlotInput = z.infer<typeof SlotInput>

/** What may change of a slot. */
export const SlotPatch = z
  .strictObject({ ...slotFields, version: z.int('version must be a whole number') })
  .partial()
export type SlotPatch = z.infer<typeof SlotPatch>
