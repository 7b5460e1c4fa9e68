import type { FulfilmentKind, OrderState } from '@befaqt/domain/order-states'
import type { Right } from '@befaqt/domain/rights'
import type { PreparedKind, WaitingState } from '@befaqt/domain/statuses'
import type { BoxName, Product } from './beginning.ts'
import { firstRights, goods, productIds } from './beginning.ts'

/** A line that was not left out. `position`: of its order, from 1. */
export type OrderLine = {
  position: number
  product: Product
  quantity: number
  preparation?: PreparedKind
}

/** An order as whoever placed it knows it. `query`: the key of its link. */
export type Order = {
  id: string
  query: string
  email: string
  kind: FulfilmentKind
  /** Number of the network that it came from, whose limits its changes count for. */
  from: number
  lines: OrderLine[]
  status: OrderState | WaitingState
  /** How far it is paid by card; null: it is not to be. */
  card: 'to pay' | 'page' | 'paid' | 'ended' | null
  /** Of the page that was opened last. */
  page: string | null
  weighed: boolean
  /** It weighs so much that the buyer is asked. */
  asks: boolean
}

export type Customer = { email: string; token: string }

export type Reading = { minute: number; iotID: string; temperature: number }

/** What the storm did so far, as far as it has to know it to choose what comes next. */
export type Model = {
  orders: Order[]
  /** Ids of open checkouts of guests, with what they hold. */
  holds: { id: string; product: Product; quantity: number }[]
  guests: number
  /** Units that were ever put into stock. */
  put: Record<Product, number>
  recalled: Set<BoxName>
  offSale: Set<BoxName>
  /** Keys of sensors; the first are in use. */
  keys: { id: string; key: string; revoked: boolean }[]
  /** Readings of each box, and those that were passed over and may come late. */
  readings: Record<BoxName, Reading[]>
  late: { box: BoxName; reading: Reading }[]
  /** Who holds each box. */
  holders: Record<BoxName, string>
  /** What the packer may do. */
  rights: readonly Right[]
  /** Who has an account and is signed in, and the emails of those who were erased. */
  customers: Customer[]
  gone: string[]
  /** Changes of many products that may be undone: by how much they raised the stock of each. */
  changes: { id: Product; change: number; more: number }[][]
  /** Products whose stock was lowered by hand: more may be held of them than there is. */
  lowered: Set<Product>
  /** Who wants to be told that a product is back. */
  wishes: { email: string; product: Product; state: 'asked' | 'waits' | 'stopped' }[]
  /** How far the work that follows from events had come, and what the log of anchors said. */
  cursors: Map<string, number>
  logged: string[]
  coupons: { id: string; code: string; ended: boolean }[]
  /** Orders of which there are complaints. */
  complained: Order[]
  /** Versions of orders whose sums were looked at. */
  looked: Map<string, number>
  mailRefused: boolean
  /** The process that was killed and is not started again; null: all run. */
  away: number | null
}

const inStock = (product: Product): number => goods[product].stock

export const newModel = (): Model => ({
  orders: [],
  holds: [],
  guests: 0,
  put: Object.fromEntries(productIds.map((id) => [id, inStock(id)])) as Record<Product, number>,
  recalled: new Set(),
  offSale: new Set(),
  keys: [],
  readings: { 'a-1': [], 'B-2': [], 'c-3': [] },
  late: [],
  holders: { 'a-1': 'Sample Fisher', 'B-2': 'Sample Fisher', 'c-3': 'Sample Fisher' },
  rights: firstRights,
  customers: [],
  gone: [],
  changes: [],
  lowered: new Set(),
  wishes: [],
  cursors: new Map(),
  logged: [],
  coupons: [],
  complained: [],
  looked: new Map(),
  mailRefused: false,
  away: null,
})

/** May this order be packed, as far as its payment goes? */
export const isPayable = ({ card }: Order): boolean => card === null || card === 'paid'

/** Numbers of a step, which choose among what there is when it is taken. */
export class Choice {
  readonly #numbers: readonly number[]
  #next = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  /** A whole number from `min` to `max`; `min` where the step's numbers are 0. */
  int(min: number, max: number): number {
    const number = this.#numbers[this.#next++ % this.#numbers.length] ?? 0
    return min + (number % (max - min + 1))
  }

  of<T>(among: readonly T[]): T {
    const found = among[this.int(0, Math.max(0, among.length - 1))]
    if (found === undefined) throw new Error('there is nothing to choose from')
    return found
  }

  /** True once in so many times; never where the step's numbers are 0. */
  once(times: number): boolean {
    return this.int(0, times - 1) === times - 1 && times > 1
  }
}
