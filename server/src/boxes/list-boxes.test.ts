import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { listManagedBoxes } from '#server/boxes/managing/managed-boxes.ts'
import type { Db } from '#server/db/client.ts'
import { testDatabases } from '#server/testing/database.ts'
import { rowsRead } from '#server/testing/rows-read.ts'
import { boxesFound, listBoxes } from './list-boxes.ts'

const ZONE = 'Australia/Sydney'
/** More than are looked up one by one are snappers. */
const BOXES = 3_000
/** So many that to read all of them is not the shortest way. */
const MANY = 20_000
/** Boxes of every day before this one; each tenth is a snapper, the last an octopus. */
async function seed(db: Db, boxes = BOXES): Promise<void> {
  await db.execute(sql`insert into boxes (id, head, species, trader, caught_at, created_at, updated_at)
    select 'B' || lpad(i::text, 7, '0'), '', case when i = ${boxes} then 'Octopus' when i % 2 = 0 then 'Snapper' else 'Flathead' end,
      case when i % 500 = 0 then 'Zoë Fisheries' else 'Others' end,
      now() - i * interval '1 day', now() - i * interval '1 minute', now() - i * interval '1 minute'
    from generate_series(1, ${boxes}) i`)
  await db.execute(sql`analyze boxes`)
  await db.execute(sql`analyze box_search`)
}

const ids = ({ rows }: { rows: readonly { boxID: string }[] }): string[] => rows.map(({ boxID }) => boxID)

for (const [name, open] of testDatabases)
  test(`${name}: boxes are found by index, the newest first, and counted up to a bound`, async () => {
    await using database = await open()
    const { db } = database
    await seed(db)
    const find = (q: string, page = 1) => listBoxes(db, ZONE, { page, size: 20, q })
    const all = await find('')
    assert.deepEqual([ids(all)[0], all.total, all.atLeast], ['B0000001', BOXES, undefined])
    assert.deepEqual(ids(await find('', 150)).length, 20)
    const snappers = await find('snapp')
    assert.deepEqual(
      [ids(snappers).slice(0, 2), snappers.total, snappers.atLeast],
      [['B0000002', 'B0000004'], 1_000, true],
    )
    assert.deepEqual([ids(await find('octopus')), (await find('OCTO')).total], [['B0003000'], 1])
    assert.deepEqual(
      ids(await find('b00029')).slice(0, 1),
      ['B0002900'],
      'part of a number, the newest first',
    )
    assert.equal(ids(await find('B0001234'))[0], 'B0001234')
    await db.execute(
      sql`insert into boxes (id, head, created_at) values ('B0', '', now() - interval '10 years')`,
    )
    assert.deepEqual(
      [ids(await find('B0')).slice(0, 2), ids(await find('B0', 2))[0]],
      [['B0', 'B0000001'], 'B0000020'],
      'the box that is named comes before all others, once, however many there are',
    )
    await db.execute(sql`delete from boxes where id = 'B0'`)
    assert.equal((await find('oc')).total, 0, 'two letters: what begins with them')
    assert.equal((await find('b0')).total, 1_000)
    assert.equal((await find('zoe')).total, 0, 'a trader is not looked for in public')
    const managed = await listManagedBoxes(db, { q: 'zoe fish' }, null)
    assert.deepEqual([managed.total, managed.rows[0]?.boxID], [6, 'B0000500'])
    await db.execute(sql`update boxes set species = 'Squid' where id = 'B0000007'`)
    assert.deepEqual(ids(await find('squid')), ['B0000007'], 'a new name is found')
    assert.equal((await listManagedBoxes(db, { q: 'flathead', page: 3 }, null)).rows.length, 50)
    await db.execute(sql`delete from boxes where id = 'B0000007'`)
    assert.equal((await find('squid')).total, 0)
  })

for (const [name, open] of testDatabases)
  test(`${name}: of many boxes with a word the one that is named comes first, then those that were changed last`, async () => {
    await using database = await open()
    const { db } = database
    await seed(db)
    await db.execute(sql`update boxes set trader = 'B0003000 and Sons' where id <= 'B0001500'`)
    const found = async (q: string) => (await boxesFound(db, q, 3)).map(({ boxID }) => boxID)
    assert.deepEqual(await found('snapper'), ['B0000002', 'B0000004', 'B0000006'])
    assert.deepEqual(await found('b0003000'), ['B0000001', 'B0000002', 'B0000003'], 'numbers are as written')
    assert.deepEqual(await found('B0003000'), ['B0003000', 'B0000001', 'B0000002'])
    assert.deepEqual(await found('zoe fisheries snapper'), [])
  })

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: of words that many boxes have those that were changed last are counted once`, async () => {
    await using database = await open()
    await seed(database.db, MANY)
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`)
      const found = async (search: () => Promise<unknown>) =>
        (await rowsRead(tx, ['box_search'], search)).box_search
      // Until it is known that most have it, and that a thousand and one have, and a page: of each second box, and of each.
      const list = await found(() => listBoxes(tx, ZONE, { size: 20, q: 'snapper' }))
      assert.ok(list <= 40 + 2_002 + 2 * 21, `${list}`)
      const managed = await found(() => listManagedBoxes(tx, { size: 20, q: 'others' }, null))
      assert.ok(managed <= 20 + 1_003 + 21 + 3, `${managed}`)
      const few = await found(() => boxesFound(tx, 'others', 5))
      assert.ok(few <= 40, `${few}`)
    })
  })

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: no search of boxes reads half of them`, async () => {
    await using database = await open()
    await seed(database.db, MANY)
    for (const q of ['octopus', 'snapper', 'others', 'B0001234', 'b00029', 'oc', 'no such fish'])
      await database.db.transaction(async (tx) => {
        await tx.execute(sql`set local enable_seqscan = off`) // so many are few enough to be read until a page is full
        const searches = [
          () => listBoxes(tx, ZONE, { page: 1, size: 20, q }),
          () => listManagedBoxes(tx, { q }, null),
          () => boxesFound(tx, q, 5),
        ]
        for (const [i, search] of searches.entries()) {
          const read = await rowsRead(tx, ['boxes', 'box_search'], search)
          assert.ok(Math.max(...Object.values(read)) <= MANY / 2, `${q}, ${i}: ${JSON.stringify(read)}`)
        }
      })
  })
