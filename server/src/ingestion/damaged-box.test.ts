import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import pino from 'pino'
import { rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { testDatabases } from '#server/testing/database.ts'
import { historyOf, kindsOf, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import { ingestMessages, ingestReadings, type Message } from './ingest-readings.ts'

/** A log that is kept, line by line. */
function keptLog() {
  const lines: { box?: string; msg: string }[] = []
  const kept = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { lines, log: pino(kept) }
}

function message(box: string, i: number): Message {
  const { box: _, ...reading } = readingAt(i)
  return { box, payload: Buffer.from(JSON.stringify(reading)) }
}

const IDS = ['BOX-1', 'BOX-2', 'BOX-3']
const GREW = ['registration', 'tracking', 'freshness']

for (const [name, open] of testDatabases) {
  for (const [what, damage] of [
    ['a head that is no hash', { head: 'no hash' }],
    ['a count that its records have passed', { count: 0 }],
    ['a head and a summary that are none', { head: '', summary: sql`'7'::jsonb` }],
  ] as const)
    test(`${name}: ${what} harms its own box only: its readings are refused, and the log names it`, async () => {
      await using shop = await shopWithBoxes(IDS, { open })
      const { lines, log } = keptLog()
      const deps = { ...shop.deps, log }
      const [whole] = await deps.db.select().from(boxes).where(eq(boxes.id, 'BOX-2'))
      await deps.db.update(boxes).set(damage).where(eq(boxes.id, 'BOX-2'))
      const told = await ingestMessages(
        deps,
        IDS.map((box) => message(box, 0)),
      )
      assert.deepEqual([told[0], told[2]], [null, null], 'stored')
      assert.match(String(told[1]), /"path":"box","message":"The history of this box is damaged/)
      const batch = await ingestReadings(
        deps,
        [...IDS, 'NOPE'].map((box) => ({ input: readingAt(1, { box }) })),
      )
      assert.deepEqual(
        batch.flat().map((outcome) => (typeof outcome === 'string' ? outcome : 'refused')),
        ['accepted', 'refused', 'accepted', 'refused'],
      )
      assert.deepEqual(deps.ingestion.counts, { accepted: 4, duplicate: 0, refused: 3 })
      for (const box of ['BOX-1', 'BOX-3'])
        assert.deepEqual(await kindsOf(deps.db, box), [...GREW, 'tracking', 'freshness'])
      assert.deepEqual(
        lines.map(({ box, msg }) => [box, msg]),
        Array(2).fill(['BOX-2', 'a box is damaged: its readings are rejected']),
      )
      assert.ok(whole)
      const { labelNumber: _, ...columns } = whole // an identity can't be written
      await deps.db.update(boxes).set(columns).where(eq(boxes.id, 'BOX-2'))
      assert.deepEqual(await ingestMessages(deps, [message('BOX-2', 0)]), [null], 'repaired, it is taken')
      await historyOf(deps.db, 'BOX-2')
    })

  test(`${name}: readings that fail for a reason not the box’s own are not acknowledged, and are sent again`, async () => {
    await using shop = await shopWithBoxes(IDS, { open })
    const { lines, log } = keptLog()
    const deps = { ...shop.deps, log }
    await rows(
      deps.db,
      sql`create function not_now() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`,
    )
    await rows(
      deps.db,
      sql`create trigger not_now before update on boxes for each row when (old.id = 'BOX-2') execute function not_now()`,
    )
    const told = await ingestMessages(
      deps,
      IDS.map((box) => message(box, 0)),
    )
    assert.deepEqual([told[0], told[2]], [null, null])
    assert.match(String(told[1]), /^Error: box BOX-2 cannot be written to$/)
    assert.deepEqual(
      lines.map(({ box, msg }) => [box, msg]),
      [['BOX-2', 'a box cannot be written to']],
    )
    assert.deepEqual(await kindsOf(deps.db, 'BOX-2'), ['registration'], 'nothing of it is stored')
    await rows(deps.db, sql`drop trigger not_now on boxes`)
    const again = await ingestMessages(
      deps,
      IDS.map((box) => message(box, 0)),
    )
    assert.deepEqual(again, [null, null, null])
    for (const box of IDS) assert.deepEqual(await kindsOf(deps.db, box), GREW, 'once')
  })

  test(`${name}: an unwritable database rejects no reading: all may be sent again`, async () => {
    await using shop = await shopWithBoxes(IDS, { open })
    await rows(shop.deps.db, sql`alter table records rename to elsewhere`)
    const told = await ingestMessages(
      shop.deps,
      IDS.map((box) => message(box, 0)),
    )
    assert.ok(told.every((one) => one instanceof Error))
    await rows(shop.deps.db, sql`alter table elsewhere rename to records`)
    assert.deepEqual(await ingestMessages(shop.deps, [message('BOX-1', 0)]), [null])
  })
}
