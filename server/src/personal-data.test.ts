import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { users } from './db/schema/accounts.ts'
import { schema } from './db/schema/index.ts'
import { orders } from './db/schema/orders.ts'
import { suppliers } from './db/schema/suppliers.ts'
import { copyOf, personalData } from './personal-data.ts'
import { callerOf } from './testing/caller.ts'
import { testDatabases } from './testing/database.ts'
import { buyer, linesOf, type OrderShop, shopWithOrders } from './testing/orders.ts'

const secret = 'hashes of secrets, which say nothing and would open the account'

/** Tables of a person that are not in the copy, and why. */
const leftOut: Record<string, string> = {
  one_time_tokens: secret,
  recovery_codes: secret,
  webauthn_challenges: secret,
  known_devices: secret,
  phone_links: secret,
  boxes: 'public, and part of a history that anyone can check',
}

test('every table that names an account is in the copy of its data, or there is a reason why not', () => {
  const named = Object.values(schema)
    .filter((table) => is(table, PgTable))
    .filter((table) =>
      getTableConfig(table).foreignKeys.some((key) =>
        [users, suppliers].some((person) => key.reference().foreignTable === person),
      ),
    )
    .map((table) => getTableConfig(table).name)
  const copied = new Set(personalData.flatMap(({ of }) => of.map((table) => getTableConfig(table).name)))
  assert.deepEqual(named.filter((name) => !copied.has(name)).sort(), Object.keys(leftOut).sort())
})

const copyFor = async ({ deps }: OrderShop, userId: string) => {
  let text = ''
  for await (const part of copyOf(deps, userId)) text += part
  return { text, copy: JSON.parse(text) }
}

for (const [name, open] of testDatabases)
  test(`${name}: the copy has one’s own orders, all of them, and nobody else’s, and no secret`, async () => {
    await using shop = await shopWithOrders({ open })
    const ann = await callerOf(shop, 'ann', 'USER')
    const zoe = await callerOf(shop, 'zoe', 'USER') // a name that no hexadecimal number has in it
    const contact = { ...buyer, email: 'ann@example.org' }
    const order = (call: typeof ann, fname: string) =>
      call(
        'POST',
        '/api/order',
        {
          lines: linesOf({ ice: 1 }),
          contact: { ...contact, fname },
          fulfilment: { kind: 'pickup', slot: shop.pickup },
        },
        { 'idempotency-key': `${fname} ${Math.random()}` },
      )
    const placed = await order(ann, 'Ann')
    assert.equal(placed.statusCode, 201, placed.body)
    assert.equal((await order(zoe, 'Zoe')).statusCode, 201)
    const { _id, lines } = placed.json()
    const fewer = {
      version: 1,
      lines: lines.map(({ position }: { position: number }) => ({ position, quantity: 2 })),
    }
    const key = { 'idempotency-key': 'another number' }
    const amended = await ann('POST', `/api/order/${_id}/amendment`, fewer, key)
    assert.equal(amended.statusCode, 200, amended.body)
    const [row] = await shop.deps.db.select().from(orders).where(eq(orders.id, placed.json()._id))
    if (row === undefined) throw new Error('an order was placed')
    await shop.deps.db.insert(orders).values(
      Array.from({ length: 120 }, (_, i) => ({
        ...row,
        id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
        number: `more-${i}`,
      })),
    )
    const { text, copy } = await copyFor(shop, 'ann')
    assert.deepEqual(copy.account[0].email, 'ann@example.org')
    assert.equal(copy.orders.length, 121)
    const own = copy.orders.find(({ number }: { number: string }) => number === row.number)
    assert.equal(own.contact.fname, 'Ann')
    assert.match(JSON.stringify(own.events), /Ice: 2 × bag instead of 1 bag/, 'what was changed')
    assert.equal(copy.sessions.length, 1)
    assert.doesNotMatch(text, /Zoe|zoe@|hash|secret|publicKey/i)
    assert.deepEqual((await copyFor(shop, 'nobody')).copy.account, [])
  })

test('it is had by its owner alone, as a file, after the password', async () => {
  await using shop = await shopWithOrders()
  const ann = await callerOf(shop, 'ann', 'USER')
  const copy = await ann('GET', '/api/user/data')
  assert.equal(copy.statusCode, 200, copy.body)
  assert.match(`${copy.headers['content-disposition']}`, /^attachment; filename="my-data\.json"$/)
  assert.equal(copy.headers['cache-control'], 'no-store')
  assert.equal(copy.json().account[0].email, 'ann@example.org')
  assert.equal((await shop.app.inject('/api/user/data')).statusCode, 401)
})
