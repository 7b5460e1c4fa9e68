import { holds, type Right } from '@befaqt/domain/rights'
import type { StaffList } from '@befaqt/domain/staff'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { emailOf, signIn } from './beginning.ts'
import { addressOf, basket, noteOrder, orderOf } from './buying.ts'
import type { Customer, Order } from './model.ts'
import { type Act, type Storm, Violation } from './storm.ts'
import type { Method, World } from './world.ts'

const jobs: readonly (readonly Right[])[] = [
  ['report:read'],
  ['order:write'],
  ['order:read'],
  ['shop:write', 'customer:read'],
]

/** What somebody at the desk asks for, with the right that it needs. */
const tasks: readonly (readonly [right: Right, method: Method, url: string, payload?: object])[] = [
  ['order:read', 'GET', '/api/order/all'],
  ['order:write', 'PATCH', '/api/order/none', { status: 'PACKED' }],
  ['shop:write', 'POST', '/api/product/bulk/preview', { ids: ['ice'], set: { stock: 1 } }],
  ['customer:read', 'GET', '/api/manage/customer'],
]

const isUnderWay = ({ status }: Order): boolean => !['COMPLETED', 'CANCELLED', 'WAITING'].includes(status)

/** Every table with rows that have this text somewhere. */
async function tablesWith({ db }: World, text: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found = tables.map(
    ({ name }) =>
      sql`select ${name} as name where exists (select from ${sql.identifier(name)} t where strpos(t::text, ${text}) > 0)`,
  )
  return (await rows<{ name: string }>(db, sql.join(found, sql` union all `))).map(({ name }) => name)
}

/** Is nothing left of who was erased, and nobody told of anything but that? */
export async function erased(world: World, { gone }: { gone: readonly string[] }): Promise<string | null> {
  for (const email of gone) {
    const tables = await tablesWith(world, email)
    if (tables.length > 0) return `${email} is in ${tables.join(', ')}`
  }
  return null
}

/** An account keeps ten addresses at most, and prefers one of them. */
export async function addresses({ db }: World): Promise<string | null> {
  const [odd] = await rows<{ n: number; preferred: number }>(
    db,
    sql`select * from (select count(*)::int as n, count(*) filter (where preferred)::int as preferred
        from addresses group by user_id) t where n > 10 or preferred <> 1`,
  )
  return odd === undefined ? null : `${odd.n} addresses, of which ${odd.preferred} are preferred`
}

const payloadOf = (label: string, address: object, preferred: boolean) => ({ label, ...address, preferred })

const own = (storm: Storm, { token }: Customer, method: Method, url: string, payload?: object) =>
  storm.ask(method, url, { key: token, ...(payload && { payload }), may: [400] })

/** Staff whose rights change, and customers who come and go. */
export const people: readonly Act[] = [
  {
    name: 'give and take rights',
    run: async (storm, model, choice) => {
      const { people: staff } = (
        await storm.ask('GET', '/api/manage/staff', { as: 'manager' })
      ).json<StaffList>()
      const packer = staff.find(({ email }) => email === emailOf('packer'))
      const rights = choice.of(jobs)
      const url = `/api/manage/staff/${packer?._id}`
      const done = await storm.does('PUT', url, { as: 'manager', payload: { rights } })
      if (done) model.rights = rights
      return done
    },
  },
  {
    name: 'work as far as one’s rights go',
    weight: 2,
    run: async (storm, { rights }, choice) => {
      const [right, method, url, payload] = choice.of(tasks)
      const asking = { as: 'packer' as const, ...(payload && { payload }), may: [403] }
      const { statusCode } = await storm.ask(method, url, asking)
      if ((statusCode !== 403) !== holds(rights, right))
        throw new Violation(
          'who has a right may, nobody else',
          `${method} ${url} with ${rights}: ${statusCode}`,
        )
      return statusCode < 300
    },
  },
  {
    name: 'come as a customer',
    when: ({ customers }) => customers.length < 3,
    run: async ({ world }, model) => {
      const name = `customer-${model.guests++}`
      model.customers.push({ email: emailOf(name), token: await signIn(world.db, name, 'USER') })
      return true
    },
  },
  {
    name: 'order as a customer',
    weight: 2,
    when: ({ customers }) => customers.length > 0,
    run: async (storm, model, choice) => {
      const { email, token } = choice.of(model.customers.toReversed())
      const kind = choice.once(3) ? 'delivery' : 'pickup'
      const order = orderOf(model, choice, { lines: basket(choice, 5), email, token, kind })
      const answer = await storm.ask('POST', '/api/order', order.asking)
      if (answer.statusCode !== 201) return false
      noteOrder(model, answer.json(), order)
      return true
    },
  },
  {
    name: 'keep an address',
    weight: 2,
    when: ({ customers }) => customers.length > 0,
    run: async (storm, model, choice) => {
      const customer = choice.of(model.customers)
      const payload = payloadOf(`Home ${choice.int(1, 99)}`, addressOf(choice), choice.once(3))
      const answer = await own(storm, customer, 'POST', '/api/user/address', payload)
      if (answer.statusCode >= 300) return false
      const { _id: id } = answer.json<{ _id: string }>()
      if (choice.once(3)) await own(storm, customer, 'DELETE', `/api/user/address/${id}`)
      return true
    },
  },
  {
    name: 'erase an account',
    when: ({ customers }) => customers.length > 0,
    run: async (storm, model, choice) => {
      const customer = choice.of(model.customers)
      const { email } = customer
      const ofThem = (order: Order): boolean => order.email === email
      const done = (await own(storm, customer, 'POST', '/api/user/erasure')).statusCode < 300
      if (done && model.orders.some((order) => ofThem(order) && isUnderWay(order)))
        throw new Violation('who has an order under way stays', email)
      if (!done) return false
      model.customers = model.customers.filter((one) => one !== customer)
      model.orders = model.orders.filter((order) => !ofThem(order))
      model.complained = model.complained.filter((order) => !ofThem(order))
      model.gone.push(email)
      return true
    },
  },
]
