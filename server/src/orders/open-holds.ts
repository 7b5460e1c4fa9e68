import { plus } from '@befaqt/domain/quantity'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'

/** Whose own hold does not count against them: a user's, or that of a guest who knows its id. */
export type HoldOwner = { userId: string | null; hold: string | undefined }

/** Whose holds all count, as of a manager. */
export const NOBODY: HoldOwner = { userId: null, hold: undefined }

/** Whose holds are asked about, of what. `networks`: keyed hashes of those that may take only a share. */
type Asked = {
  products: readonly string[]
  slots: readonly string[]
  owners: readonly HoldOwner[]
  networks: readonly string[]
}

type OwnHold = {
  id: string
  userId: string | null
  network: string | null
  slotId: string | null
  units: ReadonlyMap<string, number>
}

/**
 * What open checkouts hold of locked products and slots, counted once for several shoppers. Nothing is added to it
 * while the locks are held; `end` takes a shopper's own hold out.
 */
export class OpenHolds {
  readonly #sums: Map<string, number>
  readonly #own: OwnHold[]

  private constructor(sums: Map<string, number>, own: OwnHold[]) {
    this.#sums = sums
    this.#own = own
  }

  /** The products and slots must be locked. */
  static async read(tx: Tx, asked: Asked): Promise<OpenHolds> {
    const sums = await readSums(tx, asked)
    // Read later: what lapses meanwhile counts against its shopper, not against the others.
    return new OpenHolds(sums, await readOwn(tx, asked.owners))
  }

  /** Units of a product that others hold; with `network`, only those in it. */
  unitsBut(owner: HoldOwner, product: string, network: string | null = null): number {
    return this.#but(owner, 'product', product, network, ({ units }) => units.get(product) ?? 0)
  }

  /** Places in a slot that others hold; with `network`, only those in it. */
  placesBut(owner: HoldOwner, slot: string, network: string | null = null): number {
    return this.#but(owner, 'slot', slot, network, ({ slotId }) => Number(slotId === slot))
  }

  #but(owner: HoldOwner, what: What, id: string, network: string | null, of: (hold: OwnHold) => number) {
    const own = this.#ownOf(owner).filter((hold) => network === null || hold.network === network)
    return own.reduce((sum, hold) => plus(sum, -of(hold)), this.#sums.get(keyOf(what, id, network)) ?? 0)
  }

  /** Takes out what a shopper holds who orders now. */
  end(owner: HoldOwner): void {
    for (const hold of this.#ownOf(owner)) {
      this.#own.splice(this.#own.indexOf(hold), 1)
      for (const network of new Set([null, hold.network])) {
        for (const [product, units] of hold.units) this.#subtract(keyOf('product', product, network), units)
        if (hold.slotId !== null) this.#subtract(keyOf('slot', hold.slotId, network), 1)
      }
    }
  }

  #subtract(key: string, units: number): void {
    const before = this.#sums.get(key)
    if (before !== undefined) this.#sums.set(key, plus(before, -units))
  }

  #ownOf({ userId, hold }: HoldOwner): OwnHold[] {
    return this.#own.filter((own) =>
      own.userId === null ? own.id === hold : userId !== null && own.userId === userId,
    )
  }
}

type What = 'product' | 'slot'
const keyOf = (what: What, id: string, network: string | null): string => `${what} ${network ?? '*'} ${id}`

const isOpen = sql`h.expires_at > clock_timestamp()`
const among = (column: SQL, values: readonly string[]): SQL =>
  sql`${column} = any(${sql.param([...values])}::text[])`

async function readSums(tx: Tx, { products, slots, networks }: Asked): Promise<Map<string, number>> {
  const near = among(sql`h.network`, networks)
  const lines = sql`from hold_lines l join holds h on h.id = l.hold_id
    where ${among(sql`l.product_id`, products)} and ${isOpen}`
  const places = sql`from holds h where ${among(sql`h.slot_id`, slots)} and ${isOpen}`
  const found = await rows<{ what: What; id: string; network: string | null; held: number }>(
    tx,
    sql`select 'product' as what, l.product_id as id, null::text as network, sum(l.quantity)::float8 as held
          ${lines} group by l.product_id
        union all select 'product', l.product_id, h.network, sum(l.quantity)::float8
          ${lines} and ${near} group by l.product_id, h.network
        union all select 'slot', h.slot_id, null, count(*)::float8 ${places} group by h.slot_id
        union all select 'slot', h.slot_id, h.network, count(*)::float8
          ${places} and ${near} group by h.slot_id, h.network`,
  )
  return new Map(found.map(({ what, id, network, held }) => [keyOf(what, id, network), held]))
}

/** SQL: is the hold `h` one of these users', or has one of these ids that guests know? */
const isOwned = (users: readonly string[], ids: readonly string[]): SQL =>
  sql`(${among(sql`h.user_id`, users)} or (h.user_id is null and ${among(sql`h.id`, ids)}))`

async function readOwn(tx: Tx, owners: readonly HoldOwner[]): Promise<OwnHold[]> {
  const users = owners.flatMap(({ userId }) => userId ?? [])
  const ids = owners.flatMap(({ hold }) => hold ?? [])
  if (users.length + ids.length === 0) return []
  const found = await rows<Omit<OwnHold, 'units'> & { product: string | null; held: number }>(
    tx,
    sql`select h.id, h.user_id as "userId", h.network, h.slot_id as "slotId",
          l.product_id as product, l.quantity::float8 as held
        from holds h left join hold_lines l on l.hold_id = h.id
        where ${isOpen} and ${isOwned(users, ids)}`,
  )
  return [...Map.groupBy(found, ({ id }) => id).values()].flatMap((lines) => {
    const [hold] = lines
    if (hold === undefined) return []
    const units = new Map(lines.flatMap(({ product, held }) => (product === null ? [] : [[product, held]])))
    return { id: hold.id, userId: hold.userId, network: hold.network, slotId: hold.slotId, units }
  })
}

/** Ends what these shoppers hold, if anything. */
export async function removeHolds(tx: Tx | Db, owners: readonly HoldOwner[]): Promise<void> {
  const users = owners.flatMap(({ userId }) => userId ?? [])
  const ids = owners.flatMap(({ hold }) => hold ?? [])
  if (users.length + ids.length === 0) return
  await rows(tx, sql`delete from holds h where ${isOwned(users, ids)}`)
}
