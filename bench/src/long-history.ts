/**
 * What the table of records costs as it grows: two private databases, of 1,000,000 and of 50,000,000 records in boxes of
 * 500, measured in turns, so that a busy machine is busy for both. It takes some 30 GB of disk and an hour, most of it for
 * writing: `nice -n 19 node bench/src/long-history.ts [records] [records]`. With 50,000,000 it answers whether partitions
 * are worth their cost (docs/decisions/0145).
 */
import { genesisHead, toHex } from '@befaqt/provenance'
import pg from 'pg'
import { readBox } from '../../server/src/boxes/read-records.ts'
import { appendRecords } from '../../server/src/boxes/records/add-records.ts'
import type { Database } from '../../server/src/db/client.ts'
import { readingOf } from './boxes.ts'
import { databasesNamed } from './databases.ts'
import { ms, row, tableHead } from './load-table.ts'
import { percentile } from './percentile.ts'
import { sized } from './sized.ts'

const BOX_RECORDS = sized(500, 20)
/** Boxes that grow at the same time: their records lie between each other. */
const AT_ONCE = sized(1_000, 20)
/** Records that a batch of a logger adds to a box. */
const BATCH = 20
const READS = sized(200, 3)
const APPENDS = sized(300, 3)

/** A database of so many records, with a connection whose statements may take long. */
type Grown = AsyncDisposable & { records: number; database: Database; client: pg.Client; loadedS: number }

/** Ids in no order, so that an index is written all over. */
const boxID = 'upper(substr(md5(n::text), 1, 12))'
const HEAD = toHex(genesisHead('bench'))

async function grown(records: number): Promise<Grown> {
  const [openPostgres] = databasesNamed(['postgres'])
  if (openPostgres === undefined) throw new Error('there is no PostgreSQL')
  const place = await openPostgres()
  const database = await place.open()
  const client = new pg.Client(place.env.DATABASE_URL)
  await client.connect()
  const began = performance.now()
  await fill(client, records)
  return {
    records,
    database,
    client,
    loadedS: (performance.now() - began) / 1_000,
    [Symbol.asyncDispose]: async () => {
      await client.end()
      await database.close()
      await place[Symbol.asyncDispose]()
    },
  }
}

/** Rows as the shop writes them, boxes side by side; keys are made once they are there. */
async function fill(client: pg.Client, records: number): Promise<void> {
  const { rows: keys } = await client.query<{ make: string; drop: string }>(
    `select format('alter table records drop constraint %I', conname) as drop,
        format('alter table records add constraint %I %s%s', conname, pg_get_constraintdef(oid),
          case contype when 'f' then ' not valid' else '' end) as make
     from pg_constraint where conrelid = 'records'::regclass
     union all
     select format('drop index %I', c.relname), pg_get_indexdef(i.indexrelid)
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'records'::regclass and not exists (select from pg_constraint where conindid = i.indexrelid)`,
  )
  for (const { drop } of keys) await client.query(drop)
  const boxes = records / BOX_RECORDS
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into boxes (id, head, count) select ${boxID}, '${HEAD}', ${BOX_RECORDS} from generate_series(1, ${boxes}) n`,
  )
  for (let first = 1; first <= boxes; first += AT_ONCE)
    await client.query(`insert into records (box_id, seq, kind, body, record_hash, dedupe_key, recorded_at)
      select id, seq, 'tracking',
        format('{"at":"%s","box":"%s","by":"L-1","data":{"iotID":"L-1","latitude":-33.%s,"longitude":151.%s,"temperature":1.%s,"time":"%s"},"kind":"tracking","salt":"%s","seq":%s,"v":1}',
          time, id, 10000 + n % 80000, 10000 + seq * 7 % 80000, 10 + (n + seq) % 90, time, md5(id || seq), seq),
        md5(seq || id) || md5(id || seq), id || ' L-1 ' || time, timestamptz '2025-10-06' + seq * interval '10 minutes'
      from generate_series(1, ${BOX_RECORDS}) seq,
        lateral (select to_char(timestamp '2025-10-06' + seq * interval '10 minutes', 'YYYY-MM-DD HH24:MI:SS') as time) t,
        lateral (select n, ${boxID} as id from generate_series(${first}, ${Math.min(first + AT_ONCE - 1, boxes)}) n offset 0) b
      order by seq`)
  await client.query('set session_replication_role = default')
  await client.query(`set maintenance_work_mem = '1GB'`)
  for (const { make } of keys) await client.query(make)
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Any box; of those that grow last, or of all. */
const anyBox = ({ records }: Grown, i: number, ofLast: number): string => {
  const boxes = records / BOX_RECORDS
  return `upper(substr(md5(${boxes - ((i * 7_919) % Math.min(ofLast, boxes))}::text), 1, 12))`
}

async function idOf(of: Grown, i: number, ofLast: number): Promise<string> {
  const { rows } = await of.client.query<{ id: string }>(`select ${anyBox(of, i, ofLast)} as id`)
  return rows[0]?.id ?? ''
}

async function read(of: Grown, i: number): Promise<number> {
  const id = await idOf(of, i, Number.POSITIVE_INFINITY)
  return timed(async () => {
    const { rows } = await readBox(of.database.db, id)
    if (rows.length < BOX_RECORDS) throw new Error(`${rows.length} records of ${id}`)
  })
}

/** A batch of a logger, as the shop stores it, for a box that grows. */
async function append(of: Grown, i: number): Promise<number> {
  const id = await idOf(of, i, AT_ONCE)
  const drafts = Array.from({ length: BATCH }, (_, n) => {
    const data = readingOf(i * BATCH + n)
    const dedupeKey = `${id} L-2 ${i} ${n}`
    return { kind: 'tracking' as const, at: data.time, by: data.iotID, data, dedupeKey }
  })
  return timed(() => of.database.db.transaction((tx) => appendRecords(tx, id, drafts)))
}

/** What `measure` answers for each database, in turns. @returns the times of each */
async function inTurns(
  all: readonly Grown[],
  times: number,
  measure: (of: Grown, i: number) => Promise<number>,
): Promise<number[][]> {
  const taken: number[][] = all.map(() => [])
  for (let i = 0; i < times; i++) for (const [at, of] of all.entries()) taken[at]?.push(await measure(of, i))
  return taken
}

const statement = (text: string) => (of: Grown) => timed(() => of.client.query(text))
/** Pages that are read in the order in which they lie, as a backup reads them by COPY. */
const PAGES = sized(10_000, 2)

/** So many of them, from the middle on. Bounds that are written out have no other page read. */
async function middle({ client }: Grown, i: number): Promise<number> {
  const { rows } = await client.query<{ pages: number }>(
    `select (pg_relation_size('records') / 8192)::int as pages`,
  )
  const from = Math.floor((rows[0]?.pages ?? 0) / 2) + i * PAGES
  return timed(() =>
    client.query(`with part as materialized (select r::text from records r
        where ctid >= '(${from},0)' and ctid < '(${from + PAGES},0)') select count(*) from part`),
  )
}

const figures = (of: readonly number[][]): string[] =>
  of.map((taken) => `${ms(percentile(taken, 0.5))} / ${ms(percentile(taken, 0.95))}`)

async function sizes({ client }: Grown): Promise<string[]> {
  const { rows } = await client.query<{ size: string }>(
    `select format('%s, %s a row', pg_size_pretty(pg_relation_size('records')),
        pg_relation_size('records') / (select sum(count) from boxes)) as size
     union all (select format('%s %s', relname, pg_size_pretty(pg_relation_size(oid)))
       from pg_class where oid in (select indexrelid from pg_index where indrelid = 'records'::regclass) order by relname)`,
  )
  return rows.map(({ size }) => size)
}

const asked = process.argv.slice(2).map(Number)
const [few = 1_000_000, many = 50_000_000] = asked.length > 0 ? asked : sized([], [400, 800])
await using large = await grown(many)
await using small = await grown(few)
const both = [small, large]
tableHead('what', ...both.map(({ records }) => records.toLocaleString('en')))
row('written and indexed, s', ...both.map(({ loadedS }) => Math.round(loadedS)))
const [smallSizes = [], largeSizes = []] = await Promise.all(both.map(sizes))
for (const [i, size] of smallSizes.entries()) row('size', size, largeSizes[i] ?? '')
row('first vacuum and analyze, ms', ...figures(await inTurns(both, 1, statement('vacuum (analyze) records'))))
for (const round of ['first', 'second']) {
  row(`records of a box, ${round} time, ms p50 / p95`, ...figures(await inTurns(both, READS, read)))
  row(
    `${BATCH} records appended to a growing box, ${round} ${APPENDS}, ms p50 / p95`,
    ...figures(await inTurns(both, APPENDS, (of, i) => append(of, round === 'first' ? i : APPENDS + i))),
  )
}
row(`${PAGES} pages read in their order, ms p50 / p95`, ...figures(await inTurns(both, sized(2, 1), middle)))
row(
  'vacuum and analyze after that, ms',
  ...figures(await inTurns(both, 1, statement('vacuum (analyze) records'))),
)
