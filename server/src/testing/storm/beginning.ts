import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '@befaqt/domain/durations'
import type { Role } from '@befaqt/domain/fields'
import type { Preparation } from '@befaqt/domain/preparation'
import type { Right } from '@befaqt/domain/rights'
import { startSession } from '#server/accounts/sessions/sessions.ts'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { slots } from '#server/db/schema/orders.ts'
import { categories, products } from '#server/db/schema/shop.ts'

// The fixed beginning of every storm: accounts, products, boxes and times that are known, so that a seed means the same
// in every run and on every database.

/** Who is signed in from the beginning; everybody else is a guest. */
export const people = ['manager', 'ann', 'packer'] as const
export type Person = (typeof people)[number]
/** Bearer tokens of their sessions. */
export type Tokens = Readonly<Record<Person, string>>

const roles: Readonly<Record<Person, Role>> = { manager: 'ADMIN', ann: 'USER', packer: 'USER' }
/** What the packer may do. */
export const firstRights: readonly Right[] = ['order:write']

/** What is sold, with the stock that it begins with. `boxes`: units of it in each box. */
export const goods = {
  snapper: { unit: 'kg', priceCents: 3_000, stock: 90, boxes: { 'a-1': 60, 'B-2': 60 } },
  oyster: { unit: 'each', priceCents: 250, stock: 120, boxes: { 'B-2': 80, 'c-3': 80 } },
  ice: { unit: 'bag', priceCents: 500, stock: 60, boxes: {} },
} as const satisfies Record<string, Good>
type Good = { unit: string; priceCents: number; stock: number; boxes: Record<string, number> }
export type Product = keyof typeof goods
/** What can be done to snapper. */
const fillets: Preparation = { kind: 'skin-off', yieldPercent: 45, feeCents: 400 }
export const productIds = Object.keys(goods) as Product[]

/** In mixed case: bytes sort them in another order than a language does. */
export const boxIds = ['a-1', 'B-2', 'c-3'] as const
export type BoxName = (typeof boxIds)[number]

/** Boxes that a product comes from. */
export const boxesOf = (product: Product): BoxName[] =>
  boxIds.filter((box) => Object.hasOwn(goods[product].boxes, box))

export const slotIds = { pickup: ['today', 'later'], delivery: ['van'] } as const
/** Where the van goes. */
export const postcodes = ['2009', '2010'] as const
/** Few enough that a storm can fill it. */
const CAPACITY = { today: 12, later: 500, van: 500 } as const

export const fisher = {
  traderID: 'T-1',
  traderName: 'Sample Fisher',
  companyName: '',
  boat: 'Gannet',
  address: '',
}

/** How a manager of the beginning sends a request, which must succeed. */
type Send = (method: 'POST' | 'PUT', url: string, payload: object) => Promise<unknown>

/** Accounts with their sessions, products and times: rows, since no call makes them with known ids. */
export async function insertBeginning(db: Db): Promise<Tokens> {
  await db.insert(categories).values({ id: 'fish', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db.insert(products).values(
    productIds.map((id) => ({
      id,
      title: id,
      categoryId: 'fish',
      priceCents: goods[id].priceCents,
      unit: goods[id].unit,
      stock: goods[id].stock,
      origin: 'Australia',
      includeGst: id === 'ice',
      preparations: id === 'snapper' ? [fillets] : [],
    })),
  )
  const start = Date.now() + 24 * HOUR_MS
  const times = {
    startsAt: new Date(start),
    endsAt: new Date(start + 2 * HOUR_MS),
    cutOffAt: new Date(start - HOUR_MS),
    timeZone: 'Australia/Sydney',
  }
  await db.insert(slots).values([
    ...slotIds.pickup.map((id) => ({ id, kind: 'pickup' as const, capacity: CAPACITY[id], ...times })),
    ...slotIds.delivery.map((id) => ({
      ...{ id, kind: 'delivery' as const, area: [...postcodes], capacity: CAPACITY[id] },
      ...times,
    })),
  ])
  const made = await Promise.all(people.map(async (id) => [id, await signIn(db, id, roles[id])] as const))
  return Object.fromEntries(made) as Record<Person, string>
}

/** A new account that is signed in. @returns its bearer token */
export async function signIn(db: Db, name: string, role: Role): Promise<string> {
  const [id, email] = [randomUUID(), emailOf(name)]
  const names = { fname: name, lname: 'Sample', phone: '0400 000 000' }
  await db.insert(users).values({
    ...{ id, ...names, email, emailKey: email, role },
    rights: name === 'packer' ? [...firstRights] : [],
    ...{ status: 'ACTIVE', passwordHash: 'none' },
  })
  const client = { device: 'storm', address: '127.0.0.1', network: '127.0.0.1', deviceToken: undefined }
  const { token } = await db.transaction((tx) => startSession(tx, id, client, new Date()))
  return token
}

export const emailOf = (name: string): string => `${name}@example.org`

/** Boxes with their catch, and what is sold from them: by the calls of a manager, since records follow from these. */
export async function callBeginning(send: Send, caughtAt: Date): Promise<void> {
  for (const boxID of boxIds) {
    await send('POST', '/api/box/registration', { boxID, fisher })
    await send('POST', `/api/box/${boxID}/catch`, catchAt(caughtAt.toISOString()))
  }
  for (const product of productIds) {
    const links = Object.entries(goods[product].boxes).map(([boxID, quantity]) => ({ boxID, quantity }))
    if (links.length > 0) await send('PUT', `/api/product/${product}/boxes`, links)
  }
  await send('POST', '/api/manage/excursion/target', { kind: 'email', address: emailOf('market') })
}

const catchAt = (time: string) => ({
  time,
  boat: 'Gannet',
  latitude: -33.9,
  longitude: 151.3,
  locationCodeLat: '',
  locationCodeLong: '',
  method: 'Line',
  img: '',
  species: 'Snapper',
  size: '45 cm',
  note: '',
})
