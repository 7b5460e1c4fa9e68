import type { BulkChanged, Undone } from '@befaqt/domain/api/manage-api'
import { plus } from '@befaqt/domain/quantity'
import type { Schedule } from '@befaqt/domain/schedule'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { emailOf, type Product, productIds } from './beginning.ts'
import type { Choice, Model } from './model.ts'
import { type Act, type Storm, Violation } from './storm.ts'

type Shelf = {
  id: Product
  stock: number
  status: string
  discount: number
  schedule: Schedule
  dueAt: string | null
}

const shelves = ({ world }: Storm): Promise<Shelf[]> =>
  rows<Shelf>(
    world.db,
    sql`select id, stock::float8 as stock, status, discount, schedule, due_at::text as "dueAt" from products order by id`,
  )

const isProduct = (id: string): id is Product => productIds.some((product) => product === id)

/** Notes by how much the stock of products was changed by hand. */
function noteStock(model: Model, before: readonly Shelf[], changed: readonly BulkChanged[]) {
  return changed.flatMap(({ _id: id, change, stock }) => {
    const more = plus(stock, -(before.find((one) => one.id === id)?.stock ?? 0))
    if (!isProduct(id)) return []
    model.put[id] = plus(model.put[id], more)
    if (more < 0) model.lowered.add(id)
    return [{ id, change, more }]
  })
}

const HOUR_MS = 3_600_000
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString()

/** Changes several products at once. */
async function change(storm: Storm, model: Model, ids: readonly Product[], set: object): Promise<boolean> {
  const before = await shelves(storm)
  const payload = { ids, set }
  // A price that would be out of range: 400.
  const answer = await storm.ask('POST', '/api/product/bulk', { as: 'manager', payload, may: [400] })
  if (answer.statusCode !== 200) return false
  const changed = noteStock(model, before, answer.json<{ rows: BulkChanged[] }>().rows)
  if (changed.length > 0) model.changes.push(changed)
  return changed.length > 0
}

const some = (choice: Choice): Product[] =>
  productIds.filter((_, i) => i === 0 || choice.once(2)).toReversed()

/** What was planned for now is to have happened; a discount that somebody set meanwhile stays. */
function follows({ status, discount, schedule: { sale, markdown } }: Shelf, dueAt: number): object {
  const isDue = (moment: string | null | undefined) => moment != null && Date.parse(moment) <= dueAt
  const begins = isDue(sale?.from) && status === 'INACTIVE'
  const ends = isDue(sale?.until) && status === 'ACTIVE'
  const isOver = isDue(markdown?.until) && markdown?.before != null && discount === markdown.percent
  const hasBegun = isDue(markdown?.from) && markdown?.before === null
  return {
    status: begins ? 'ACTIVE' : ends ? 'INACTIVE' : status,
    discount: isOver ? markdown.before : hasBegun ? markdown.percent : discount,
  }
}

/** Moves the plan of a product so far back that its next moment is now, and has it carried out. */
async function comesTrue(storm: Storm, before: Shelf): Promise<boolean> {
  const { db } = storm.world
  const dueAt = Date.parse(before.dueAt ?? '')
  const back = dueAt - Date.now() + 1_000
  const earlier = (moment: string | null) => moment && new Date(Date.parse(moment) - back).toISOString()
  const { sale, markdown } = before.schedule
  const moved = {
    sale: sale && { ...sale, from: earlier(sale.from), until: earlier(sale.until) },
    markdown: markdown && { ...markdown, from: earlier(markdown.from), until: earlier(markdown.until) },
  }
  await rows(
    db,
    sql`update products set schedule = ${JSON.stringify(moved)}::jsonb, due_at = ${earlier(before.dueAt)}::timestamptz
        where id = ${before.id}`,
  )
  await rows(
    db,
    sql`update jobs set run_at = now() where queue = 'catalogue.schedule' and leased_until is null`,
  )
  await storm.world.settle()
  const after = (await shelves(storm)).find(({ id }) => id === before.id)
  const is = { status: after?.status, discount: after?.discount }
  const wanted = follows(before, dueAt)
  if (JSON.stringify(is) !== JSON.stringify(wanted))
    throw new Violation('plans come true', `${JSON.stringify([before, is])}, not ${JSON.stringify(wanted)}`)
  return true
}

const waiting = ({ wishes }: Readonly<Model>) => wishes.filter(({ state }) => state === 'asked')

/** Changes of many products and their undoing, plans, and who waits for what is sold out. */
export const shelving: readonly Act[] = [
  {
    name: 'change many products',
    weight: 2,
    run: (storm, model, choice) =>
      change(
        storm,
        model,
        some(choice),
        choice.of([
          { discount: 10 },
          { discount: 0 },
          { priceFactor: 1.07 },
          { priceFactor: 0.9 },
          { stock: 40 },
          { status: 'INACTIVE' },
          { status: 'ACTIVE' },
          { status: 'ACTIVE', discount: 25 },
        ]),
      ),
  },
  {
    name: 'undo a change of many products',
    weight: 2,
    when: ({ changes }) => changes.length > 0,
    run: async (storm, model, choice) => {
      const undone = choice.of(model.changes.toReversed())
      model.changes = model.changes.filter((one) => one !== undone)
      const before = await shelves(storm)
      const payload = { changes: undone.map(({ change: number }) => number) }
      const answer = await storm.ask('POST', '/api/product/bulk/undo', { as: 'manager', payload })
      if (answer.statusCode !== 200) return false
      const made = noteStock(model, before, answer.json<Undone>().rows)
      for (const { id, more } of made)
        if (plus(more, undone.find((one) => one.id === id)?.more ?? 0) !== 0)
          throw new Violation('an undo takes back what was done', JSON.stringify([undone, made]))
      if (made.length > 0) model.changes.push(made)
      return made.length > 0
    },
  },
  {
    name: 'plan',
    weight: 2,
    run: (storm, model, choice) => {
      const ids = [choice.of(productIds.toReversed())]
      const schedule = choice.of([
        { markdown: { percent: 20, until: inHours(choice.int(1, 5)) } },
        { sale: { until: inHours(choice.int(1, 5)) } },
        { markdown: { percent: 30, from: inHours(1), until: inHours(3) } },
        { sale: { from: inHours(2), until: inHours(4) } },
        { markdown: null },
      ])
      return change(storm, model, ids, { schedule })
    },
  },
  {
    name: 'let a plan come true',
    weight: 2,
    run: async (storm, _model, choice) => {
      const planned = (await shelves(storm)).filter(({ dueAt }) => dueAt !== null)
      return planned.length > 0 && comesTrue(storm, choice.of(planned))
    },
  },
  {
    name: 'sell out',
    run: (storm, model, choice) => change(storm, model, [choice.of(productIds.toReversed())], { stock: 0 }),
  },
  {
    name: 'ask to be told when it is back',
    weight: 3,
    run: async (storm, model, choice) => {
      const gone = (await shelves(storm)).filter(({ stock, status }) => stock === 0 && status === 'ACTIVE')
      if (gone.length === 0) return false
      const from = model.guests++
      const email = emailOf(`waits-${from}`)
      const product = choice.of(gone).id
      const done = await storm.does('POST', '/api/notice', { payload: { email, product_id: product }, from })
      if (done) model.wishes.push({ email, product, state: 'asked' })
      return done
    },
  },
  {
    name: 'confirm that one wants to be told',
    weight: 2,
    when: (model) => waiting(model).length > 0,
    run: async (storm, model, choice) => {
      const wish = choice.of(waiting(model))
      const letter = (await storm.world.letters()).find(({ to }) => to === wish.email)
      const token = /notice\/confirm\/(\S+)/.exec(letter?.text ?? '')?.[1]
      if (token === undefined) return false // its email is not there yet
      const done = await storm.does('POST', '/api/notice/confirmation', { payload: { token } })
      if (done) wish.state = 'waits'
      return done
    },
  },
  {
    name: 'stop being told',
    when: ({ wishes }) => wishes.some(({ state }) => state === 'waits'),
    run: async (storm, model, choice) => {
      const wish = choice.of(model.wishes.filter(({ state }) => state === 'waits'))
      const letters = (await storm.world.letters()).filter(({ to }) => to === wish.email)
      const key = /notice\/stop\/(\w+)/.exec(letters[0]?.stop ?? '')?.[1]
      wish.state = 'stopped'
      return storm.does('POST', `/api/notice/stop/${key}`)
    },
  },
]
