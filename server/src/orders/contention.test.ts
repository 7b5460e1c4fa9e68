import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { products } from '#server/db/schema/shop.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, shopWithOrders } from '#server/testing/orders.ts'

const BUYERS = 200
const STOCK = 50
/** As long as the shop asks for with `Retry-After`; sooner, and the test measures its own retries. */
const RETRY_MS = 1_000

/** One buyer, who sends everything twice at once, and again until there is a definite response. */
async function buy(url: string, slot: string, i: number): Promise<{ status: number; body: string }> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const order = {
    lines: linesOf({ snapper: 1 }),
    contact: { ...buyer, email: `buyer${i}@example.org` },
    fulfilment: { kind: 'pickup', slot },
  }
  const send = async (): Promise<{ status: number; body: string }> => {
    for (;;) {
      const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(order) })
      const body = await reply.text()
      const isDefinite =
        reply.status === 201 || (reply.status === 409 && !body.includes('idempotency.running'))
      if (isDefinite) return { status: reply.status, body }
      if (![409, 429, 503].includes(reply.status)) throw new Error(`${reply.status} ${body}`)
      await delay(RETRY_MS)
    }
  }
  const [first, second] = await Promise.all([send(), send()])
  assert.equal(first.status, second.status, 'both are told the same')
  if (first.status === 201) assert.deepEqual(JSON.parse(first.body), JSON.parse(second.body))
  return first
}

for (const [name, open] of testDatabases)
  test(`${name}: of ${BUYERS} buyers at once for ${STOCK} in stock, ${STOCK} buy one and all others are told`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    const origin = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const replies = await Promise.all(
      Array.from({ length: BUYERS }, (_, i) => buy(`${origin}/api/order`, shop.pickup, i)),
    )
    const sold = replies.filter(({ status }) => status === 201).map(({ body }) => JSON.parse(body))
    assert.equal(sold.length, STOCK)
    for (const { status, body } of replies)
      if (status !== 201) assert.match(body, /"lines":\[\{"product_id":"snapper","wanted":1,"left":0\}\]/)
    const [snapper] = await db.select().from(products).where(eq(products.id, 'snapper'))
    assert.equal(snapper?.stock, 0)
    const numbers = await rows<{ number: string }>(db, sql`select number from orders order by number`)
    assert.deepEqual(
      numbers.map(({ number }) => Number(number.slice(-6))),
      Array.from({ length: STOCK }, (_, i) => i + 1),
      'numbers without gaps',
    )
    assert.equal(await db.$count(jobs, eq(jobs.queue, MAIL_QUEUE)), STOCK)
  })
