import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChain } from '@befaqt/domain/api/endpoints/boxes'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'

for (const [name, open] of testDatabases)
  test(`${name}: whatever grew when, a stranger verifies every box through the door, and old maps are not kept`, async () => {
    await using shop = await testShop({ open })
    const { db, chain } = shop.deps
    const world = anchoringWorld(db, chain)
    const boxes = ['busy', 'quiet', 'sealed-early', 'sealed-late', 'late']
    const verdicts = async (): Promise<string[]> => {
      const reader = rpcLedger(`${address}${readChain.url}`, fetch, {
        contract: (await world.ledger()).contract,
      })
      return Promise.all(
        boxes.map(async (box) => {
          const reply = await shop.app.inject(`/api/box/${box}/proof`)
          return (await verifyBundle(reply.json(), reader)).verdict
        }),
      )
    }
    const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    for (const box of boxes) await addBox(db, box)
    for (const box of boxes.slice(0, 4)) await addRecords(db, box, 2, box === 'sealed-early')
    await world.pass()
    for (let i = 0; i < 6; i++) {
      await addRecords(db, 'busy', 3)
      if (i === 2) await addRecords(db, 'sealed-late', 1, true)
      if (i === 3) await addRecords(db, 'late', 1)
      await world.pass()
    }
    assert.deepEqual(
      await verdicts(),
      boxes.map(() => 'verified'),
    )
    const [kept] = await rows<{ oldest: number; now: number }>(
      db,
      sql`select (select min(removed_at) from removed_map_nodes) as oldest, count(*)::int as now
          from map_nodes where value not in (select value from removed_map_nodes)`,
    )
    assert.equal(kept?.oldest, 6, 'what the newest anchor has removed is kept for the one before')
    assert.ok(kept.now > boxes.length)

    await addRecords(db, 'busy', 1)
    assert.equal((await verdicts())[0], 'verified-up-to', 'the newest record is pending')
  })
