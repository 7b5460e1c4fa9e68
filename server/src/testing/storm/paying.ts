import type { OrderView } from '@befaqt/domain/api/order-api'
import { AUTHORIZED } from '../card-shop.ts'
import { type Product, productIds } from './beginning.ts'
import { noteOrder, orderOf } from './buying.ts'
import type { Order } from './model.ts'
import type { Act, Storm } from './storm.ts'

/** The event of a page that ended before anybody paid on it. */
const ENDED = 'checkout.session.expired'

const isToPay = ({ status, card }: Order): boolean =>
  status === 'PLACED' && (card === 'to pay' || card === 'page')
const hasPage = (order: Order): boolean => isToPay(order) && order.card === 'page' && order.page !== null
const wasCancelled = ({ status, card }: Order): boolean => status === 'CANCELLED' && card === 'page'
const wasPaid = ({ card, page }: Order): boolean => card === 'paid' && page !== null

const tell = (storm: Storm, { body, headers }: { body: string; headers: Record<string, string> }) =>
  storm.does('POST', '/api/payment/event', { payload: body, headers })

/** Payments by card, through the double of the provider. */
export const paying: readonly Act[] = [
  {
    name: 'order by card',
    weight: 3,
    run: async (storm, model, choice) => {
      const product: Product = choice.of(productIds)
      const lines = [{ product, quantity: choice.int(1, 5) }]
      const order = orderOf(model, choice, { lines, card: true })
      const answer = await storm.ask('POST', '/api/order', order.asking)
      if (answer.statusCode !== 201) return false
      noteOrder(model, answer.json(), order)
      return true
    },
  },
  {
    name: 'open the page of a payment',
    weight: 3,
    when: ({ orders }) => orders.some(isToPay),
    run: async (storm, model, choice) => {
      const order = choice.of(model.orders.filter(isToPay))
      const answer = await storm.ask('POST', `/api/order/${order.id}/payment${order.query}`)
      if (answer.statusCode !== 200) return false
      order.page = answer.json<{ url: string }>().url
      order.card = 'page'
      return true
    },
  },
  {
    name: 'pay by card',
    weight: 4,
    when: ({ orders }) => orders.some(hasPage),
    run: async (storm, model, choice) => {
      const order = choice.of(model.orders.filter(hasPage))
      const page = order.page ?? ''
      const { stripe } = storm.world
      stripe.pay(page)
      order.card = 'paid'
      if (!choice.once(3)) return tell(storm, stripe.event(AUTHORIZED, page))
      // The message is lost; the buyer comes back from the page.
      return storm.does('POST', `/api/order/${order.id}/payment/check${order.query}`)
    },
  },
  {
    name: 'fail to pay by card',
    when: ({ orders }) => orders.some(hasPage),
    run: async (storm, model, choice) => {
      const order = choice.of(model.orders.filter(hasPage))
      const page = order.page ?? ''
      storm.world.stripe.end(page)
      const event = storm.world.stripe.event(ENDED, page)
      const done = await tell(storm, event)
      order.card = 'ended'
      await refresh(storm, order)
      return done && order.status === 'CANCELLED'
    },
  },
  {
    name: 'pay for what was cancelled meanwhile',
    when: ({ orders }) => orders.some(wasCancelled),
    run: async (storm, model, choice) => {
      const order = choice.of(model.orders.filter(wasCancelled))
      const page = order.page ?? ''
      order.card = 'ended'
      const { stripe } = storm.world
      if (stripe.held(page).status !== 'open') return false // the shop closed it
      stripe.pay(page)
      return tell(storm, stripe.event(AUTHORIZED, page))
    },
  },
  {
    name: 'hear of a payment again, and late',
    when: ({ orders }) => orders.some(wasPaid),
    run: async (storm, model, choice) => {
      const order = choice.of(model.orders.filter(wasPaid))
      const event = storm.world.stripe.event(AUTHORIZED, order.page ?? '')
      const once = await tell(storm, event)
      return (await tell(storm, event)) && once
    },
  },
  {
    name: 'settle while the provider fails',
    when: ({ orders }) => orders.some(wasPaid),
    run: async (storm, model, choice) => {
      const { stripe } = storm.world
      stripe.away(choice.of([500, 'lost'] as const))
      const order = choice.of(model.orders.filter(wasPaid))
      const url = `/api/order/${order.id}/payment/settlement`
      await storm.ask('POST', url, { as: 'manager', may: [503] }).finally(() => stripe.away(null))
      return storm.does('POST', url, { as: 'manager' })
    },
  },
]

/** Reads what an order has become. */
export async function refresh(storm: Storm, order: Order): Promise<void> {
  const answer = await storm.ask('GET', `/api/order/${order.id}${order.query}`)
  if (answer.statusCode === 200) order.status = answer.json<OrderView>().status
}
