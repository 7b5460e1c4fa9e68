/* What the desk shows over all parts of the shop: what its search finds, reports, customers, and saved views. */
import { z } from 'zod'
import { deskLists, MAX_VIEW_NAME } from '../desk-views.ts'
import { line, schemaNames } from '../fields.ts'
import { orderStates } from '../order-states.ts'

const FoundOrder = z.strictObject({
  _id: z.string(),
  number: z.string(),
  status: z.enum(orderStates),
  /** Null: whose account is gone. */
  buyer: z.string().nullable(),
})
export type FoundOrder = z.infer<typeof FoundOrder>
const FoundProduct = z.strictObject({
  _id: z.string(),
  title: z.string(),
  status: z.string(),
  shelfPos: z.string(),
})
export type FoundProduct = z.infer<typeof FoundProduct>
const FoundBox = z.strictObject({ boxID: z.string(), species: z.string(), recalled: z.boolean() })
export type FoundBox = z.infer<typeof FoundBox>
const FoundPerson = z.strictObject({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  /** Has orders of their account. */
  buys: z.boolean(),
})
export type FoundPerson = z.infer<typeof FoundPerson>

/** What the desk's search finds, a few of each kind. */
export const FoundAtDesk = z
  .strictObject({
    orders: z.array(FoundOrder),
    products: z.array(FoundProduct),
    boxes: z.array(FoundBox),
    people: z.array(FoundPerson),
  })
  .register(schemaNames, { id: 'FoundAtDesk' })
export type FoundAtDesk = z.infer<typeof FoundAtDesk>

/** What reports of sales add up by. */
export const salesBy = ['day', 'product', 'category', 'customer', 'slot', 'coupon'] as const
export type SalesBy = (typeof salesBy)[number]

/** The longest range of a report, in days. */
export const MAX_REPORT_DAYS = 3_660

/** Money in whole cents. `revenue`: after discounts, coupons and what was given back of no product; `gst`: its part. */
const Sold = z.strictObject({
  orders: z.int(),
  grams: z.number(),
  pieces: z.number(),
  revenue: z.number(),
  gst: z.number(),
  discounts: z.number(),
  coupons: z.number(),
  refunds: z.number(),
})
export type Sold = z.infer<typeof Sold>

/** One line of a report: `name` is what people read; `now` is of its range, `before` of the one before it. */
const SalesRow = z.strictObject({ key: z.string(), name: z.string(), now: Sold, before: Sold })
export type SalesRow = z.infer<typeof SalesRow>

const DateRange = z.strictObject({ from: z.iso.date(), to: z.iso.date() })

/** Sales of a range beside as many days before it. Days are those of slots, in market time. */
export const SalesReport = z
  .strictObject({
    by: z.enum(salesBy),
    range: DateRange,
    before: DateRange,
    /** What a row by day is: in long ranges a month. */
    step: z.enum(['day', 'month']),
    /** By product: the one of which all are; null: of any. */
    category: z.strictObject({ _id: z.string(), title: z.string() }).nullable(),
    total: Sold,
    totalBefore: Sold,
    /** Days in their order, slots by weekday and time, all else the most revenue first. */
    rows: z.array(SalesRow),
    /** What the rows leave out; null: nothing. */
    others: z.strictObject({ now: Sold, before: Sold }).nullable(),
    /** All orders are in it, but for changes of the last seconds. */
    isMade: z.boolean(),
    /** For how many seconds a change of an order waits to be in it. */
    lagS: z.number(),
  })
  .register(schemaNames, { id: 'SalesReport' })
export type SalesReport = z.infer<typeof SalesReport>

/** What reports of fish add up by. */
export const fishBy = ['species', 'box', 'reason', 'freshness'] as const
export type FishBy = (typeof fishBy)[number]

/**
 * What became of the fish of some boxes, in grams or pieces. `left`: what is neither sold nor lost; `excellent` to `over`:
 * of what was sold, by how fresh it was said to be when it was packed; `unsaid`: of which nothing was said.
 */
const FishSums = z.strictObject({
  boxes: z.int(),
  bought: z.number(),
  sold: z.number(),
  lost: z.number(),
  left: z.number(),
  excellent: z.number(),
  good: z.number(),
  useSoon: z.number(),
  over: z.number(),
  unsaid: z.number(),
})
export type FishSums = z.infer<typeof FishSums>

const FishRow = z.strictObject({
  key: z.string(),
  /** The species. */
  name: z.string(),
  measure: z.enum(['grams', 'pieces']),
  /** Of one box: when it was registered. */
  day: z.iso.date().optional(),
  now: FishSums,
  /** Null: there is nothing to compare a box with. */
  before: FishSums.nullable(),
})

/** What was lost for one reason, in grams or pieces, and how often that was. */
const Lost = z.strictObject({ times: z.int(), lost: z.number() })
const LostRow = z.strictObject({
  key: z.string(),
  /** As it was written the first time. */
  name: z.string(),
  measure: z.enum(['grams', 'pieces']),
  now: Lost,
  before: Lost,
})
export type LostRow = z.infer<typeof LostRow>

/** Fish of boxes that were registered within a range, by what became of it until now. */
export const FishReport = z
  .strictObject({
    by: z.enum(fishBy),
    range: DateRange,
    before: DateRange,
    /** Of what is weighed, and of what is counted. */
    totals: z.array(FishRow),
    /** By species, also for how fresh they were, or by box; boxes are by species and then the newest first. */
    rows: z.array(FishRow),
    /** By box: all boxes of each species. */
    species: z.array(FishRow),
    /** By reason, the most lost first. */
    reasons: z.array(LostRow),
    /** There are more rows than these. */
    more: z.boolean(),
    isMade: z.boolean(),
    lagS: z.number(),
  })
  .register(schemaNames, { id: 'FishReport' })
export type FishReport = z.infer<typeof FishReport>

/** Somebody with an account who bought something. `revenue`: cents, less what was given back. */
const CustomerRow = z.strictObject({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  orders: z.int(),
  revenue: z.number(),
  /** Market day of the last slot; null: nothing was bought. */
  last: z.iso.date().nullable(),
})
export type CustomerRow = z.infer<typeof CustomerRow>

/** Customers, who bought the most first. `next`: asks for the next page. `isCut`: more match than are looked through. */
export const CustomerList = z
  .strictObject({
    rows: z.array(CustomerRow),
    next: z.string().nullable(),
    isCut: z.boolean().optional(),
    isMade: z.boolean(),
    lagS: z.number(),
  })
  .register(schemaNames, { id: 'CustomerList' })
export type CustomerList = z.infer<typeof CustomerList>

export const Customer = CustomerRow.extend({
  phone: z.string(),
  status: z.string(),
  /** RFC 3339. */
  createdAt: z.string().nullable(),
  /** An owner or staff, whose account is nobody's to erase here. */
  isStaff: z.boolean(),
  /** The latest first. */
  years: z.array(z.strictObject({ year: z.string(), orders: z.int(), revenue: z.number() })),
  /** Of how many products or species it has consented to be told when they can be bought again. */
  notices: z.int(),
  /** Orders without an account for the same address, which the account has confirmed to be its own. */
  guestOrders: z.int(),
}).register(schemaNames, { id: 'Customer' })
export type Customer = z.infer<typeof Customer>

/** A list of the desk as somebody narrowed and sorted it, by a name. */
export const DeskView = z
  .strictObject({
    _id: z.string(),
    list: z.enum(deskLists),
    name: z.string(),
    /** What the address of the list asks for, without `?`. */
    query: z.string(),
    /** Everybody who may see the list has it, too. */
    shared: z.boolean(),
    /** First name of whose it is; null: of whoever asks. */
    owner: z.string().nullable(),
    /** Whoever asks may change it. */
    editable: z.boolean(),
    /** The list opens with it for whoever asks. */
    opens: z.boolean(),
    version: z.int(),
  })
  .register(schemaNames, { id: 'DeskView' })
export type DeskView = z.infer<typeof DeskView>

const viewFields = {
  name: line('Name', MAX_VIEW_NAME),
  /** What is no question of the list is left out. */
  query: z.string().max(2_000, 'query must have at most 2000 characters'),
  shared: z.boolean(),
}

export const NewDeskView = z.strictObject({ list: z.enum(deskLists), ...viewFields })
export type NewDeskView = z.infer<typeof NewDeskView>

export const DeskViewPatch = z.strictObject({
  name: viewFields.name.optional(),
  query: viewFields.query.optional(),
  shared: viewFields.shared.optional(),
})
export type DeskViewPatch = z.infer<typeof DeskViewPatch>

/** The view that a list opens with for whoever asks; null: as it is for everybody. */
export const OpeningView = z.strictObject({ list: z.enum(deskLists), view: z.uuid().nullable() })
export type OpeningView = z.infer<typeof OpeningView>
