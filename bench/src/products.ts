import { readFile } from 'node:fs/promises'
import type { Database } from '../../server/src/db/client.ts'
import type { BenchDatabase } from './databases.ts'
import { type Shop, startShop, untilIdle } from './shop.ts'
import { isSmoke, sized } from './sized.ts'

export const PRODUCTS = sized(10_000, 100)
const CATEGORIES = [
  'fish',
  'oysters',
  'prawns',
  'shellfish',
  'crab-and-lobster',
  'tuna-and-kingfish',
] as const
const KINDS = ['Snapper', 'Bream', 'Pipi', 'Écrevisse', 'Flathead', 'Mulloway', 'Oyster', 'Prawn', 'Garfish']

/** Categories for the products, each with an image of the sample data. */
export async function addCategories({ url, key }: Shop): Promise<void> {
  for (const [i, name] of CATEGORIES.entries()) {
    const form = new FormData()
    form.append('title', name)
    form.append('shelfPos', `${i + 1}`)
    const picture = await readFile(
      new URL(`../../server/sample/images/category/${name}.webp`, import.meta.url),
    )
    form.append('catImage', new Blob([picture]), `${name}.webp`)
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${url}/api/category`, { method: 'POST', headers, body: form })
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
  }
}

/** A CSV file of synthetic products, about 400 characters each. */
export function newProductsCsv(): string {
  const lines = Array.from({ length: PRODUCTS }, (_, i) => {
    const title = `${KINDS[i % KINDS.length]} no ${(i * 7_919) % PRODUCTS}`
    const category = CATEGORIES[i % CATEGORIES.length]
    const words = 'Caught for measuring, and landed. '.repeat(1 + (i % 20))
    return `${title},${category},${(i * 37) % 90},${i % 200},${1 + (i % 40)}.${i % 13},"${words}"`
  })
  return `title,category,price,stock,shelfPos,description\n${lines.join('\n')}\n`
}

/** Gives every product two images, every third a box, and takes every tenth off sale: those of a file are not on it yet. */
export async function seedProducts({ db }: Database): Promise<void> {
  await db.execute(`insert into boxes (id, head, sealed, summary)
    select 'BENCH-' || i, 'none', true, '{"freshnessIndex": 0.3, "bestBy": "2126-11-30T00:00:00.000Z", "coldChain": "cold", "stage": "at market",
      "catchPlace": "Eden, New South Wales", "catchTime": "2026-10-01 04:00:00"}'::jsonb
    from generate_series(0, 999) i`)
  await db.execute(`insert into product_images (product_id, position, path, alt)
    select p.id, position, c.image_path, 'a fish'
    from products p join categories c on c.id = p.category_id, generate_series(0, 1) position`)
  const numbered = 'with numbered as (select id, row_number() over (order by id) as n from products)'
  await db.execute(`${numbered} insert into product_boxes (product_id, box_id, quantity, unit)
    select id, 'BENCH-' || n % 1000, 5, 'kg' from numbered where n % 3 = 0`)
  await db.execute(`${numbered} update products p set status = case when n % 10 = 0 then 'INACTIVE' else 'ACTIVE' end
    from numbered where numbered.id = p.id`)
}

/**
 * Settings to start a shop with products on an empty database: those of the sample data. A smoke test has one of its own,
 * since the sample takes 40 s of the processor to make.
 */
export async function withProducts(place: BenchDatabase): Promise<Record<string, string>> {
  if (!isSmoke) return {}
  const { db, close } = await place.open()
  await db.execute(
    `insert into categories (id, title, title_key, shelf_pos) values ('c', 'Fish', 'fish', '1')`,
  )
  await db.execute(`insert into products (id, title, category_id, price_cents, unit, stock)
    values ('p', 'Snapper', 'c', 3000, 'kg', 50)`)
  await close()
  return { SAMPLE_DATA: 'off' }
}

/**
 * Adds products to a first start's sample shop: in every category, each with that category's picture and every third with
 * a box of the sample's.
 */
export async function addToSample(
  place: BenchDatabase,
  env: Record<string, string>,
  count: number,
): Promise<void> {
  {
    await using first = await startShop({ ...env, ...place.env }, place.dataDir)
    await untilIdle(first)
  }
  const { db, close } = await place.open()
  await db.execute(`insert into products (id, title, category_id, price_cents, unit, stock, shelf_pos, description)
    select 'bench-' || i, (array['Snapper', 'Bream', 'Flathead', 'Mulloway', 'Garfish'])[1 + i % 5] || ' no ' || i,
      c.id, 2000 + i % 3000, 'kg', 1 + i % 200, (1 + i % 40) || '.' || i % 13, 'Caught for measuring, and landed.'
    from generate_series(1, ${count}) i
    join (select id, row_number() over (order by id) - 1 as n, count(*) over () as all_of from categories) c on c.n = i % c.all_of`)
  await db.execute(`insert into product_images (product_id, position, path, alt)
    select p.id, 0, c.image_path, 'a fish' from products p join categories c on c.id = p.category_id where p.id like 'bench-%'`)
  await db.execute(`insert into product_boxes (product_id, box_id, quantity, unit)
    select 'bench-' || i, b.id, 5, 'kg' from generate_series(3, ${count}, 3) i
    join (select id, row_number() over (order by id) - 1 as n, count(*) over () as all_of from boxes) b on b.n = i % b.all_of`)
  await close()
}
