import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productTemplate, readCell, safeCell } from '@befaqt/domain/csv-cells'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { isNull, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { categories, changes, products } from '#server/db/schema/shop.ts'
import { anonymous } from '#server/identity/principal.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { importProducts } from './import-products.ts'
import { exportProducts, readCsv } from './product-csv.ts'

async function shopWith(open?: Parameters<typeof testShop>[0]): Promise<TestShop & { admin: Caller }> {
  const shop = await testShop(open)
  await shop.deps.db.insert(categories).values([
    { id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' },
    { id: 'd', title: 'Shells, "whole"', titleKey: 'shells,"whole"', shelfPos: '2' },
  ])
  return { ...shop, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

const odd = ['=1+1', "'=1", '-2 kg', '+61', '@name', 'a,b', 'say "hi"', 'plain', "'tis", '鯛 🐟', '＝1']

const gutted = { kind: 'gutted' as const, yieldPercent: 85, feeCents: 205 }
const fillets = { kind: 'skin-off' as const, yieldPercent: 45, feeCents: 0 }

/** Products with everything that a spreadsheet or a careless reader would spoil. */
async function stock({ deps }: TestShop, n: number): Promise<void> {
  await deps.db.insert(products).values(
    Array.from({ length: n }, (_, i) => ({
      id: `p${i}`,
      title: `${odd[i % odd.length]} ${i}`,
      categoryId: i % 2 === 0 ? 'c' : 'd',
      priceCents: (i * 37) % 100_000,
      includeGst: i % 3 === 0,
      discount: i % 101,
      stock: i % 7 === 0 ? i + 0.125 : i,
      stepGrams: [100, 250, 500, 1_000][i % 4] ?? 250,
      origin: ['', 'Australia', 'Australia, New Zealand'][i % 3] ?? '',
      allergens: ['', 'fish', 'crustacean, sulphites'][i % 3] ?? '',
      pieceWeight: i % 4 === 0 ? 450 : 0,
      preparations: [[], [gutted], [gutted, fillets]][i % 3] ?? [],
      description: i % 5 === 0 ? `line one\r\nline "two"\n=three` : '',
    })),
  )
}

const exported = async (admin: Caller): Promise<string> =>
  (await admin('GET', '/api/product/export.csv')).body

const bring = (admin: Caller, text: string | Buffer, query = '') =>
  admin('POST', `/api/product/import${query}`, text, { 'content-type': 'text/csv' })

const everything = ({ deps }: TestShop) => deps.db.select().from(products).orderBy(products.id)

for (const [name, open] of testDatabases)
  test(`${name}: 1,000 exported products are imported again without a change; only edited cells are written`, async () => {
    await using shop = await shopWith({ open })
    await stock(shop, 1_000)
    const before = await everything(shop)
    const csv = await exported(shop.admin)
    assert.ok(csv.startsWith('\ufeff_id,title,category,'))
    const same = (await bring(shop.admin, csv)).json()
    assert.deepEqual([same.created, same.changed, same.unchanged, same.bad], [0, 0, 1_000, []])
    assert.deepEqual(await everything(shop), before)

    const edited = csv.replace('plain 7,"Shells, ""whole""",2.59', 'Plain seven,Fish,3.05')
    assert.notEqual(edited, csv)
    const preview = (await bring(shop.admin, edited, '?dryRun=1')).json()
    assert.equal(preview.applied, false)
    assert.deepEqual(preview.rows[0].diff, {
      title: { from: 'plain 7', to: 'Plain seven' },
      category: { from: 'Shells, "whole"', to: 'Fish' },
      price: { from: 2.59, to: 3.05 },
    })
    assert.deepEqual(await everything(shop), before, 'a preview writes nothing')
    const report = (await bring(shop.admin, edited)).json()
    assert.deepEqual([report.changed, report.unchanged, report.applied], [1, 999, true])
    const after = await everything(shop)
    assert.deepEqual(
      after.filter((row, i) => JSON.stringify(row) !== JSON.stringify(before[i])).map(({ id }) => id),
      ['p7'],
    )
    assert.equal((await shop.app.inject('/api/product/p7')).json().price, 3.05)
    assert.equal(await shop.deps.db.$count(changes), 1)
  })

test('1,000 new products are imported from one file and exported unchanged', async () => {
  await using shop = await shopWith()
  const lines = Array.from({ length: 1_000 }, (_, i) => `New ${i},fish,${i}.5,${i}`)
  const report = (await bring(shop.admin, `title,category,price,stock\n${lines.join('\n')}\n`)).json()
  assert.deepEqual([report.created, report.bad, report.applied], [1_000, [], true])
  assert.equal(await shop.deps.db.$count(changes, isNull(changes.before)), 1_000)
  const csv = await exported(shop.admin)
  assert.equal((await bring(shop.admin, csv)).json().unchanged, 1_000)
  const [one] = (await readCsv(csv)).rows
  assert.deepEqual([one?.cells.unit, one?.cells.status, one?.cells.shelfPos], ['kg', 'INACTIVE', '1.1'])
})

/** How often others had their turn while `work` went on: the embedded database works in this very process. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let going = true
  const count = (): void => {
    turns++
    if (going) setImmediate(count)
  }
  setImmediate(count)
  await work()
  going = false
  return turns
}

test('other requests are served while files are imported and exported', async () => {
  await using shop = await testShop()
  const { deps } = shop
  await deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  const lines = Array.from({ length: 2_500 }, (_, i) => `New ${i},fish,${i}.5`)
  const csv = `title,category,price\n${lines.join('\n')}\n`
  const bringIn = (text: string) => () => importProducts(deps, anonymous, { text }, { dryRun: false })
  let out = ''
  const takeOut = async () => {
    for await (const piece of exportProducts(deps.db)) out += piece
  }
  const between = 2_500 / 250 - 1
  assert.ok((await turnsDuring(bringIn(csv))) >= 2 * between, 'planned and written in parts')
  assert.ok((await turnsDuring(takeOut)) >= between, 'read in parts')
  assert.ok(
    (await turnsDuring(bringIn(out.replaceAll('.50,', '.75,')))) >= 3 * between,
    'locked in parts too',
  )
  assert.equal(await deps.db.$count(products, sql`price_cents % 100 = 75 and version = 2`), 2_500)
})

test('bad rows are named by line and column, and nothing is written', async () => {
  await using shop = await shopWith()
  await stock(shop, 3)
  const before = await everything(shop)
  const csv = [
    '_id,title,category,price,discount,stock,version,preparations',
    'p0,Good,Fish,1.50,0,1,1,gutted 80% 1.00',
    '"p1","two',
    'lines",Fish,-1,101,1e9,1,"gutted 85% 2, skin-on 0% 1"',
    '',
    'p2,Short,Fish',
    'gone,Gone,Fish,1,0,1,1,',
    'p0,Again,Fish,1,0,1,1,',
    ',New,Nowhere,1,0,1,,',
    ',   ,Fish,1.005,0,1,,',
    'p2,Old,Fish,1,0,1,9,',
  ].join('\r\n')
  const answer = await bring(shop.admin, csv)
  assert.equal(answer.statusCode, 400)
  const { bad, applied } = answer.json().error.report
  assert.equal(applied, false)
  assert.deepEqual(
    bad.map(({ line, path }: { line: number; path: string }) => `${line} ${path}`),
    [
      '3 title',
      '3 price',
      '3 discount',
      '3 stock',
      '3 preparations[1].yieldPercent',
      '6 ',
      '7 _id',
      '8 _id',
      '9 category',
      '10 title',
      '10 price',
      '11 version',
    ],
  )
  assert.deepEqual(await everything(shop), before)
  assert.equal(await shop.deps.db.$count(changes), 0)
})

for (const [name, open] of testDatabases)
  test(`${name}: new products of a file come in INACTIVE, and one that was there keeps what the file says`, async () => {
    await using shop = await shopWith({ open })
    await stock(shop, 2)
    const csv = [
      '_id,title,category,price,status',
      ',New,Fish,1,ACTIVE',
      ',Plain,Fish,1,',
      ',Off,Fish,1,DISABLED',
    ]
    const preview = (await bring(shop.admin, csv.join('\n'), '?dryRun=1')).json()
    assert.deepEqual(
      preview.rows.map(({ diff }: { diff: { status: { to: string } } }) => diff.status.to),
      ['INACTIVE', 'INACTIVE', 'DISABLED'],
    )
    assert.equal((await bring(shop.admin, [...csv, 'p0,Known,Fish,1,ACTIVE'].join('\n'))).statusCode, 200)
    const status = new Map((await everything(shop)).map((row) => [row.title, row.status]))
    assert.deepEqual(
      ['New', 'Plain', 'Off', 'Known'].map((title) => status.get(title)),
      ['INACTIVE', 'INACTIVE', 'DISABLED', 'ACTIVE'],
    )
  })

test('the template is read without a mistake, and its line of example makes no product', async () => {
  await using shop = await shopWith()
  const filled = `${productTemplate()}Snapper,Fish,24.50,kg,10,Australia,fish,,,\r\n`
  const report = (await bring(shop.admin, filled)).json()
  assert.deepEqual([report.created, report.examples, report.bad, report.applied], [1, 1, [], true])
  assert.deepEqual(
    (await everything(shop)).map(({ title }) => title),
    ['Snapper'],
  )
})

test('only whole fish is prepared: a file that says so of the dozen, or makes it one, is refused at its line', async () => {
  await using shop = await shopWith()
  await stock(shop, 3)
  const csv = [
    '_id,title,category,unit,preparations',
    ',New,Fish,dozen,gutted 85% 2',
    'p2,Old,Fish,dozen,gutted 85% 2',
  ]
  const { bad } = (await bring(shop.admin, csv.join('\n'))).json().error.report
  assert.deepEqual(
    bad.map(({ line, path }: { line: number; path: string }) => `${line} ${path}`),
    ['2 preparations', '3 preparations'],
  )
})

test('a file that a spreadsheet saved with its own quotes and line ends is read as it was exported', async () => {
  await using shop = await shopWith()
  await stock(shop, 40)
  const cells: string[][] = parse(await exported(shop.admin), { bom: true })
  for (const saved of [
    stringify(cells, { quoted: true }),
    stringify(cells, { record_delimiter: '\r\n', quoted_match: /\s/ }),
  ]) {
    const same = (await bring(shop.admin, saved)).json()
    assert.deepEqual([same.changed, same.unchanged, same.bad], [0, 40, []])
  }
})

test('a file that is not a product list is rejected', async () => {
  await using shop = await shopWith()
  for (const text of ['', 'name,price\na,1', 'title,title\na,b', 'title\n"open', 'title\na"b"c"\n"x"y\n'])
    assert.equal((await bring(shop.admin, text)).statusCode, 400, text)
  assert.equal((await bring(shop.admin, Buffer.from('title\nfl\u00e9tan', 'latin1'))).statusCode, 400)
  assert.equal((await bring(shop.admin, `title\n${'x'.repeat(11 * 1024 * 1024)}`)).statusCode, 413)
  assert.equal((await shop.admin('POST', '/api/product/import', { rows: [] })).statusCode, 415)
})

test('no cell runs as a formula, and every text comes back as it was', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom(...odd), fc.stringMatching(/^'*[=+@-].*$/))
  fc.assert(
    fc.property(text, (value) => {
      const cell = safeCell(value)
      assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/)
      assert.equal(readCell(cell), value)
    }),
  )
})
