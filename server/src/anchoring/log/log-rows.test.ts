import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOfRow, leafHash, nodeHash, rootOf } from '@befaqt/provenance/log/tree'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { testDatabases } from '#server/testing/database.ts'
import { appendEntries, entriesOf, entryCount, logDifferences, rebuildTiles, rootAt } from './log-rows.ts'

const entry = (i: number): string => JSON.stringify({ i })
const leaf = (i: number) => leafHash(Buffer.from(entry(i)))

/** As RFC 9162 has it, without tiles. */
const plainRoot = (size: number) =>
  rootOf(size, async (level, index) =>
    hashOfRow(Array.from({ length: 2 ** level }, (_, i) => leaf(index * 2 ** level + i))),
  )

for (const [name, open] of testDatabases)
  test(`${name}: the tree of the log is that of its entries, however they came, and can be made anew`, async () => {
    await using database = await open()
    const { db } = database
    assert.deepEqual([await entryCount(db), await logDifferences(db)], [0, []])
    let size = 0
    for (const n of [1, 1, 3, 250, 1, 1, 300, 255, 213, 7]) {
      const entries = Array.from({ length: n }, (_, i) => entry(size + i))
      await db.transaction((tx) => appendEntries(tx, size, entries))
      size += n
      assert.equal(await entryCount(db), size)
      assert.deepEqual(await rootAt(db, size), await plainRoot(size), `${size} entries`)
    }
    for (const former of [0, 1, 2, 255, 256, 257, 512, 600])
      assert.deepEqual(await rootAt(db, former), await plainRoot(former), `the first ${former}`)
    assert.deepEqual(await entriesOf(db, 254, 258), [254, 255, 256, 257].map(entry))
    assert.deepEqual(await logDifferences(db), [])

    await rows(
      db,
      sql`update log_tiles set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)
                       where level = 0 and index = 1`,
    )
    await rows(db, sql`delete from log_tiles where level = 1`)
    await rows(db, sql`insert into log_tiles values (2, 0, decode(repeat('00', 32), 'hex'))`)
    assert.deepEqual(await logDifferences(db), [
      'tile 1 of level 0 is not what the entries give',
      'tile 0 of level 1 is not what the entries give',
    ])
    await rebuildTiles(db)
    assert.deepEqual(await logDifferences(db), [])
    assert.deepEqual(await rootAt(db, size), await plainRoot(size))

    await rows(db, sql`insert into log_tiles values (2, 0, decode(repeat('00', 32), 'hex'))`)
    assert.deepEqual(await logDifferences(db), ['there are 7 tiles, and the entries give 6'])
    await rows(db, sql`delete from log_tiles where level = 0 and index = 4`)
    await assert.rejects(
      db.transaction((tx) => appendEntries(tx, size, [entry(size)])),
      /tile 4 of level 0 of the log lacks hashes/,
    )
  })

test('a tree of two is a node of its leaves', async () => {
  assert.deepEqual(await plainRoot(2), nodeHash(leaf(0), leaf(1)))
})
