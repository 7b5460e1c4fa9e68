import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChain } from '@befaqt/domain/api/endpoints/boxes'
import { audit } from '@befaqt/provenance/audit/audit'
import { shopAnchors } from '@befaqt/provenance/audit/shop-anchors'
import { EMPTY, MapNodes, updateMap } from '@befaqt/provenance/box-map'
import { type AnchorChanges, parseAnchorChanges } from '@befaqt/provenance/bundle-parts'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyAbsence } from '@befaqt/provenance/verify'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'

for (const [name, open] of testDatabases) {
  test(`${name}: a stranger follows the box map by what changed at each anchor, and gets every root of the ledger`, async () => {
    await using shop = await testShop({ open })
    const { db, chain } = shop.deps
    const world = anchoringWorld(db, chain)
    const get = async (url: string) => {
      const reply = await shop.app.inject(url)
      assert.equal(reply.statusCode, 200, reply.body)
      return reply.json()
    }
    const many = 1_200
    await rows(
      db,
      sql`insert into boxes (id, count, head)
          select 'Ä ' || i, 1, encode(sha256(i::text::bytea), 'hex') from generate_series(1, ${many}::int) i`,
    )
    await world.pass()
    for (let i = 0; i < 3; i++) {
      await addBox(db, `b${i}`)
      for (const box of ['b0', `b${i}`]) await addRecords(db, box, 1)
      await world.pass()
    }
    const nodes = new MapNodes()
    let root = EMPTY
    const { anchors } = await get('/api/anchor')
    assert.equal(anchors.length, 4)
    const { contract } = await world.ledger()
    for (const listed of anchors) {
      const leaves: AnchorChanges['leaves'][number][] = []
      let after = ''
      do {
        const {
          leaves: page,
          next,
          ...facts
        } = parseAnchorChanges(await get(`/api/anchor/${listed.index}?after=${encodeURIComponent(after)}`))
        assert.deepEqual(facts, listed)
        leaves.push(...page)
        after = next ?? ''
      } while (after !== '')
      const update = updateMap(nodes, root, leaves)
      root = update.root
      assert.equal((await chain.anchorOf(contract, listed.index))?.root, root)
    }
    assert.deepEqual(await get('/api/anchor?from=3'), { anchors: anchors.slice(3) })
    for (const wrong of ['4', '-1', '99999999999', 'x'])
      assert.equal((await shop.app.inject(`/api/anchor/${wrong}`)).statusCode, 404, wrong)
    assert.equal((await shop.app.inject('/api/anchor?from=x')).statusCode, 400)
  })

  test(`${name}: whoever follows gets the hashes of all new records, in pages also within a box, and every head from them`, async () => {
    await using shop = await testShop({ open })
    const { db, chain } = shop.deps
    const world = anchoringWorld(db, chain)
    for (const box of ['b0', 'long', 'z']) await addBox(db, box)
    const grow = async (box: string, n: number) => {
      for (let left = n; left > 0; left -= 5_000) await addRecords(db, box, Math.min(left, 5_000))
    }
    for (const box of ['b0', 'z']) await grow(box, 3)
    await grow('long', 20_005)
    await world.pass()
    await grow('b0', 2)
    await world.pass()
    const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { contract } = await world.ledger()
    const ledger = rpcLedger(`${address}${readChain.url}`, fetch, { contract })
    const told = shopAnchors(address)
    const pages: string[] = []
    const changesAt = async function* (index: number) {
      for await (const page of told.changesAt(index)) {
        pages.push(page.leaves.map(({ box, records }) => `${box} ${records.length}`).join(', '))
        yield page
      }
    }
    const { state } = await audit({ ...told, changesAt }, ledger, undefined, Math.floor(Date.now() / 1000))
    assert.deepEqual([state.next, state.states.length, state.findings], [2, 3, []])
    assert.deepEqual(pages, ['b0 3, long 9997', 'long 10000', 'long 8, z 3', 'b0 2'])

    // A row that was changed in its place
    const [row] = await rows<{ hash: string }>(
      db,
      sql`update records set record_hash = repeat('ab', 32) where box_id = 'b0' and seq = 5 returning record_hash as hash`,
    )
    assert.ok(row)
    const { state: after } = await audit(told, ledger, undefined, Math.floor(Date.now() / 1000))
    assert.deepEqual(
      after.findings.map(({ code, box, index }) => [code, box, index]),
      [['not_following', 'b0', 1]],
    )
    assert.equal((await shop.app.inject('/api/anchor/0?after=long&record=0')).statusCode, 400)
  })

  test(`${name}: that there never was a box is proven, and not of one that there is`, async () => {
    await using shop = await testShop({ open })
    const { db, chain } = shop.deps
    const world = anchoringWorld(db, chain)
    const absence = (box: string) => shop.app.inject(`/api/box/${box}/absence`)
    assert.equal((await absence('b0')).statusCode, 503, 'nothing is anchored yet')
    for (const box of ['b0', 'b1', 'b2']) {
      await addBox(db, box)
      await addRecords(db, box, 1)
    }
    await world.pass()
    const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { contract } = await world.ledger()
    const reader = rpcLedger(`${address}${readChain.url}`, fetch, { contract })
    for (let i = 0; i < 20; i++) {
      const reply = await absence(`forged-${i}`)
      assert.equal(reply.statusCode, 200, reply.body)
      assert.equal((await verifyAbsence(reply.json(), reader)).verdict, 'absent')
      const moved = { ...reply.json(), box: 'b0' }
      assert.equal((await verifyAbsence(moved, reader)).verdict, 'broken')
    }
    assert.equal((await absence('b0')).statusCode, 409)
    const kept = (await absence('b3')).json()
    await addBox(db, 'b3')
    await addRecords(db, 'b3', 1)
    assert.equal((await absence('b3')).statusCode, 200, 'until it is anchored')
    await world.pass()
    assert.equal((await absence('b3')).statusCode, 409)
    assert.equal((await verifyAbsence(kept, reader)).verdict, 'incomplete')
  })
}
