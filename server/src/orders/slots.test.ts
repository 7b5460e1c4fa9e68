import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@befaqt/domain/durations'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { slots } from '#server/db/schema/orders.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { address, linesOf, shopWithOrders } from '#server/testing/orders.ts'

for (const [name, open] of testDatabases)
  test(`${name}: a suburb whose times come after hundreds of others is offered them, also by a refusal`, async () => {
    await using shop = await shopWithOrders({ open })
    const at = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS)
    const slot = { kind: 'delivery', timeZone: 'Australia/Sydney', capacity: 5 } as const
    await shop.deps.db.insert(slots).values([
      ...Array.from({ length: 205 }, (_, i) => ({
        ...slot,
        id: `near-${i}`,
        area: ['2000'],
        startsAt: at(30 + i),
        endsAt: at(31 + i),
        cutOffAt: at(29),
      })),
      { ...slot, id: 'far', area: ['3000'], startsAt: at(400), endsAt: at(401), cutOffAt: at(390) },
      { ...slot, id: 'past', area: ['3000'], startsAt: at(-2), endsAt: at(-1), cutOffAt: at(-3) },
      { ...slot, id: 'now', area: ['3000'], startsAt: at(-1), endsAt: at(2), cutOffAt: at(1) },
    ])
    const offered = async (query: string): Promise<string[]> =>
      (await shop.app.inject(`/api/slot?${query}`)).json().map(({ _id }: { _id: string }) => _id)
    assert.deepEqual(await offered('kind=delivery&postcode=3000'), ['now', 'far'])
    assert.equal((await offered('kind=delivery&postcode=2000')).length, 200)
    assert.deepEqual(await offered('kind=delivery&postcode=9'), [])
    const fulfilment = { kind: 'delivery', slot: 'near-0', address: { ...address, postcode: '3000' } }
    const refused = await shop.place({ lines: linesOf({ ice: 1 }), fulfilment })
    assert.deepEqual(
      refused.json().error.slots.map(({ _id }: { _id: string }) => _id),
      ['now', 'far'],
    )
  })

test('PostgreSQL: statements of the shop are not compiled', { skip: withoutPostgres }, async () => {
  await using t = await testPostgres()
  assert.deepEqual(await rows(t.db, sql`select current_setting('jit') as jit`), [{ jit: 'off' }])
})
