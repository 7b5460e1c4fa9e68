import { ShopError } from '@befaqt/domain/errors'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'
import type { Locks } from '#server/db/lock.ts'
import type { OrderRules } from '#server/site/index.ts'
import { isUnconfirmedIn, type Shopper } from './available-stock.ts'
import { type HoldOwner, NOBODY, OpenHolds } from './open-holds.ts'
import { shareOf } from './order-limits.ts'
import { announceSlots, openSlots, type SlotRow, type SlotWish } from './slots.ts'

/** Which slot is asked for. Without a kind, any will do, as for a hold. */
export type WantedSlot = { id: string; kind?: FulfilmentKind; postcode?: string | undefined }

type Facts = { isOpen: boolean; orders: number }

/** What locked slots can still take, for one shopper after the other: `take` counts the place that one of them gets. */
export class AvailableTimes {
  readonly #tx: Tx
  readonly #slots: ReadonlyMap<string, SlotRow>
  readonly #facts: Map<string, Facts>
  readonly #unconfirmed: Map<string, number>
  readonly #holds: OpenHolds

  private constructor(
    tx: Tx,
    slots: ReadonlyMap<string, SlotRow>,
    [facts, unconfirmed]: [Map<string, Facts>, Map<string, number>],
    holds: OpenHolds,
  ) {
    this.#tx = tx
    this.#slots = slots
    this.#facts = facts
    this.#unconfirmed = unconfirmed
    this.#holds = holds
  }

  /** @param slots locked rows @param networks whose unconfirmed orders count against their share */
  static async read(
    tx: Tx,
    slots: ReadonlyMap<string, SlotRow>,
    holds: OpenHolds,
    networks: readonly string[],
  ): Promise<AvailableTimes> {
    const ids = [...slots.keys()]
    const facts = await readFacts(tx, ids)
    const unconfirmed = await readUnconfirmed(tx, ids, networks)
    return new AvailableTimes(tx, slots, [facts, unconfirmed], holds)
  }

  /**
   * Checks that a slot takes one more order of this kind, and that open checkouts and unconfirmed orders of one network
   * leave most of it to others.
   * @throws ShopError `slot.unavailable`, details `{ reason, slots }`: 'gone', 'closed', 'area', 'full' or 'network',
   *   and others
   */
  async check(
    { id, kind, postcode }: WantedSlot,
    { owner, network }: Shopper,
    rules: OrderRules,
  ): Promise<SlotRow> {
    const wish = kind === undefined ? {} : { kind, postcode }
    const slot = this.#slots.get(id)
    if (slot === undefined)
      return refuse(this.#tx, 'gone', 'This time is no longer offered. Please choose another.', wish)
    const { isOpen, orders } = this.#factsOf(id)
    if (!isOpen)
      return refuse(this.#tx, 'closed', 'This time is closed to new orders. Please choose another.', wish)
    if (kind !== undefined && !isFor(slot, kind, postcode)) return refuse(this.#tx, 'area', NOT_HERE, wish)
    if (orders + this.#holds.placesBut(owner, id) >= slot.capacity)
      return refuse(this.#tx, 'full', 'This time has just filled up. Please choose another.', wish)
    const near =
      network === null
        ? 0
        : (this.#unconfirmed.get(keyOf(id, network)) ?? 0) + this.#holds.placesBut(owner, id, network)
    if (network !== null && near >= shareOf(slot.capacity, rules))
      return refuse(
        this.#tx,
        'network',
        'Others in your network have this time, or are choosing it, and it is kept for everybody. Please choose another, confirm the orders by the links in their emails, or try again in a quarter of an hour.',
        { kind: slot.kind, but: id },
      )
    return slot
  }

  /** Is one more order, or hold, all that a slot takes? Then others are to be told (`announceSlots`). */
  isLast({ id, capacity }: SlotRow, owner: HoldOwner): boolean {
    return this.#factsOf(id).orders + this.#holds.placesBut(owner, id) + 1 >= capacity
  }

  /** Counts an order. @param network which it counts for until it is confirmed */
  take({ id }: SlotRow, network: string | null): void {
    const facts = this.#factsOf(id)
    this.#facts.set(id, { ...facts, orders: facts.orders + 1 })
    if (network === null) return
    const key = keyOf(id, network)
    this.#unconfirmed.set(key, (this.#unconfirmed.get(key) ?? 0) + 1)
  }

  #factsOf(id: string): Facts {
    return this.#facts.get(id) ?? { isOpen: false, orders: 0 }
  }
}

/** Slots that a refusal proposes. */
const MAX_PROPOSED = 5

async function refuse(
  tx: Tx,
  reason: 'gone' | 'closed' | 'area' | 'full' | 'network',
  message: string,
  wish: SlotWish,
): Promise<never> {
  const others = await openSlots(tx, wish, MAX_PROPOSED)
  throw new ShopError('slot.unavailable', message, { details: { reason, slots: others } })
}

/** The slot that an order has goes to its new address, too. @throws ShopError `slot.unavailable` */
export async function assertServes(tx: Tx, slot: SlotRow, postcode: string): Promise<void> {
  if (!isFor(slot, slot.kind, postcode)) await refuse(tx, 'area', NOT_HERE, { kind: slot.kind, postcode })
}

const NOT_HERE = 'This time is not for this address. Please choose another.'

const keyOf = (slot: string, network: string): string => `${network} ${slot}`

/** Can it be chosen for this kind and postcode? */
const isFor = (slot: SlotRow, kind: FulfilmentKind, postcode: string | undefined): boolean =>
  slot.kind === kind && (postcode === undefined || slot.area === null || slot.area.includes(postcode))

async function readFacts(tx: Tx, ids: readonly string[]): Promise<Map<string, Facts>> {
  if (ids.length === 0) return new Map()
  const found = await rows<Facts & { id: string }>(
    tx,
    sql`select s.id, (not s.closed and s.cut_off_at > clock_timestamp()) as "isOpen",
          (select count(*) from orders o where o.slot_id = s.id and o.status <> 'CANCELLED')::int as orders
        from slots s where s.id = any(${sql.param([...ids])}::text[])`,
  )
  return new Map(found.map(({ id, isOpen, orders }) => [id, { isOpen, orders }]))
}

async function readUnconfirmed(
  tx: Tx,
  ids: readonly string[],
  networks: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0 || networks.length === 0) return new Map()
  const found = await rows<{ id: string; network: string; orders: number }>(
    tx,
    sql`select o.slot_id as id, o.network, count(*)::int as orders from orders o
        where o.slot_id = any(${sql.param([...ids])}::text[]) and ${isUnconfirmedIn(networks)}
        group by o.slot_id, o.network`,
  )
  return new Map(found.map(({ id, network, orders }) => [keyOf(id, network), orders]))
}

/**
 * Locks a slot that an order is moved to, and checks that it takes one more of this kind. Whoever takes its last place
 * tells others.
 * @throws ShopError `slot.unavailable`
 */
export async function lockSlot(
  { tx, slots }: Locks<'slots'>,
  wanted: WantedSlot,
  rules: OrderRules,
): Promise<SlotRow> {
  const [held] = await slots([wanted.id])
  const holds = await OpenHolds.read(tx, { products: [], slots: [wanted.id], owners: [], networks: [] })
  const times = await AvailableTimes.read(tx, held, holds, [])
  const slot = await times.check(wanted, { owner: NOBODY, network: null }, rules)
  if (times.isLast(slot, NOBODY)) await announceSlots(tx)
  return slot
}
