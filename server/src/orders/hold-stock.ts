import { randomUUID } from 'node:crypto'
import type { HoldView } from '@befaqt/domain/api/checkout-api'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type EffectOf, type Handlers, life, type NeedOf } from '@befaqt/domain/life'
import type { HoldInput } from '@befaqt/domain/order'
import { plus } from '@befaqt/domain/quantity'
import { sql } from 'drizzle-orm'
import { consume } from '#server/accounts/index.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/index.ts'
import { lock } from '#server/db/lock.ts'
import { holdLines, holds } from '#server/db/schema/orders.ts'
import { timeText } from '#server/db/stored-values.ts'
import { type Principal, requireUser } from '#server/identity/principal.ts'
import type { OrderRules } from '#server/site/index.ts'
import { inRequest, type Shopper } from './available-stock.ts'
import { assertUnits } from './new-lines.ts'
import { removeHolds } from './open-holds.ts'
import type { OrderDeps } from './order-deps.ts'
import { holdsByNetwork, shareholders } from './order-limits.ts'
import { announceSlots } from './slots.ts'
import { Available } from './take-goods.ts'

const shopper = ['shopper'] as const
const gone = { to: 'gone', by: shopper } as const

/**
 * The life of a hold of stock, whose row is deleted at its end. It lapses by the database's clock, without a job: a past
 * one is passed over.
 */
export const holdLife = life({
  new: {
    hold: {
      to: 'open',
      by: shopper,
      needs: ['stock is left', 'the time is free'],
      effects: ['end the one before'],
    },
  },
  open: {
    replace: gone,
    order: gone,
    release: gone,
    lapse: { to: 'lapsed', by: ['clock'] },
  },
  lapsed: { purge: { to: 'gone', by: ['clock'] } },
  gone: {},
})

/** Minutes for which an open checkout holds stock and slot. */
const HOLD_MINUTES = 15

/**
 * Rejects what is meant for an account after the session has ended.
 * @throws ShopError `auth.required`
 */
export function assertAccount(principal: Principal, { account }: { account?: true | undefined }): void {
  if (account) requireUser(principal)
}

/** The account of a principal; keys and guests have none. */
export const userIdOf = (principal: Principal): string | null =>
  principal.kind === 'user' ? principal.userId : null

/**
 * Holds stock, and a slot if one is named, for an open checkout. It replaces the shopper's earlier hold. Guests, and
 * accounts without an order that was handed out, hold a share together with the others of their network.
 * @throws ShopError `stock.insufficient`, `price.changed` for what is sold by another unit, `slot.unavailable`, `rate.limited`, `auth.required`, `conflict` for an id of
 * somebody else's hold
 */
export async function holdStock(
  deps: OrderDeps,
  principal: Principal,
  input: HoldInput,
  network: string,
): Promise<HoldView> {
  assertAccount(principal, input)
  const owner = { userId: userIdOf(principal), hold: input.hold }
  if (owner.userId === null) await consume(deps.db, holdsByNetwork(network), deps.now())
  return changeCatalogue(
    deps,
    async (tx) => {
      const { needs, effects } = holdLife.new.hold
      const [shared = null] = await shareholders(tx, deps, [{ principal, network }])
      const shopper = { owner, network: shared }
      const wanted = { products: input.lines.map(({ product_id }) => product_id), slots: slotsOf(input) }
      const available = await Available.lock(tx, deps, lock(tx), wanted, [shopper])
      const holding = { tx, available, input, shopper, rules: deps.siteFile.orders }
      await carryOut(needs, conditions, holding)
      await carryOut(effects, preparations, holding)
      return insertHold(tx, owner.userId, input, shopper.network)
    },
    () => false, // stock in the catalogue is what is not sold
  )
}

const slotsOf = ({ slot }: HoldInput): string[] => (slot === undefined ? [] : [slot])

type Holding = {
  tx: CatalogueTx
  available: Available
  input: HoldInput
  shopper: Shopper
  rules: OrderRules
}

const conditions: Handlers<NeedOf<typeof holdLife>, [Holding], unknown> = {
  'stock is left': ({ available, input, shopper, rules }) => {
    assertUnits(available.stock.products, input.lines)
    available.stock.check(inRequest(input.lines), shopper, rules)
  },
  'the time is free': async ({ tx, available, input, shopper, rules }) => {
    for (const id of slotsOf(input)) {
      const slot = await available.times.check({ id }, shopper, rules)
      if (available.times.isLast(slot, shopper.owner)) await announceSlots(tx)
    }
  },
}

const preparations: Handlers<EffectOf<typeof holdLife>, [Holding], unknown> = {
  'end the one before': ({ tx, shopper }) => removeHolds(tx, [shopper.owner]),
}

async function insertHold(
  tx: CatalogueTx,
  userId: string | null,
  input: HoldInput,
  network: string | null,
): Promise<HoldView> {
  const id = input.hold ?? randomUUID()
  const expiresAt = sql`clock_timestamp() + ${HOLD_MINUTES} * interval '1 minute'`
  const [made] = await tx
    .insert(holds)
    .values({ id, userId, slotId: input.slot ?? null, network, expiresAt })
    .onConflictDoNothing()
    .returning({ expiresAt: holds.expiresAt })
  if (made === undefined) throw new ShopError('conflict', 'Another shopper holds under this id.')
  const units = new Map<string, number>() // of a product together: what is done to it asks for no other stock
  for (const { product_id, quantity } of input.lines)
    units.set(product_id, plus(units.get(product_id) ?? 0, quantity))
  await tx
    .insert(holdLines)
    .values([...units].map(([productId, quantity]) => ({ holdId: id, productId, quantity })))
  return { _id: id, expiresAt: timeText(made.expiresAt) }
}
