import { z } from 'zod'
import { measures } from '../amount.ts'
import { DeliveryTermsView } from '../delivery-input.ts'
import { schemaNames } from '../fields.ts'
import { DeliveryAddress, OrderContact } from '../order.ts'
import { amendability, fulfilmentKinds, type OrderState, orderStates } from '../order-states.ts'
import { paymentStates } from '../payment.ts'
import { PreparationView } from '../product-fields.ts'
import { UsedCouponView } from './coupon-api.ts'
import { PaymentView } from './payment-api.ts'
import { PickUp } from './site-api.ts'

/** RFC 3339; null: the row is damaged. */
const moment = z.string().nullable()

/** A slot as shoppers see it. Times are RFC 3339 in UTC; `timeZone` is the one to show them in. */
export const SlotView = z
  .strictObject({
    _id: z.string(),
    kind: z.enum(fulfilmentKinds),
    startsAt: moment,
    endsAt: moment,
    timeZone: z.string(),
    cutOffAt: moment,
    /** Postcodes; null: for pick-up. */
    area: z.array(z.string()).nullable(),
    /** Orders that it can still take. */
    left: z.int(),
  })
  .register(schemaNames, { id: 'Slot' })
export type SlotView = z.infer<typeof SlotView>

/** One of the next times, as the home page shows it. */
export const NextSlot = SlotView.omit({ _id: true, area: true, left: true })
  .extend({
    /** To how many postcodes; null: for pick-up, or to any. */
    postcodes: z.int().nullable(),
  })
  .register(schemaNames, { id: 'NextSlot' })
export type NextSlot = z.infer<typeof NextSlot>

export const ManagedSlot = SlotView.extend({
  capacity: z.int(),
  /** Orders in it that are not cancelled. */
  orders: z.int(),
  closed: z.boolean(),
  /** The rule that made it; null: somebody made it. */
  rule: z.string().nullable(),
  /** Somebody changed it: its rule leaves it alone. */
  edited: z.boolean(),
  version: z.int(),
}).register(schemaNames, { id: 'ManagedSlot' })
export type ManagedSlot = z.infer<typeof ManagedSlot>

/**
 * Sums of an order in whole cents. `taxable` includes GST, `free` is free of it; they add up to `total`, which is without
 * what a coupon takes off.
 */
export const OrderTotals = z
  .strictObject({
    subtotal: z.int(),
    savings: z.int(),
    /** Absent: no coupon takes anything off. */
    coupon: z.int().optional(),
    gst: z.int(),
    delivery: z.int(),
    total: z.int(),
    taxable: z.int(),
    free: z.int(),
  })
  .register(schemaNames, { id: 'OrderTotals' })

/**
 * Why somebody in the shop has to decide about a line: its box was recalled or taken off sale, or its product has no
 * longer enough behind it since then.
 */
export const undecidedReasons = ['recalled', 'off sale', 'short'] as const
export type Undecided = (typeof undecidedReasons)[number]
const Undecided = z.enum(undecidedReasons)

/** A line at the price of the moment of ordering. Amounts in whole cents, weights in whole grams. */
export const OrderLineView = z
  .strictObject({
    /** From 1. */
    position: z.int(),
    product_id: z.string(),
    title: z.string(),
    unit: z.string(),
    /** Price of one unit before discount, with its preparation, in cents. */
    price: z.int(),
    discount: z.int(),
    includeGST: z.boolean(),
    quantity: z.number(),
    /** What is done to it once it is weighed whole, its yield, and what of `price` it is; absent: it stays whole. */
    preparation: PreparationView.optional(),
    /** What the quantity is meant to weigh; null: it is counted. */
    orderedGrams: z.int().nullable(),
    /** Net weight as packed; null until then, and for what is counted. */
    finalGrams: z.int().nullable(),
    subtotal: z.int(),
    savings: z.int(),
    /** Its share of what a coupon takes off, of which `total` and `gst` are without; absent: nothing. */
    coupon: z.int().optional(),
    gst: z.int(),
    total: z.int(),
    /** Country of origin; null: not stated. */
    origin: z.string().nullable(),
    /** Why it was left out of the order, which costs nothing then; null: it was not. */
    leftOut: z.string().nullable(),
    boxes: z.array(
      z.strictObject({
        boxID: z.string(),
        amount: z.int(),
        /** Why the box is recalled; null: it is not. */
        recall: z.string().nullable(),
        /** The place of its record in the box's history; null: it is not packed yet. */
        sale: z.int().nullable(),
      }),
    ),
  })
  .register(schemaNames, { id: 'OrderLine' })

const order = {
  _id: z.string(),
  number: z.string(),
  status: z.enum(orderStates),
  kind: z.enum(fulfilmentKinds),
}

/** The response to placing an order. `link` shows it to whoever has it, without signing in. */
export const PlacedOrder = z
  .strictObject({
    ...order,
    lines: z.array(OrderLineView),
    totals: OrderTotals,
    /** Absent: none was used. */
    coupon: UsedCouponView.optional(),
    slot: SlotView.omit({ left: true }),
    link: z.string(),
    createdAt: moment,
  })
  .register(schemaNames, { id: 'PlacedOrder' })
export type PlacedOrder = z.infer<typeof PlacedOrder>

export const OrderView = PlacedOrder.omit({ link: true })
  .extend({
    invoiceNumber: z.string().nullable(),
    /** The total that the buyer agreed to, in cents, and the most that may be charged without asking. */
    agreed: z.int(),
    most: z.int(),
    /** Weighed above `most`: the buyer is asked, and it is not packed until the total is accepted. */
    asksBuyer: z.boolean(),
    /** Nobody has clicked in its email yet: it counts as its network's share. */
    unconfirmed: z.boolean(),
    /** Null once the account is deleted that ordered. */
    contact: OrderContact.nullable(),
    address: DeliveryAddress.nullable(),
    pickUp: PickUp.optional(), // as when it was placed, where the order itself is read
    delivery: DeliveryTermsView.optional(), // as was agreed on; absent: it is in no area
    note: z.string(),
    /** The last one by card; null: the buyer pays on receipt. */
    payment: PaymentView.nullable(),
    events: z.array(
      z.strictObject({
        status: z.enum(orderStates),
        reason: z.string(),
        /** Cents that were paid otherwise than by card, as was said with this move; null: nothing was said. */
        paid: z.int().nullable(),
        happenedAt: moment,
      }),
    ),
    /** Can its buyer change it, or why not? If so, until the cut-off of its slot. */
    amendable: z.enum(amendability),
    /** States that the caller may move it to. */
    moves: z.array(z.enum(orderStates)),
    version: z.int(),
  })
  .register(schemaNames, { id: 'Order' })
export type OrderView = z.infer<typeof OrderView>

/** An order in lists. */
export const OrderRow = z
  .strictObject({
    ...order,
    /** Current amount, in cents. */
    total: z.int(),
    /** Of its payment by card; null: on receipt. */
    payment: z.enum(paymentStates).nullable(),
    lines: z.int(),
    /** Of its first lines, at most three. */
    titles: z.array(z.string()),
    slot: SlotView.omit({ left: true }),
    createdAt: moment,
  })
  .register(schemaNames, { id: 'OrderRow' })
export type OrderRow = z.infer<typeof OrderRow>

export const ManagedOrderRow = OrderRow.extend({
  contact: OrderContact.nullable(),
  /** The gravest of its lines; null: there is nothing to decide. */
  toDecide: Undecided.nullable(),
}).register(schemaNames, {
  id: 'ManagedOrderRow',
})
export type ManagedOrderRow = z.infer<typeof ManagedOrderRow>

/**
 * A box that a product is linked to and has some left of, in what is `counted`. `bestBy`: RFC 3339, null: not known.
 */
export const PackingBox = z
  .strictObject({
    product_id: z.string(),
    boxID: z.string(),
    caughtAt: moment,
    bestBy: moment,
    left: z.int(),
    counted: z.enum(measures),
  })
  .register(schemaNames, { id: 'PackingBox' })
export type PackingBox = z.infer<typeof PackingBox>

/** An order as it is packed and handed out. Names of people and machines instead of their ids. */
export const ManagedOrder = OrderView.extend({
  events: z.array(
    z.strictObject({
      status: z.enum(orderStates),
      /** Null: the guest who ordered. */
      who: z.string().nullable(),
      reason: z.string(),
      paid: z.int().nullable(),
      happenedAt: moment,
    }),
  ),
  weighings: z.array(
    z.strictObject({ position: z.int(), who: z.string(), at: moment, scale: z.string().nullable() }),
  ),
  /** Why the provider's last step failed; null: nothing is wrong. */
  paymentProblem: z.string().nullable(),
  /** The provider's id of the payment, to find it there. */
  paymentReference: z.string().nullable(),
  /** Lines about which somebody has to decide before they leave the shop. */
  toDecide: z.array(z.strictObject({ position: z.int(), why: Undecided })),
  /** Positions of lines whose product comes from boxes: they are packed with one, or with a reason. */
  boxed: z.array(z.int()),
  /** Why lines were packed from no box. */
  noBox: z.array(z.strictObject({ position: z.int(), reason: z.string() })),
  /** Boxes that its lines may come from, the earliest best-by date first. `left` is without what this order has of it. */
  boxes: z.array(PackingBox),
}).register(schemaNames, { id: 'ManagedOrder' })
export type ManagedOrder = z.infer<typeof ManagedOrder>

/** A slot with its orders, to be picked, packed and labelled. */
export const SlotSheet = z
  .strictObject({
    slot: ManagedSlot,
    /** By number, without cancelled ones; the first 500. */
    orders: z.array(OrderView),
    boxes: z.array(PackingBox),
  })
  .register(schemaNames, { id: 'SlotSheet' })
export type SlotSheet = z.infer<typeof SlotSheet>

const ordersByState = Object.fromEntries(orderStates.map((state) => [state, z.int()])) as Record<
  OrderState,
  z.ZodInt
>

/** A day of orders, by the start of their slots in market time. Amounts in whole cents, weights in whole grams. */
export const OrderDay = z
  .strictObject({
    day: z.string(),
    /** Orders by state. */
    orders: z.strictObject(ordersByState),
    /** Of what is sold by weight, as weighed or else as ordered. Cancelled orders count neither here nor below. */
    grams: z.int(),
    revenue: z.int(),
    /** Products of which less is left in their boxes than orders to be packed need. Grams, or pieces. */
    short: z.array(
      z.strictObject({
        product_id: z.string(),
        title: z.string(),
        unit: z.string(),
        needed: z.int(),
        left: z.int(),
      }),
    ),
  })
  .register(schemaNames, { id: 'OrderDay' })
export type OrderDay = z.infer<typeof OrderDay>

/** An order that was packed from a box. `amount`: grams, or pieces of what is counted. */
export const BoxOrder = z
  .strictObject({
    ...order,
    contact: OrderContact.nullable(),
    lines: z.array(z.strictObject({ title: z.string(), unit: z.string(), amount: z.int() })),
    createdAt: moment,
  })
  .register(schemaNames, { id: 'BoxOrder' })
export type BoxOrder = z.infer<typeof BoxOrder>
