import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { OrderView } from '@befaqt/domain/api/order-api'
import type { PlacedAnswer } from '@befaqt/domain/api/waiting-order-api'
import type { z } from 'zod'
import { noteOrder, orderOf } from './buying.ts'
import { isPayable, type Model, type Order } from './model.ts'
import { refresh } from './paying.ts'
import { type Act, type Storm, Violation } from './storm.ts'
import type { Answer } from './world.ts'

type Placed = z.infer<typeof PlacedAnswer>

/** A request that may be cut off, in milliseconds after it was sent. */
const MOST_MS = 60

const allRun = ({ away }: Readonly<Model>): boolean => away === null

/** Asks one process and kills it meanwhile. Undefined: the answer was lost. */
async function askAndKill(
  storm: Storm,
  model: Model,
  which: number,
  afterMs: number,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const asking = ask().catch((error: unknown) => {
    if (error instanceof Violation) throw error
    return undefined
  })
  await wait(afterMs)
  await storm.world.kill?.(which)
  model.away = which
  return asking
}

const other = (which: number): number => (which === 0 ? 1 : 0)

const mayBePacked = (order: Order): boolean =>
  order.status === 'PLACED' && order.weighed && !order.asks && isPayable(order)

/** Processes that are killed, between requests and in the middle of one: for shops with two of them. */
export const killing: readonly Act[] = [
  {
    name: 'kill a process',
    when: allRun,
    run: async ({ world }, model, choice) => {
      model.away = choice.int(0, world.processes - 1)
      await world.kill?.(model.away)
      return true
    },
  },
  {
    name: 'start it again',
    weight: 4,
    when: ({ away }) => away !== null,
    run: async ({ world }, model) => {
      await world.restart(model.away ?? 0)
      model.away = null
      return true
    },
  },
  {
    name: 'kill a process that places an order, and order again at the other',
    weight: 2,
    when: allRun,
    run: async (storm, model, choice) => {
      const which = choice.int(0, 1)
      const lines = [{ product: 'snapper' as const, quantity: choice.int(1, 3) }]
      const order = orderOf(model, choice, { lines, card: choice.once(2) })
      const asking = { ...order.asking, headers: { 'idempotency-key': randomUUID() } }
      const ask = (to: number) => storm.ask('POST', '/api/order', { ...asking, to })
      const first = await askAndKill(storm, model, which, choice.int(0, MOST_MS), () => ask(which))
      const second = await ask(other(which))
      if (second.statusCode !== 201) {
        if (first?.statusCode === 201) throw new Violation('what was told stands', second.body)
        return false
      }
      const placed = second.json<Placed>()
      if (first?.statusCode === 201 && first.json<Placed>()._id !== placed._id)
        throw new Violation('one key places one order', `${first.body} and ${second.body}`)
      noteOrder(model, placed, order)
      return true
    },
  },
  {
    name: 'kill a process that packs an order, and pack it at the other',
    weight: 2,
    when: (model) => allRun(model) && model.orders.some(mayBePacked),
    run: async (storm, model, choice) => {
      const which = choice.int(0, 1)
      const order = choice.of(model.orders.filter(mayBePacked))
      const ask = (to: number) =>
        storm.ask('PATCH', `/api/order/${order.id}`, { as: 'manager', payload: { status: 'PACKED' }, to })
      const first = await askAndKill(storm, model, which, choice.int(0, MOST_MS), () => ask(which))
      const second = await ask(other(which))
      await refresh(storm, order)
      if (first?.statusCode === 200 && first.json<OrderView>().status !== order.status)
        throw new Violation('what was told stands', `${first.body}, and then ${order.status}`)
      return order.status === 'PACKED' || second.statusCode < 300
    },
  },
]

/** Each of them once, at the end of the first lap. */
export const killingLap: readonly (readonly [name: string, ...numbers: number[]])[] = [
  ['kill a process'],
  ['start it again'],
  ['kill a process that places an order, and order again at the other', 0, 0, 0, 9],
  ['start it again'],
  ['weigh'],
  ['kill a process that packs an order, and pack it at the other', 0, 0, 20],
]
