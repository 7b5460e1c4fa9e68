import type { Database } from '../../../server/src/db/client.ts'
import type { Told } from './buyers.ts'

/**
 * What must hold after a rush: as many orders as stock that went, each told to one buyer, numbered without gaps, with its
 * line, contact, history and key. @throws Error naming what does not hold
 */
export async function checkOrders({ db }: Database, told: readonly Told[], stock: number): Promise<void> {
  const query = async <Row>(text: string): Promise<Row[]> =>
    ((await db.execute(text)) as { rows: Row[] }).rows
  const orders = await query<{ number: string; email: string }>(
    'select number, email from orders join order_contacts on order_id = id order by number',
  )
  const numbers = orders.map(({ number }) => number)
  const counts = numbers.map((number) => Number(number.slice(-6)))
  assert(
    counts.every((count, i) => count === i + 1),
    `numbers are not 1 to ${counts.length}`,
  )
  const sold = told.filter(({ number }) => number !== undefined)
  assert(sold.length === Math.min(stock, told.length), `${sold.length} of ${told.length} were sold one`)
  assert(numbers.length === sold.length, `${numbers.length} orders, but ${sold.length} buyers were told`)
  const emailOf = new Map(orders.map(({ number, email }) => [number, email]))
  for (const { buyer, number = '' } of sold)
    assert(emailOf.get(number) === `buyer${buyer}@example.org`, `${number} is not buyer ${buyer}'s`)
  const [product] = await query<{ left: number }>('select stock::float8 as left from products')
  assert(product?.left === stock - sold.length, `stock ${product?.left} after ${sold.length} of ${stock}`)
  for (const table of ['order_lines', 'order_contacts', 'order_events', 'idempotency_keys']) {
    const [all] = await query<{ n: number }>(`select count(*)::int as n from ${table}`)
    assert(all?.n === numbers.length, `${all?.n} rows in ${table} for ${numbers.length} orders`)
  }
}

/** Every order was mailed, and nothing else; `once`: none of them twice. */
export function checkEmails(subjects: readonly string[], told: readonly Told[], once: boolean): number {
  const numbers = new Set(told.flatMap(({ number }) => number ?? []))
  const mailed = subjects.map((subject) => /BF-\d{4}-\d{6}/.exec(subject)?.[0] ?? subject)
  const strange = mailed.find((number) => !numbers.has(number))
  assert(strange === undefined, `an email for ${strange}, which nobody was sold`)
  const missing = [...numbers].find((number) => !mailed.includes(number))
  assert(missing === undefined, `no email for ${missing}`)
  assert(!once || mailed.length === numbers.size, `${mailed.length} emails for ${numbers.size} orders`)
  return mailed.length - numbers.size
}

function assert(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}
