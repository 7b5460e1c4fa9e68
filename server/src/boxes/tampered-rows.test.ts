import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChain } from '@befaqt/domain/api/endpoints/boxes'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { parseJsonText } from '@befaqt/provenance'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { anchoringWorld } from '#server/testing/anchoring.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'

const { boxID } = sampleBox()
const record = sql`box_id = ${boxID} and seq = 4`
const newest = sql`box_id = ${boxID} and seq = (select max(seq) from records where box_id = ${boxID})`

/** What somebody writes into the database, past the shop, and what a visitor's check says of it. */
const edits = {
  'a value in a record': [
    sql`update records set body = replace(body, '"latitude":', '"latitude":1') where ${record}`,
    'broken',
  ],
  'the hash of a record': [
    sql`update records set record_hash = repeat('0', 64) where ${record}`,
    'verified', // the proof is made of the records; their stored hashes are no part of it
  ],
  'a record without its content': [sql`update records set body = null where ${record}`, 'verified'],
  'a record without its content, under another hash': [
    sql`update records set body = null, record_hash = repeat('0', 64) where ${record}`,
    'broken',
  ],
  'a record deleted in the middle': [sql`delete from records where ${record}`, 'broken'],
  'the newest record deleted': [sql`delete from records where ${newest}`, 'incomplete'],
  'a record behind the newest': [
    sql`insert into records (box_id, seq, kind, body, record_hash)
        select box_id, seq + 1, kind, replace(body, '"seq":' || seq, '"seq":' || (seq + 1)), repeat('0', 64)
        from records where ${newest}`,
    'verified-up-to',
  ],
  'a record that is markup': [
    sql`update records set body = '<script>alert(1)</script>' where ${record}`,
    'broken',
  ],
  'a record of 100,000 brackets': [
    sql`update records set body = repeat('[', 100000) where ${record}`,
    'broken',
  ],
  'the root of an anchor': [sql`update anchors set root = repeat('1', 64)`, 'broken'],
  'the time of an anchor': [sql`update anchors set block_time = block_time - 86400`, 'broken'],
  'the stage of the box': [sql`update boxes set stage = 'at sea' where id = ${boxID}`, 'verified'],
} as const

for (const [name, open] of testDatabases)
  test(`${name}: what is changed in the database past the shop shows in the check, and the page stays readable`, async () => {
    await using shop = await testShop({ open, deps: { now: () => new Date('2026-11-21T00:00:00Z') } })
    const { db, chain } = shop.deps
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    assert.equal((await admin('POST', '/api/box', sampleBox())).statusCode, 201)
    const world = anchoringWorld(db, chain)
    await world.pass()
    await world.pass()
    const url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { contract } = await world.ledger()
    const reader = rpcLedger(`${url}${readChain.url}`, fetch, { contract })
    const check = async () => {
      const page = await fetch(`${url}/api/box/${boxID}/page`)
      const proof = await fetch(`${url}/api/box/${boxID}/proof`)
      assert.match(String(proof.headers.get('content-type')), /^application\/json/)
      const bundle = await proof
        .text()
        .then(parseJsonText)
        .catch(() => 'unreadable')
      return { page: page.status, ...(await verifyBundle(bundle, reader)) }
    }
    const tables = ['records', 'anchors', 'boxes'] as const
    for (const table of tables)
      await rows(db, sql.raw(`create table kept_${table} as select * from ${table}`))
    assert.equal((await check()).verdict, 'verified')
    for (const [what, [edit, verdict]] of Object.entries(edits)) {
      await rows(db, edit)
      const told = await check()
      assert.deepEqual([told.page, told.verdict], [200, verdict], `${what}: ${JSON.stringify(told.reasons)}`)
      if (what === 'a record without its content') assert.equal(told.withheld, 1, 'and it is counted')
      await rows(
        db,
        sql`update anchors a set root = k.root, block_time = k.block_time
                         from kept_anchors k where k.index = a.index`,
      )
      await rows(db, sql`update boxes b set stage = k.stage from kept_boxes k where k.id = b.id`)
      await rows(db, sql`delete from records where box_id = ${boxID}`)
      await rows(db, sql`insert into records select * from kept_records`)
    }
    assert.equal((await check()).verdict, 'verified')
  })
