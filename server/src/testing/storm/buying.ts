import { randomUUID } from 'node:crypto'
import type { PlacedAnswer } from '@befaqt/domain/api/waiting-order-api'
import type { z } from 'zod'
import { boxIds, emailOf, goods, type Product, postcodes, productIds, slotIds } from './beginning.ts'
import type { Choice, Model, Order, OrderLine } from './model.ts'
import { type Act, type Storm, Violation } from './storm.ts'

type Placed = z.infer<typeof PlacedAnswer>

const PAGES = ['/api/product/active', '/api/category/active', '/api/box', '/api/slot']

/** An address that the van goes to. */
export const addressOf = (choice: Choice) => ({
  ...{ street: '1 Bank St', suburb: 'Pyrmont', state: 'NSW' },
  postcode: choice.of(postcodes),
})

/** What is wanted of a product. */
export type Wanted = Omit<OrderLine, 'position'>

const contactOf = (email: string) => ({ fname: 'Bea', lname: 'Sample', email, phone: '0400 000 000' })

/** Units of a product, by the kilogram in quarters. */
export const some = (choice: Choice, product: Product, most: number): number =>
  choice.int(1, most) - (goods[product].unit === 'kg' ? choice.of([0, 0.25, 0.5, 0.75]) : 0)

/** Some of one product or of two; of the ones that come first most. */
export function basket(choice: Choice, most: number): Wanted[] {
  const first = choice.of(productIds)
  const second = choice.of(productIds)
  const lines = [{ product: first, quantity: some(choice, first, most) }]
  return first === second ? lines : [...lines, { product: second, quantity: some(choice, second, most) }]
}

export const asLines = (lines: readonly Wanted[]) =>
  lines.map(({ product, quantity, preparation }) => ({
    product_id: product,
    quantity,
    ...(preparation && { preparation }),
  }))

type Asked = {
  lines: Wanted[]
  card?: boolean
  hold?: string
  /** A code that takes something off. */
  coupon?: string
  /** Of a guest who has ordered before, or of a customer who is signed in with `token`. */
  email?: string
  token?: string
  /** By an account; otherwise by a guest of their own. */
  asAnn?: boolean
  kind?: Order['kind']
}

/** What a guest or an account sends to order this. */
export function orderOf(model: Model, choice: Choice, asked: Asked) {
  const { lines, card, hold, coupon, asAnn, token, kind = 'pickup' } = asked
  const number = model.guests++
  const email = asked.email ?? emailOf(asAnn ? 'ann' : `guest-${number}`)
  const slot = choice.of(slotIds[kind])
  const payload = {
    lines: asLines(lines),
    contact: contactOf(email),
    fulfilment: kind === 'pickup' ? { kind, slot } : { kind, slot, address: addressOf(choice) },
    ...(card && { payment: 'card' }),
    ...(hold && { hold }),
    ...(coupon && { coupon }),
    ...((asAnn || token) && { account: true }),
  }
  // Under the minimum of its area: 400; who orders again and again: 429.
  const asking = {
    payload,
    from: number,
    may: asked.email ? [400, 429] : [400],
    ...(asAnn && { as: 'ann' as const }),
    ...(token && { key: token }),
  }
  return { asking, email, lines, kind, card: card ?? false }
}

/** Notes an order that was placed. */
export function noteOrder(
  model: Model,
  placed: Placed,
  { email, asking, lines, kind, card }: ReturnType<typeof orderOf>,
): void {
  model.orders.push({
    ...{ id: placed._id, query: new URL(placed.link).search, email, from: asking.from, kind, page: null },
    lines: lines.map((line, i) => ({ ...line, position: i + 1 })),
    status: placed.status,
    card: card ? 'to pay' : null,
    ...{ weighed: false, asks: false },
  })
}

/** Places an order. */
export async function place(storm: Storm, model: Model, choice: Choice, asked: Asked): Promise<boolean> {
  const order = orderOf(model, choice, asked)
  const answer = await storm.ask('POST', '/api/order', order.asking)
  if (answer.statusCode !== 201) return false
  noteOrder(model, answer.json<Placed>(), order)
  return true
}

const isWaiting = ({ status }: Order): boolean => status === 'WAITING'
const isPlaced = ({ status }: Order): boolean => status === 'PLACED'

/** What shoppers do. */
export const buying: readonly Act[] = [
  {
    name: 'browse',
    run: async (storm, _model, choice) => {
      const box = choice.of(boxIds)
      const page = choice.of([...PAGES, `/api/box/${box}/page`, `/api/product/${choice.of(productIds)}`])
      return storm.does('GET', page)
    },
  },
  {
    name: 'hold',
    weight: 2,
    run: async (storm, model, choice) => {
      const product = choice.of(productIds)
      const quantity = some(choice, product, 8)
      const slot = choice.once(3) ? undefined : choice.of(slotIds.pickup)
      const hold = randomUUID()
      const number = model.guests++
      const contact = contactOf(emailOf(`guest-${number}`))
      const payload = { lines: asLines([{ product, quantity }]), hold, contact, ...(slot && { slot }) }
      const done = await storm.does('POST', '/api/order/hold', { payload, from: number })
      if (done) model.holds.push({ id: hold, product, quantity })
      return done
    },
  },
  {
    name: 'order what is held',
    weight: 2,
    when: ({ holds }) => holds.length > 0,
    run: async (storm, model, choice) => {
      const held = choice.of(model.holds)
      model.holds = model.holds.filter(({ id }) => id !== held.id)
      return place(storm, model, choice, { lines: [held], hold: held.id })
    },
  },
  {
    name: 'let go of what is held',
    when: ({ holds }) => holds.length > 0,
    run: async (storm, model, choice) => {
      const { id } = choice.of(model.holds)
      model.holds = model.holds.filter((held) => held.id !== id)
      return storm.does('DELETE', `/api/order/hold/${id}`)
    },
  },
  {
    name: 'order',
    weight: 4,
    run: (storm, model, choice) => {
      const kind = choice.once(3) ? 'delivery' : 'pickup'
      return place(storm, model, choice, { lines: basket(choice, 6), kind, asAnn: choice.once(4) })
    },
  },
  {
    name: 'order a fish whole and as fillets',
    weight: 2,
    run: (storm, model, choice) => {
      const product = 'snapper' as const satisfies Product
      const [whole, prepared] = [some(choice, product, 4), some(choice, product, 3)]
      const fillets = { product, quantity: prepared, preparation: 'skin-off' as const }
      const lines: Wanted[] = [{ product, quantity: whole }, fillets]
      return place(storm, model, choice, { lines, asAnn: choice.once(4) })
    },
  },
  {
    name: 'order twice under one key',
    run: async (storm, model, choice) => {
      const order = orderOf(model, choice, { lines: basket(choice, 3) })
      const asking = { ...order.asking, headers: { 'idempotency-key': randomUUID() } }
      const first = await storm.ask('POST', '/api/order', asking)
      const second = await storm.ask('POST', '/api/order', asking)
      if (first.statusCode !== 201) return false
      const [one, two] = [first, second].map((answer) => answer.json<Placed>()._id)
      if (one !== two) throw new Violation('one key places one order', `${one} and ${two}`)
      noteOrder(model, first.json<Placed>(), order)
      return true
    },
  },
  {
    name: 'order a lot for the first time',
    run: async (storm, model, choice) => {
      const lines: Wanted[] = [{ product: 'snapper' satisfies Product, quantity: choice.int(17, 20) }]
      const order = orderOf(model, choice, { lines })
      const answer = await storm.ask('POST', '/api/order', order.asking)
      if (answer.statusCode !== 201) return false
      const placed = answer.json<Placed>()
      noteOrder(model, placed, order)
      // Managers may have made it so cheap that it is not large.
      const most = storm.world.siteFile.orders.firstOrderDollars * 100
      const isPast = model.orders.at(-1)?.status !== 'WAITING' && placed.totals.total > most
      if (isPast) throw new Violation('a large first order waits', JSON.stringify(model.orders.at(-1)))
      return true
    },
  },
  {
    name: 'confirm an order that waits',
    weight: 2,
    when: ({ orders }) => orders.some(isWaiting),
    run: async (storm, model, choice) => {
      const order = choice.of(model.orders.filter(isWaiting))
      const letters = await storm.world.letters()
      const letter = letters.find(({ kind, to }) => kind === 'waiting' && to === order.email)
      const confirm = /[?&]confirm=([^&\s]+)/.exec(letter?.text ?? '')?.[1]
      if (confirm === undefined) return false // its email is not there yet
      const url = `/api/order/${order.id}/confirmation${order.query}`
      const done = await storm.does('POST', url, { payload: { confirm: decodeURIComponent(confirm) } })
      if (done) order.status = 'PLACED'
      return done
    },
  },
  {
    name: 'cancel one’s own order',
    weight: 2,
    when: ({ orders }) => orders.some((order) => isPlaced(order) || isWaiting(order)),
    run: async (storm, model, choice) => {
      const order = choice.of(model.orders.filter((one) => isPlaced(one) || isWaiting(one)))
      const url = `/api/order/${order.id}/cancellation${order.query}`
      const done = await storm.does('POST', url, { payload: {} })
      if (done) order.status = 'CANCELLED'
      return done
    },
  },
]
