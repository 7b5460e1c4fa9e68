import { randomUUID } from 'node:crypto'
import type { ComplaintView, ManagedComplaint, OrderComplaints } from '@befaqt/domain/api/complaint-api'
import { allWrongs, type ComplaintAct, complainable } from '@befaqt/domain/complaint'
import type { Choice, Order } from './model.ts'
import { type Act, type Storm, Violation } from './storm.ts'

const isPacked = ({ status }: Order): boolean => complainable.some((state) => state === status)

/** A form with one field: a complaint without photos. */
function formOf(complaint: object) {
  const boundary = randomUUID()
  const part = `--${boundary}\r\ncontent-disposition: form-data; name="complaint"\r\n\r\n`
  const payload = `${part}${JSON.stringify(complaint)}\r\n--${boundary}--\r\n`
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

/** What the shop does with a complaint. */
const decisions: Partial<Record<ComplaintAct, (choice: Choice, seen: ManagedComplaint) => object>> = {
  answer: (choice, { most }) => ({
    words: 'We are sorry.',
    ...(choice.once(4) ? {} : { refund: choice.of([most, 0, Math.floor(most / 3)]) }),
  }),
  close: () => ({}),
  'record refund': (choice) => ({ way: choice.of(['bank', 'card', 'cash'] as const) }),
  'undo refund': () => ({}),
  'check boxes': () => ({ found: 'It smells of the sea.' }),
  'undo check': () => ({}),
}

const managed = async (storm: Storm, { id }: Order): Promise<ManagedComplaint[]> =>
  (await storm.ask('GET', `/api/order/${id}/complaint/manage`, { as: 'manager' })).json()

/** Does what the shop is offered for a complaint of an order. */
async function decide(storm: Storm, choice: Choice, order: Order, among: readonly ComplaintAct[]) {
  const offered = (await managed(storm, order)).flatMap((seen) =>
    seen.acts.filter((act) => among.includes(act)).map((act) => ({ seen, act })),
  )
  if (offered.length === 0) return false
  const { seen, act } = choice.of(offered)
  const payload = { act, ...decisions[act]?.(choice, seen) }
  const answer = await storm.ask('PATCH', `/api/complaint/${seen._id}`, {
    as: 'manager',
    payload,
    may: [400],
  })
  // What is promised can't change once it was given back.
  const isGiven = act === 'answer' && seen.refunded !== null
  if (answer.statusCode !== 200 && !isGiven)
    throw new Violation('what is offered is done', `${act} of ${JSON.stringify(seen)}: ${answer.body}`)
  return answer.statusCode === 200
}

const of = (
  name: string,
  weight: number,
  run: (storm: Storm, choice: Choice, order: Order) => Promise<boolean>,
): Act => ({
  ...{ name, weight },
  when: ({ complained }) => complained.length > 0,
  run: (storm, model, choice) => run(storm, choice, choice.of(model.complained)),
})

/** What buyers complain of, and what the shop says, promises and does about it. */
export const complaining: readonly Act[] = [
  {
    name: 'complain',
    weight: 2,
    when: ({ orders }) => orders.some(isPacked),
    run: async (storm, model, choice) => {
      const order = choice.of(model.orders.filter(isPacked))
      const wrong = [choice.of(allWrongs)]
      const lines = choice.once(3) ? [] : [choice.of(order.lines).position]
      const complaint = { lines, wrong, words: 'Not as it should be.', wish: 'refund' }
      const url = `/api/order/${order.id}/complaint${order.query}`
      // Of a line that was left out: 400.
      const asking = { ...formOf(complaint), from: order.from, may: [400] }
      const { open } = (await storm.ask('GET', url)).json<OrderComplaints>()
      const answer = await storm.ask('POST', url, asking)
      if (answer.statusCode !== 400 && open !== (answer.statusCode === 201))
        throw new Violation('what is offered is done', `complain of ${order.id}: ${answer.body}`)
      if (answer.statusCode === 201 && !model.complained.includes(order)) model.complained.push(order)
      return answer.statusCode === 201
    },
  },
  of('answer a complaint', 2, (storm, choice, order) => decide(storm, choice, order, ['answer'])),
  of('give back what was promised', 2, (storm, choice, order) =>
    decide(storm, choice, order, ['record refund']),
  ),
  of('decide about a complaint', 2, (storm, choice, order) =>
    decide(storm, choice, order, ['undo refund', 'check boxes', 'undo check', 'close']),
  ),
  of('take a complaint back, or open it again', 2, async (storm, choice, order) => {
    const url = `/api/order/${order.id}/complaint`
    const { complaints } = (await storm.ask('GET', url + order.query)).json<OrderComplaints>()
    const offered = complaints.flatMap(({ _id, acts }) => acts.map((act) => ({ _id, act })))
    if (offered.length === 0) return false
    const { _id, act } = choice.of(offered)
    const payload = { act, ...(act === 'reopen' && { words: 'It is not enough.' }) }
    const asking = { payload, from: order.from }
    const answer = await storm.ask('POST', `${url}/${_id}${order.query}`, asking)
    if (answer.statusCode !== 200)
      throw new Violation('what is offered is done', `${act} of ${order.id}: ${answer.body}`)
    return answer.json<ComplaintView>().acts.length > 0
  }),
]
