import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { keyTypes, parseNote, parseVerifierKey } from '@befaqt/provenance/log/note'
import { cosign } from '@befaqt/provenance/log/signed-checkpoint'
import { MAX_SUMMARY_BYTES } from '@befaqt/provenance/summary'
import { newSigner } from '@befaqt/provenance/testing/log'
import { partiesOf, policyOf } from '@befaqt/provenance/testing/logged-shop'
import { type SummaryTerms, verifySummary } from '@befaqt/provenance/verify-summary'
import { eq, sql } from 'drizzle-orm'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { pruneNodes } from '#server/anchoring/box-map.ts'
import { keepCosignatures, newestSigned } from '#server/anchoring/log/cosignatures.ts'
import { followAnchors } from '#server/anchoring/log/sign-log.ts'
import { rows } from '#server/db/client.ts'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { logSettings } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { type TestDb, testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { appendRecords } from './records/add-records.ts'

const market = newSigner('market.example/w', keyTypes.ed25519Cosigner)

/** A shop that signs its log, and what a stranger gets of the summary of a box. */
async function loggingShop(open: () => Promise<TestDb>) {
  const shop = await testShop({ open })
  const { db, chain } = shop.deps
  const world = anchoringWorld(db, chain)
  const follow = followAnchors(logSettings())
  const nowS = (): number => Math.floor(world.deps.now().getTime() / 1000)
  const get = (box: string) => shop.app.inject({ url: `/api/box/${box}/summary` })
  return {
    shop,
    db,
    anchor: async (): Promise<void> => {
      await world.pass()
      await follow(world.deps)
      world.later(60)
    },
    /** As a box is measured: a record, and what cards show. */
    measure: async (box: string, freshnessIndex: number): Promise<void> => {
      const data = { freshnessIndex, time: '2026-11-21 12:00:00', conf_iot: 1, conf_img: 0, conf_enose: 0 }
      const fact = { kind: 'freshness', at: data.time, by: 'shop', data } as const
      await db.transaction((tx) => appendRecords(tx, box, [fact]))
      await db
        .update(boxes)
        .set({ summary: sql`jsonb_build_object('freshnessIndex', ${freshnessIndex}::float)` })
        .where(eq(boxes.id, box))
    },
    sign: async (): Promise<void> => {
      const newest = await newestSigned(db, logSettings().origin)
      assert.ok(newest)
      const checkpoint = parseCheckpoint(parseNote(newest.note).text)
      const line = cosign(checkpoint, market, nowS())
      await keepCosignatures(db, newest, [{ key: market.key, timeS: nowS(), line }])
    },
    policy: async () => {
      const [log] = await db.select().from(anchorLogs)
      const key = parseVerifierKey(log?.key ?? '')
      return policyOf([...partiesOf([market], { ...market, key }), 'quorum market', ''].join('\n'))
    },
    read: async (box: string, terms: SummaryTerms = {}) => {
      const { statusCode, body } = await get(box)
      assert.equal(statusCode, 200, body)
      assert.ok(Buffer.byteLength(body) <= MAX_SUMMARY_BYTES)
      const { verdict, code, freshness, log } = await verifySummary(body, { box, nowS: nowS(), ...terms })
      assert.deepEqual([verdict, code], ['proven', null])
      return { freshness, log, body }
    },
    refusal: async (box: string): Promise<string> => {
      const reply = await get(box)
      const { v, box: named, none, error } = reply.json()
      if (error !== undefined) return `${reply.statusCode} ${error.code}`
      assert.deepEqual([reply.statusCode, v, named], [200, 2, box])
      return none
    },
  }
}

for (const [kind, open] of testDatabases) {
  test(`${kind}: the newest freshness that the log holds is proven to strangers, up to its checkpoint, under their policy`, async () => {
    const { shop, db, anchor, measure, sign, policy, read, refusal } = await loggingShop(open)
    await using _ = shop
    await addBox(db, 'a')
    await addRecords(db, 'a', 5)
    await measure('a', 0.25)
    assert.match(await refusal('a'), /No state of it is in the log/)
    await anchor()
    const first = await read('a')
    assert.deepEqual([first.freshness?.seq, first.freshness?.index], [6, 0.25])
    assert.deepEqual([first.log.state, first.log.upTo], ['no_policy', 6])
    await addBox(db, 'b')
    await addRecords(db, 'b', 1)
    await anchor()
    await sign()
    const quiet = await read('a', { policy: await policy() })
    assert.deepEqual([quiet.log.state, quiet.log.k, quiet.log.n], ['witnessed', 1, 1])
    assert.notEqual(quiet.log.time, first.log.time, 'the box in the newest anchor, where it did not grow')
    assert.match(await refusal('b'), /lies too far back/)

    // Records that follow are shown with it, up to twenty
    await addRecords(db, 'a', 3)
    await anchor()
    await sign()
    const later = await read('a', { policy: await policy() })
    assert.deepEqual([later.freshness?.seq, later.log.upTo, later.log.state], [6, 9, 'witnessed'])
    await addRecords(db, 'a', 18)
    await anchor()
    await sign()
    assert.match(await refusal('a'), /lies too far back/)
    await measure('a', 0.5)
    assert.match(await refusal('a'), /too far back|waits for the log/)
    await anchor()
    await sign()
    assert.equal((await read('a')).freshness?.index, 0.5)

    // What cards show since is not in the log yet, or was changed there
    await measure('a', 0.75)
    assert.match(await refusal('a'), /waits for the log/)
    await anchor()
    await sign()
    assert.equal((await read('a')).freshness?.index, 0.75)
    await db.update(boxes).set({ offSaleAt: new Date() }).where(eq(boxes.id, 'a'))
    assert.match(await refusal('a'), /recalled or off sale/)
    assert.match(await refusal('none'), /^404 box\.not_found$/)
  })

  test(`${kind}: where the newest map is not kept the one before is shown; a changed row is passed on and seen`, async () => {
    const { shop, db, anchor, measure, sign, read } = await loggingShop(open)
    await using _ = shop
    await addBox(db, 'a')
    await measure('a', 0.25)
    await addBox(db, 'b')
    await addRecords(db, 'b', 1)
    await anchor()
    await sign()
    await addRecords(db, 'b', 1)
    await anchor()
    const signed = await read('a')
    await db.transaction((tx) => pruneNodes(tx, 1))
    const newest = await read('a')
    assert.deepEqual([signed.log.upTo, newest.log.upTo], [1, 1])
    assert.ok(String(newest.log.time) > String(signed.log.time), 'the next checkpoint whose map is here')
    await rows(
      db,
      sql`update records set body = replace(body, '0.25', '0.05') where box_id = 'a' and kind = 'freshness'`,
    )
    await rows(db, sql`update boxes set summary = '{"freshnessIndex":0.05}' where id = 'a'`)
    const { statusCode, body } = await shop.app.inject({ url: '/api/box/a/summary' })
    assert.equal(statusCode, 200, body)
    assert.deepEqual((await verifySummary(body)).code, 'head_mismatch')
  })

  test(`${kind}: a Box as it is imported has one, which browsers may keep and have to revalidate`, async () => {
    const { shop, anchor, read } = await loggingShop(open)
    await using _ = shop
    const { key } = await shop.deps.db.transaction((tx) =>
      createApiKey(tx, { name: 'import', rights: ['box:write'] }, 'test', shop.deps.now()),
    )
    const box = sampleBox()
    const reply = await shop.app.inject({
      method: 'POST',
      url: '/api/box',
      headers: { authorization: `Bearer ${key}` },
      payload: box,
    })
    assert.equal(reply.statusCode, 201, reply.body)
    await anchor()
    const { freshness, body } = await read(box.boxID)
    assert.equal(freshness?.index, box.freshness.at(-1)?.freshnessIndex)
    const url = `/api/box/${box.boxID}/summary`
    const { headers } = await shop.app.inject({ url, headers: { origin: 'https://market.example' } })
    assert.equal(headers['access-control-allow-origin'], '*')
    const again = await shop.app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
    assert.doesNotMatch(body, /"tracking"/, 'no reading comes with it')
  })
}
