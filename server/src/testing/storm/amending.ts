import { randomUUID } from 'node:crypto'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { type Product, productIds, slotIds } from './beginning.ts'
import { addressOf, asLines, some } from './buying.ts'
import type { Choice, Order } from './model.ts'
import { type Act, type Storm, Violation } from './storm.ts'

type Change = (choice: Choice, seen: OrderView) => object

const kept = ({ lines }: OrderView) => lines.filter(({ leftOut }) => leftOut === null)
const isProduct = (id: string): id is Product => productIds.some((product) => product === id)

/** What buyers change of an order, each by itself. */
const changes = {
  amount: (choice, seen) => {
    const { position, product_id } = choice.of(kept(seen))
    const quantity = isProduct(product_id) ? some(choice, product_id, 8) : 1
    return { lines: [{ position, quantity }] }
  },
  'taken out': (choice, seen) => ({ lines: [{ position: choice.of(kept(seen)).position, quantity: 0 }] }),
  added: (choice) => {
    const product = choice.of(productIds.toReversed())
    return { added: asLines([{ product, quantity: some(choice, product, 4) }]) }
  },
  prepared: (choice, seen) => {
    const { position, quantity, preparation } = choice.of(kept(seen))
    return { lines: [{ position, quantity, preparation: preparation ? 'whole' : 'skin-off' }] }
  },
  time: (choice, { kind }) => ({ slot: choice.of(slotIds[kind].toReversed()) }),
  'pick-up or delivery': (choice, seen) => {
    const kind = seen.kind === 'pickup' ? 'delivery' : 'pickup'
    const slot = choice.of(slotIds[kind])
    return { kind, slot, ...(kind === 'delivery' && { address: addressOf(choice) }) }
  },
  address: (choice, { kind }) =>
    kind === 'delivery' ? { address: addressOf(choice) } : { note: 'Ring twice' },
  note: (choice) => ({ note: `Note ${choice.int(1, 9)}` }),
} as const satisfies Record<string, Change>

const isToBegin = ({ status, weighed }: Order): boolean => status === 'PLACED' && !weighed

/** Notes what an order has become. */
export function noteSeen(order: Order, { status, kind, lines }: OrderView): void {
  order.status = status
  order.kind = kind
  order.lines = lines.flatMap(({ position, product_id, quantity, preparation, leftOut }) =>
    leftOut === null && isProduct(product_id)
      ? [{ position, product: product_id, quantity, ...(preparation && { preparation: preparation.kind }) }]
      : [],
  )
}

async function amend(storm: Storm, choice: Choice, order: Order, names: readonly (keyof typeof changes)[]) {
  const url = `/api/order/${order.id}`
  const seen = (await storm.ask('GET', url + order.query)).json<OrderView>()
  const wanted = Object.assign({}, ...names.map((name) => changes[name](choice, seen)))
  const asking = {
    payload: { version: seen.version, ...wanted },
    headers: { 'idempotency-key': randomUUID() },
    from: order.from,
    may: [400, 429],
    ...(choice.once(4) && { as: 'manager' as const }),
  }
  const ask = () => storm.ask('POST', `${url}/amendment${order.query}`, asking)
  const answer = await ask()
  if (answer.statusCode !== 200) return false
  if (seen.amendable !== 'open') throw new Violation('what is not offered is refused', seen.amendable)
  const after = answer.json<OrderView>()
  noteSeen(order, after)
  const again = await ask()
  if (again.statusCode !== 200 || again.json<OrderView>().version !== after.version)
    throw new Violation('one key changes an order once', again.body)
  return true
}

const about = (
  name: string,
  weight: number,
  names: readonly (keyof typeof changes)[],
  most: number,
): Act => ({
  ...{ name, weight },
  when: ({ orders }) => orders.some(isToBegin),
  run: (storm, model, choice) => {
    const order = choice.of(model.orders.filter(isToBegin))
    return amend(
      storm,
      choice,
      order,
      Array.from({ length: choice.int(1, most) }, () => choice.of(names)),
    )
  },
})

/** What is changed of orders before they are packed, by who has their link and by the shop. */
export const amending: readonly Act[] = [
  about('change amounts', 3, ['amount', 'taken out', 'prepared'], 1),
  about('add to an order', 2, ['added'], 1),
  about('change how an order comes', 2, ['pick-up or delivery', 'time', 'address'], 1),
  about('change several things', 2, Object.keys(changes) as (keyof typeof changes)[], 3),
]
