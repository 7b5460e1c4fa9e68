import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import { LIST_END } from '@befaqt/domain/list-place'
import { and, type SQL, sql } from 'drizzle-orm'
import { numeric, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { testDatabases } from '#server/testing/database.ts'
import type { Db } from './client.ts'
import { countListed, falling, type KeysetList, keysetPage, rising } from './keyset.ts'

const things = pgTable('things', {
  id: text().primaryKey(),
  at: timestamp({ withTimezone: true }).notNull(),
  name: text().notNull(),
  amount: numeric({ precision: 12, scale: 3, mode: 'number' }),
})
type Row = { id: string; at: string }

const lists = {
  time: [falling(things.at), falling(things.id)],
  name: [rising(things.name), rising(things.id)],
  mixed: [falling(things.at), rising(things.id)],
  'nothing last': [rising(things.amount), rising(things.id)],
  'nothing first': [falling(things.amount), falling(things.id)],
  three: [falling(sql`(${things.name} = 'b')`, 'boolean'), falling(things.at), falling(things.id)],
} as const satisfies Record<string, KeysetList['keys']>

/** Things of which many are alike: times that differ by a microsecond, names, amounts that some don't have. */
async function seed(db: Db): Promise<void> {
  await db.execute(
    sql`create table things (id text primary key, at timestamptz not null, name text not null, amount numeric(12, 3))`,
  )
  await db.execute(sql`insert into things
    select 't' || lpad(i::text, 3, '0'), '2026-11-01T00:00:00.000Z'::timestamptz + (i / 3) * interval '1 microsecond',
      chr(97 + i % 4) || case when i % 7 = 0 then 'É' else '' end,
      case when i % 5 = 0 then null else (i % 6) / 8.0 end
    from generate_series(1, 95) i`)
}

const pageOf = (db: Db, list: KeysetList, query: ListPlace, where?: SQL): Promise<Paged<Row>> =>
  keysetPage(
    query,
    list,
    (part) =>
      db
        .select({ id: things.id, at: part.at })
        .from(things)
        .where(and(where, part.where))
        .orderBy(...part.order)
        .limit(part.limit)
        .offset(part.offset),
    (beyond) => countListed(db, things, where, beyond),
  )

const idsOf = ({ rows }: { rows: readonly Row[] }): string[] => rows.map(({ id }) => id)

for (const [name, open] of testDatabases) {
  test(`${name}: a walk by places meets each row once, in the order of the list, forth and back, and counts its pages`, async () => {
    await using database = await open()
    const { db } = database
    await seed(db)
    for (const [what, keys] of Object.entries(lists)) {
      const list: KeysetList = { keys, of: ['things', { what }] }
      const whole = idsOf(await pageOf(db, list, { size: 95 }))
      const there: string[] = []
      for (let at: string | null | undefined; at !== null; ) {
        const page = await pageOf(db, list, { size: 10, ...(at !== undefined && { after: at }) })
        assert.deepEqual([page.first, page.total], [there.length + 1, 95], what)
        assert.equal(page.page, Math.floor(there.length / 10) + 1, what)
        there.push(...idsOf(page))
        at = page.next ?? null
      }
      assert.deepEqual(there, whole, what)
      const back: string[] = []
      for (let at: string | null = LIST_END; at !== null; ) {
        const page: Paged<Row> = await pageOf(db, list, { size: 10, before: at })
        back.unshift(...idsOf(page))
        assert.equal(page.first, 95 - back.length + 1, what)
        assert.equal(page.next === null, at === LIST_END, what)
        at = page.prev ?? null
      }
      assert.deepEqual(back, whole, what)
      const [first, second] = [
        await pageOf(db, list, { size: 10 }),
        await pageOf(db, list, { size: 10, page: 2 }),
      ]
      assert.deepEqual([first.prev, idsOf(second), second.first], [null, whole.slice(10, 20), 11], what)
      assert.deepEqual(
        idsOf(await pageOf(db, list, { size: 10, before: `${second.prev}` })),
        idsOf(first),
        what,
      )
    }
  })

  test(`${name}: what comes and goes while somebody pages is not shown twice, and hides nothing else`, async () => {
    await using database = await open()
    const { db } = database
    await seed(db)
    const list: KeysetList = { keys: lists.time, of: ['things', {}] }
    const whole = idsOf(await pageOf(db, list, { size: 95 }))
    const first = await pageOf(db, list, { size: 20 })
    await db.execute(
      sql`insert into things values ('new', '2026-11-02', 'n', 1), ('newer', '2026-11-03', 'n', 1)`,
    )
    const [last = ''] = idsOf(first).slice(-1)
    await db.execute(sql`delete from things where id in (${last}, ${whole[3]})`)
    const second = await pageOf(db, list, { size: 20, after: `${first.next}` })
    assert.deepEqual(idsOf(second), whole.slice(20, 40), 'also where the row that it goes on after is gone')
    assert.deepEqual([second.first, second.total], [21, 95], 'two came before it, and two went')
    const again = await pageOf(db, list, { size: 20, before: `${second.prev}` })
    assert.deepEqual(idsOf(again), ['newer', 'new', ...whole.slice(0, 19).filter((id) => id !== whole[3])])
    assert.equal(again.prev, null)
    await db.execute(sql`delete from things where at <= '2026-11-01T00:00:00.000020Z'`)
    const deep = await pageOf(db, list, { size: 20, after: `${second.next}` })
    assert.equal(deep.next, null)
    const gone = await pageOf(db, list, { size: 20, after: `${deep.next ?? second.next}`, page: undefined })
    assert.deepEqual(idsOf(gone), idsOf(deep))
    await db.execute(sql`delete from things where at < '2026-11-02'`)
    const empty = await pageOf(db, list, { size: 20, after: `${second.next}` })
    assert.deepEqual([empty.rows, empty.total, empty.next, empty.prev], [[], 2, null, LIST_END])
  })

  test(`${name}: rows are counted up to 10,000, and pages have numbers as far`, async () => {
    await using database = await open()
    const { db } = database
    await seed(db)
    await db.execute(sql`insert into things select 'm' || i, '2026-10-01'::timestamptz - i * interval '1 s', 'm', i
      from generate_series(1, 9905) i`)
    const list: KeysetList = { keys: lists.time, of: ['things', {}] }
    const exact = await pageOf(db, list, { size: 50, page: 200 })
    assert.deepEqual([exact.total, exact.atLeast, exact.first, exact.next], [10_000, undefined, 9_951, null])
    await db.execute(sql`insert into things values ('one more', '2026-11-02', 'n', 1)`)
    const many = await pageOf(db, list, { size: 50, page: 200 })
    assert.deepEqual([many.total, many.atLeast, many.first], [10_000, true, 9_951])
    const on = await pageOf(db, list, { size: 50, after: `${many.next}` })
    assert.deepEqual([idsOf(on), on.first, on.page, on.next], [['m9905'], undefined, 0, null])
    const end = await pageOf(db, list, { size: 2, before: LIST_END })
    assert.deepEqual([idsOf(end), end.first, end.next], [['m9904', 'm9905'], undefined, null])
    const narrowed = await pageOf(db, { ...list, of: ['things', { n: 1 }] }, { size: 50 }, sql`name = 'n'`)
    assert.deepEqual([narrowed.total, narrowed.atLeast], [1, undefined])
    await assert.rejects(pageOf(db, list, { size: 50, page: 201 }), refusedAt('page'))
  })

  test(`${name}: a place of another order, filter or list, and what is none, is refused where it stands`, async () => {
    await using database = await open()
    const { db } = database
    await seed(db)
    const list: KeysetList = { keys: lists.time, of: ['things', { name: 'a' }] }
    const { next } = await pageOf(db, list, { size: 10, page: 2 })
    const [after, before] = [`${next}`, `${next}`]
    for (const other of [
      { ...list, of: ['things', { name: 'b' }] },
      { ...list, of: ['others', { name: 'a' }] },
      { ...list, keys: [rising(things.at), rising(things.id)] },
    ] as KeysetList[])
      for (const query of [{ after }, { before }])
        await assert.rejects(
          pageOf(db, other, query),
          refusedAt(Object.keys(query)[0] ?? '', /another order/),
        )
    const said = JSON.parse(Buffer.from(after, 'base64url').toString())
    const odd = (...values: unknown[]) =>
      Buffer.from(JSON.stringify([said[0], ...values])).toString('base64url')
    for (const place of [
      'x',
      'W10',
      odd(),
      odd(said[1]),
      odd(said[1], said[2], said[2]),
      odd('2026-99-99T00:00:00.000000Z', said[2]),
      odd("'; drop table things; --", said[2]),
      odd(said[1], null),
      odd(said[1], 7),
      odd(said[1], 'a\0'),
      odd(said[1], 'x'.repeat(1_001)),
    ])
      await assert.rejects(pageOf(db, list, { after: place }), refusedAt('after', /no place/), place)
    await assert.rejects(pageOf(db, list, { after, before }), refusedAt('before'))
    await assert.rejects(pageOf(db, list, { after, page: 1 }), refusedAt('page'))
  })
}

const refusedAt =
  (path: string, message = /./) =>
  (error: unknown): boolean => {
    const { code, fields } = error as { code: string; fields: { path: string; message: string }[] }
    assert.deepEqual([code, fields.map((field) => field.path)], ['input.invalid', [path]])
    assert.match(fields[0]?.message ?? '', message)
    return true
  }
