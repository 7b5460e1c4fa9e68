import { importBox } from '../../../server/src/boxes/records/import-box.ts'
import { changeCatalogue } from '../../../server/src/catalogue/change-catalogue.ts'
import type { Database, Db } from '../../../server/src/db/client.ts'
import { boxes as boxSums } from '../../../server/src/reports/box-sums.ts'
import { rebuild } from '../../../server/src/reports/projection.ts'
import { readSiteFile } from '../../../server/src/site/site.ts'
import { boxOf } from '../boxes.ts'
import { seedBoxes } from '../seed-boxes.ts'
import { forgetEvents, inParts, SIZES, seedSpreadShop, uuidOf } from '../seed-orders.ts'
import { sized } from '../sized.ts'

/** A shop of some years. The small one has as many rows as make an index worth reading. */
export const SCALE = {
  ...SIZES,
  orders: sized(SIZES.orders, 12_000),
  slots: sized(SIZES.slots, 200),
  customers: sized(SIZES.customers, 12_000),
  boxes: sized(500_000, 12_000),
  /** Boxes of 500 records, which the shop's own code wrote, with anchors. */
  long: sized(20, 2),
  excursions: sized(50_000, 12_000),
  complaints: sized(20_000, 12_000),
  /** Entries of the audit log. */
  changes: sized(300_000, 12_000),
}

/** A box that the shop's own code wrote, which most others are copies of: few readings. */
const TEMPLATE = 'BENCH-SHORT'
const READINGS = 2
/** SQL: the id of a copy. */
const copyOf = (i: string): string => `'B-' || lpad((${i})::text, 7, '0')`
export const copyName = (i: number): string => `B-${`${i}`.padStart(7, '0')}`

/** Nobody fetches it. */
const PICTURE = `${'0'.repeat(64)}.webp`

const categories = ['Fish', 'Oysters', 'Prawns', 'Shellfish', 'Crab and lobster', 'Tuna and kingfish']

/**
 * All of it in the tables of a shop that ran once. Of a copied box the rows are those of its template under another id, so
 * that its pages and lists are as real ones, and what its proof would say is not.
 */
export async function seedScale(database: Database): Promise<void> {
  const { db } = database
  await db.execute(`insert into categories (id, title, title_key, shelf_pos)
    select 'c' || n, title, lower(title), n::text
    from unnest(array[${categories.map((title) => `'${title}'`).join(', ')}]) with ordinality t(title, n)`)
  await addTemplate(db)
  await seedBoxes(db, SCALE.long)
  await copyBoxes(db)
  await seedSpreadShop(database, SCALE)
  await db.execute(
    `update products p set category_id = 'c' || 1 + substr(id, 7)::int % ${categories.length} where id like 'bench-%'`,
  )
  await db.execute(`insert into files (path, media_type, bytes, width, height, object_key)
    values ('${PICTURE}', 'image/webp', 1, 800, 600, '${PICTURE}')`)
  await db.execute(`insert into product_images (product_id, position, path, alt)
    select id, 0, '${PICTURE}', 'a fish' from products`)
  await db.execute(`insert into product_boxes (product_id, box_id, quantity, unit)
    select 'bench-' || i, ${copyOf('i')}, 5, 'kg' from generate_series(3, ${SCALE.products}, 3) i`)
  await besideOrders(db)
  await besideBoxes(db)
  await forgetEvents(database)
  await rebuild(db, boxSums({ siteFile: await readSiteFile() }))
  for (const table of ['records', 'anchor_leaves', 'orders', 'order_lines'])
    await db.execute(`vacuum analyze ${table}`)
  await db.execute('vacuum analyze')
}

async function addTemplate(db: Db): Promise<void> {
  const { market } = await readSiteFile()
  await changeCatalogue(
    { db, catalogue: { changed: () => undefined } },
    (tx) => importBox(tx, boxOf(TEMPLATE, READINGS), { by: 'bench', now: new Date(), market }),
    () => false,
  )
}

/** No trigger and no reference is asked of rows that are written by the hundred thousand. */
const plainly = (db: Db, ...statements: string[]): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica')
    for (const statement of statements) await tx.execute(statement)
  })

function copyBoxes(db: Db): Promise<void> {
  return inParts(SCALE.boxes, (from, to) =>
    plainly(
      db,
      `insert into boxes (id, count, head, sealed, species, trader, stage, alerts, silent_after, caught_at, summary,
          projection, supplier_id, created_at, updated_at)
        select ${copyOf('i')}, count, head, i < ${SCALE.boxes * 0.98}, (array['Snapper', 'Silver Trevally', 'Yellowfin Tuna'])[1 + i % 3],
          'Sample Trader ' || i % 977 || ', Harbour ' || i % 97, (array['registered', 'at sea', 'on the road', 'at market'])[1 + i % 4],
          case when i % 500 = 0 then '[{"kind": "warm", "words": "Above 5 °C"}]' else '[]' end::jsonb,
          silent_after, at, summary, projection, null, at, at
        from boxes, generate_series(${from}, ${to}) i, lateral (select now() - (${SCALE.boxes} - i) * interval '6 minutes' as at) t
        where id = '${TEMPLATE}'`,
      `insert into box_search (box_id, species, trader_name) select id, species, trader from boxes, generate_series(${from}, ${to}) i
        where id = ${copyOf('i')}`,
      `insert into records (box_id, seq, kind, body, restricted, record_hash, dedupe_key, recorded_at)
        select ${copyOf('i')}, seq, kind, replace(body, '${TEMPLATE}', ${copyOf('i')}), restricted, record_hash,
          replace(dedupe_key, '${TEMPLATE}', ${copyOf('i')}), recorded_at
        from records, generate_series(${from}, ${to}) i where box_id = '${TEMPLATE}'`,
      `insert into anchor_leaves (anchor_index, box_id, count, head, sealed, path, before)
        select a.index, ${copyOf('i')}, b.count, b.head, true, repeat('0', 1024), null
        from generate_series(${from}, ${to}) i, boxes b,
          lateral (select index from anchors where index = i % (select max(index) from anchors)) a
        where b.id = '${TEMPLATE}'`,
    ).then(() => undefined),
  )
}

/** What orders have beside their lines: history, payments, boxes, complaints, and an administrator who bought. */
async function besideOrders(db: Db): Promise<void> {
  const { orders, boxes, complaints } = SCALE
  await inParts(orders, async (from, to) => {
    const part = `generate_series(${from}, ${to}) i`
    await plainly(
      db,
      `insert into order_events (order_id, status, happened_at) select id, status, created_at from orders, ${part} where id = ${uuidOf('i')}`,
      `insert into order_line_boxes (order_id, position, box_id, amount, word)
        select ${uuidOf('i')}, 1, ${copyOf(`1 + i::bigint * ${boxes} / (${orders} + 1)`)}, 1000, 'good' from ${part}`,
      `insert into payments (id, order_id, state, amount_cents, captured_cents, ends_at)
        select ${uuidOf('i')}, ${uuidOf('i')}, 'CAPTURED', 6000, 6000, now() from ${part} where i % 3 = 0`,
    )
  })
  await plainly(
    db,
    `update orders set user_id = (select id from users where role = 'ADMIN' limit 1) where id in
      (select ${uuidOf(`i * ${orders / 200}`)} from generate_series(1, 200) i)`,
    `insert into complaints (id, order_id, status, lines, wrong, wish, about_boxes, created_at)
      select ${uuidOf('i')}, ${uuidOf(`i * (${orders} / ${complaints})`)}, case when i % 50 = 0 then 'OPEN' else 'SETTLED' end,
        '[1]', '["smell"]', 'refund', i % 7 = 0, now() - i * interval '1 hour' from generate_series(1, ${complaints}) i`,
  )
}

/** Excursions, most of them closed, and the audit log. */
const besideBoxes = (db: Db): Promise<unknown> =>
  plainly(
    db,
    `insert into excursions (id, box_id, kind, since, ended_at, peak, peak_at, grade, limit_degrees, limit_minutes, closed_at, created_at)
      select ${uuidOf('i')}, ${copyOf('i')}, 'warm', at, at + interval '1 hour', 9, at, 0, 5, 30,
        case when i % 100 > 0 then at + interval '2 hours' end, at
      from generate_series(1, ${SCALE.excursions}) i, lateral (select now() - i * interval '10 minutes' as at) t`,
    `insert into changes (who, entity, entity_id, action, before, after, happened_at)
      select 'system', (array['product', 'slot', 'user', 'category'])[1 + i % 4], 'bench-' || i % 1000, 'update', '{"title": "a"}', '{"title": "b"}',
        now() - i * interval '1 minute' from generate_series(1, ${SCALE.changes}) i`,
  )
