import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import type { OrderView } from '@befaqt/domain/api/order-api'
import type { OrderState } from '@befaqt/domain/order-states'
import { plus } from '@befaqt/domain/quantity'
import { boxesOf, goods, productIds, slotIds } from './beginning.ts'
import { type Choice, isPayable, type Model, type Order } from './model.ts'
import { refresh } from './paying.ts'
import type { Act, Storm } from './storm.ts'

const isPlaced = ({ status }: Order): boolean => status === 'PLACED'
const isReady = (order: Order): boolean => isPlaced(order) && order.weighed && !order.asks && isPayable(order)
const isAsked = (order: Order): boolean => isPlaced(order) && order.asks
const is =
  (...states: OrderState[]) =>
  ({ status }: Order): boolean =>
    states.some((state) => state === status)

/** Weighs all lines of an order, between so many percent of what was ordered, each from a box that may be sold. */
async function weigh(
  storm: Storm,
  model: Model,
  choice: Choice,
  order: Order,
  [least, most]: readonly [number, number],
): Promise<boolean> {
  // What a line weighs more than was ordered is no loss of stock: of two lines of a product nobody could tell whose it was.
  const isTwice = new Set(order.lines.map(({ product }) => product)).size < order.lines.length
  const lines = order.lines.map(({ position, product, quantity }) => {
    const isWeighed = goods[product].unit === 'kg'
    const percent = isTwice ? choice.int(88, 100) : choice.int(least, most)
    const grams = Math.round((quantity * 1_000 * percent) / 100)
    const amount = isWeighed ? grams : quantity
    const all = boxesOf(product)
    const sold = all.filter((box) => !model.recalled.has(box) && !model.offSale.has(box))
    const named = choice.once(5) ? all : sold // somebody may take the wrong one
    const from =
      named.length === 0 || choice.once(6)
        ? { noBox: 'From the counter' }
        : { boxes: [{ boxID: choice.of(named), amount }] }
    return { position, ...(isWeighed && { grams }), ...from }
  })
  const url = `/api/order/${order.id}/packing`
  const answer = await storm.ask('PUT', url, { as: 'manager', payload: { lines } })
  if (answer.statusCode !== 200) return false
  order.weighed = true
  order.asks = answer.json<OrderView>().asksBuyer
  return true
}

const move = async (storm: Storm, order: Order, status: OrderState, more: object = {}): Promise<boolean> => {
  const payload = { status, ...more }
  const done = await storm.does('PATCH', `/api/order/${order.id}`, { as: 'manager', payload })
  if (done) order.status = status
  else await refresh(storm, order)
  return done
}

/** Acts about an order of some kind. */
const about = (
  name: string,
  weight: number,
  which: (order: Order) => boolean,
  run: (storm: Storm, model: Model, choice: Choice, order: Order) => Promise<boolean>,
): Act => ({
  ...{ name, weight },
  when: ({ orders }) => orders.some(which),
  run: (storm, model, choice) => run(storm, model, choice, choice.of(model.orders.filter(which))),
})

/** What the shop does with orders and stock. */
export const managing: readonly Act[] = [
  about('weigh', 5, isPlaced, (storm, model, choice, order) => weigh(storm, model, choice, order, [88, 109])),
  about('weigh too much', 1, isPlaced, async (storm, model, choice, order) => {
    const done = await weigh(storm, model, choice, order, [112, 125])
    return done && order.asks
  }),
  about('accept the total', 2, isAsked, async (storm, _model, _choice, order) => {
    const url = `/api/order/${order.id}`
    const seen = (await storm.ask('GET', url + order.query)).json<OrderView>()
    const payload = { total: seen.totals.total }
    const done = await storm.does('POST', `${url}/acceptance${order.query}`, { payload })
    if (done) order.asks = false
    return done
  }),
  about('pack', 5, isReady, (storm, _model, _choice, order) => move(storm, order, 'PACKED')),
  about('get ready or send', 3, is('PACKED'), (storm, _model, _choice, order) =>
    move(storm, order, order.kind === 'pickup' ? 'READY' : 'SENT', {
      paid: order.kind === 'delivery' ? otherwise(order) : undefined,
    }),
  ),
  about('hand out', 3, is('READY', 'SENT'), (storm, _model, _choice, order) =>
    move(storm, order, 'COMPLETED', { paid: otherwise(order) }),
  ),
  about('cancel an order', 2, is('PLACED', 'PACKED', 'READY'), (storm, _model, _choice, order) =>
    move(storm, order, 'CANCELLED', { reason: 'Sold out.' }),
  ),
  about(
    'leave a line out',
    1,
    (order) => isPlaced(order) && order.lines.length > 1,
    async (storm, _model, choice, order) => {
      const { position } = choice.of(order.lines)
      const payload = { position, reason: 'None left' }
      const done = await storm.does('POST', `/api/order/${order.id}/left-out`, { as: 'manager', payload })
      if (done) order.lines = order.lines.filter((line) => line.position !== position)
      return done
    },
  ),
  about('move to another time', 1, is('PLACED', 'PACKED', 'READY'), (storm, _model, choice, order) => {
    const payload = { slot: choice.of(slotIds[order.kind].toReversed()) }
    return storm.does('PUT', `/api/order/${order.id}/slot`, { as: 'manager', payload })
  }),
  about('replace what was stopped', 2, is('PACKED', 'READY'), async (storm, model, choice, order) => {
    const url = `/api/order/${order.id}`
    const seen = (await storm.ask('GET', url, { as: 'manager' })).json<OrderView>()
    const lines = order.lines.flatMap(({ position, product }) => {
      const line = seen.lines.find((one) => one.position === position)
      const stopped = line?.boxes.some(({ boxID }) =>
        [...model.recalled, ...model.offSale].some((box) => box === boxID),
      )
      const others = boxesOf(product).filter((box) => !model.recalled.has(box) && !model.offSale.has(box))
      if (line === undefined || !stopped || others.length === 0) return []
      const amount = line.boxes.reduce((sum, box) => sum + box.amount, 0)
      const grams = line.finalGrams === null ? {} : { grams: amount }
      return [{ position, ...grams, boxes: [{ boxID: choice.of(others), amount }] }]
    })
    if (lines.length === 0) return false
    return storm.does('PUT', `${url}/packing`, { as: 'manager', payload: { lines } })
  }),
  {
    name: 'lose some of a box',
    run: async (storm, _model, choice) => {
      const product = choice.of(['snapper', 'oyster'] as const)
      const amount = product === 'snapper' ? choice.int(50, 900) : choice.int(1, 3)
      const payload = { product_id: product, amount, reason: 'Trimmed' }
      const box = choice.of(boxesOf(product))
      return storm.does('POST', `/api/box/${box}/loss`, { as: 'manager', payload })
    },
  },
  {
    name: 'put more into stock',
    run: async (storm, model, choice) => {
      const [product, more] = [choice.of(productIds), choice.int(1, 10)]
      const read = await storm.ask('GET', `/api/product/${product}/manage`, { as: 'manager' })
      const stock = read.json<ManagedProduct>().stock + more
      const done = await storm.does('PATCH', `/api/product/${product}`, { as: 'manager', payload: { stock } })
      if (done) model.put[product] = plus(model.put[product], more)
      return done
    },
  },
]

/** What an order by card whose payment ended is handed out with. */
const otherwise = ({ card }: Order): 'otherwise' | undefined =>
  card === 'ended' || card === 'page' || card === 'to pay' ? 'otherwise' : undefined
