import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { asc, eq } from 'drizzle-orm'
import { files } from '#server/db/schema/files.ts'
import { categories, changes, productImages, products } from '#server/db/schema/shop.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { jpeg, storedPaths } from '#server/testing/files.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { type ZipEntry, zipOf } from '../../../../tools/test/zip.ts'

// A folder of our own for what is uploaded, so that what stays in it can be counted.
const folder = await mkdtemp(join(tmpdir(), 'befaqt-zip-test-'))
process.env.TMPDIR = folder
after(() => rm(folder, { recursive: true, force: true }))
const left = () => readdir(folder).then((names) => names.filter((name) => name.startsWith('befaqt-form-')))

async function shopWith(open?: Parameters<typeof testShop>[0]): Promise<TestShop & { admin: Caller }> {
  const shop = await testShop(open)
  await shop.deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  return { ...shop, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

const bring = (admin: Caller, zip: Buffer, query = '') =>
  admin('POST', `/api/product/import${query}`, zip, { 'content-type': 'application/zip' })

const csvOf = (...lines: string[]): ZipEntry => ({
  name: 'products.csv',
  bytes: Buffer.from(['title,category,price,status,pictures', ...lines].join('\r\n')),
})
const pictureOf = async (name: string, shade = 80): Promise<ZipEntry> => ({
  name,
  bytes: await jpeg(shade),
  method: 0,
})

const everything = ({ deps }: TestShop) => deps.db.select().from(products).orderBy(products.title)
const imagesOf = async ({ deps }: TestShop, title: string) =>
  deps.db
    .select({ path: productImages.path })
    .from(productImages)
    .innerJoin(products, eq(products.id, productImages.productId))
    .where(eq(products.title, title))
    .orderBy(asc(productImages.position))

const badOf = (report: { bad: { line: number; path: string; message: string }[] }) =>
  report.bad.map(({ line, path, message }) => `${line} ${path}: ${message}`)

for (const [name, open] of testDatabases)
  test(`${name}: a ZIP brings products with their pictures, which may be on sale at once; sent again it changes nothing`, async () => {
    await using shop = await shopWith({ open })
    const zip = zipOf([
      csvOf(
        'Snapper,Fish,30,ACTIVE,snapper.jpg | Side.JPG',
        'Bream,Fish,20,,bream.jpg',
        'Cod,Fish,10,ACTIVE,',
        'Twin,Fish,10,ACTIVE,again.jpg',
      ),
      { name: 'pictures/', bytes: Buffer.alloc(0), method: 0 },
      await pictureOf('pictures/snapper.jpg', 10),
      await pictureOf('pictures/side.jpg', 20),
      await pictureOf('bream.jpg', 30),
      await pictureOf('again.jpg', 10),
      await pictureOf('__MACOSX/pictures/snapper.jpg', 40),
      await pictureOf('.DS_Store', 40),
      await pictureOf('spare.jpg', 50),
    ])
    const preview = (await bring(shop.admin, zip, '?dryRun=1')).json()
    assert.deepEqual(
      [preview.created, preview.pictures, preview.bad, preview.applied],
      [4, { added: 4, linked: 0, unused: ['spare.jpg'] }, [], false],
    )
    assert.deepEqual(preview.rows[0].diff.pictures, { from: null, to: ['snapper.jpg', 'side.jpg'] })
    assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] }, 'a preview stores nothing')

    assert.equal((await bring(shop.admin, zip)).json().applied, true)
    const status = (await everything(shop)).map(({ title, status }) => `${title} ${status}`)
    assert.deepEqual(status, ['Bream INACTIVE', 'Cod INACTIVE', 'Snapper ACTIVE', 'Twin ACTIVE'])
    const [first, second] = await imagesOf(shop, 'Snapper')
    assert.deepEqual(await imagesOf(shop, 'Twin'), [first], 'the same picture is stored once')
    assert.ok(second && second.path !== first?.path)
    const { onDisk, inDatabase } = await storedPaths(shop)
    assert.equal(inDatabase.length, 3)
    assert.deepEqual(onDisk, inDatabase)
    const page = await shop.app.inject(`/api/file/${first?.path}`)
    assert.equal(page.statusCode, 200)

    const before = [await everything(shop), await shop.deps.db.select().from(productImages)]
    const again = (await bring(shop.admin, zip)).json()
    assert.deepEqual([again.created, again.changed, again.unchanged, again.pictures.added], [0, 0, 4, 0])
    assert.deepEqual([await everything(shop), await shop.deps.db.select().from(productImages)], before)
    assert.equal(await shop.deps.db.$count(changes, eq(changes.entity, 'product')), 4)
    assert.deepEqual(await left(), [])
  })

for (const [name, open] of testDatabases)
  test(`${name}: pictures are added to those that a product has, once, and none is taken away`, async () => {
    await using shop = await shopWith({ open })
    await bring(shop.admin, zipOf([csvOf('Snapper,Fish,30,ACTIVE,a.jpg'), await pictureOf('a.jpg', 10)]))
    const [made] = await everything(shop)
    const row = (pictures: string, version = 1): ZipEntry => ({
      name: 'products.csv',
      bytes: Buffer.from(`_id,version,price,pictures\r\n${made?.id},${version},31,${pictures}\r\n`),
    })
    const zip = zipOf([row('b.jpg|A.jpg'), await pictureOf('b.jpg', 20), await pictureOf('a.jpg', 10)])
    const preview = (await bring(shop.admin, zip, '?dryRun=1')).json()
    assert.deepEqual(preview.rows[0].diff, {
      price: { from: 30, to: 31 },
      pictures: { from: null, to: ['b.jpg'] },
    })
    assert.equal((await bring(shop.admin, zip)).json().changed, 1)
    const [a, b] = await imagesOf(shop, 'Snapper')
    assert.ok(a && b)
    const [last] = await shop.deps.db
      .select({ before: changes.before, after: changes.after })
      .from(changes)
      .where(eq(changes.action, 'update'))
    assert.deepEqual(
      [Object(last?.before).imagePaths, Object(last?.after).imagePaths],
      [[a.path], [a.path, b.path]],
    )
    const again = (await bring(shop.admin, zip)).json()
    assert.deepEqual([again.changed, again.unchanged, again.bad], [0, 1, []])
    assert.deepEqual(await imagesOf(shop, 'Snapper'), [a, b])
    const many = Array.from({ length: 19 }, (_, i) => i)
    const more = zipOf([
      row(many.map((i) => `${i}.jpg`).join('|'), 2),
      ...(await Promise.all(many.map((i) => pictureOf(`${i}.jpg`, 30 + 10 * i)))),
    ])
    assert.deepEqual(badOf((await bring(shop.admin, more, '?dryRun=1')).json()), [
      '2 pictures: at most 20 images are allowed',
    ])
  })

test('a picture that is missing, damaged or none is named by its line, and nothing stays', async () => {
  await using shop = await shopWith()
  const good = await pictureOf('good.jpg', 10)
  const zip = (...lines: string[]) =>
    zipOf([
      csvOf(...lines),
      good,
      { name: 'text.jpg', bytes: Buffer.from('not a picture') },
      { name: 'cut.jpg', bytes: good.bytes.subarray(0, good.bytes.length - 40) },
      { ...good, name: 'spoilt.jpg', saidCrc: 1 },
      { name: 'liar.jpg', bytes: Buffer.alloc(20_000_000), saidSize: 900_000 },
    ])
  const missing = await bring(
    shop.admin,
    zip('A,Fish,1,ACTIVE,good.jpg', 'B,Fish,1,ACTIVE,good.jpg|gone.jpg'),
  )
  assert.deepEqual(badOf(missing.json().error.report), ['3 pictures: There is no “gone.jpg” in the ZIP'])
  const lines = ['good', 'text', 'cut', 'spoilt', 'liar'].map((file) => `A,Fish,1,ACTIVE,${file}.jpg`)
  const bad = [
    '3 pictures: “text.jpg” is not a JPEG, PNG, WebP or AVIF picture',
    '4 pictures: “cut.jpg” is damaged or cannot be read',
    '5 pictures: “spoilt.jpg” is damaged in the ZIP',
    '6 pictures: “liar.jpg” is damaged in the ZIP',
  ]
  assert.deepEqual(badOf((await bring(shop.admin, zip(...lines), '?dryRun=1')).json()), bad)
  const refused = await bring(shop.admin, zip(...lines))
  assert.equal(refused.statusCode, 400)
  assert.deepEqual(badOf(refused.json().error.report), bad)
  const alone = Buffer.from('title,category,price,pictures\r\nA,Fish,1,good.jpg\r\n')
  const answer = await shop.admin('POST', '/api/product/import', alone, { 'content-type': 'text/csv' })
  assert.deepEqual(badOf(answer.json().error.report), [
    '2 pictures: “good.jpg” did not come along: put this file and its pictures into one ZIP, or name their addresses',
  ])
  assert.deepEqual(await everything(shop), [])
  assert.equal(await shop.deps.db.$count(files), 0)
  assert.deepEqual((await storedPaths(shop)).onDisk, [])
  assert.deepEqual(await left(), [])
})

test('a ZIP that is no list with pictures, or means no good, is refused before a picture is unpacked', async () => {
  await using shop = await shopWith()
  const csv = csvOf('A,Fish,1,ACTIVE,a.jpg')
  const a = await pictureOf('a.jpg')
  const small = Buffer.from('x')
  const zeros = Buffer.alloc(9_000_000)
  const noise = randomBytes(10_000)
  const many = (n: number): ZipEntry[] =>
    Array.from({ length: n }, (_, i) => ({ name: `${i}.jpg`, bytes: small, method: 0 }))
  const cases: [why: RegExp, status: number, zip: Buffer][] = [
    [/is not a ZIP/, 400, Buffer.from('title,category\r\n')],
    [/is not a ZIP/, 400, Buffer.alloc(0)],
    [/is not a ZIP/, 400, zipOf([csv, a]).subarray(40)],
    [/no CSV file/, 400, zipOf([a])],
    [/2 CSV files/, 400, zipOf([csv, { ...csv, name: 'b/Other.CSV' }])],
    [/“a.jpg” is in the ZIP twice/i, 400, zipOf([csv, a, { ...a, name: 'b/A.jpg' }])],
    [/“\.\.\/a.jpg” in the ZIP .* leads out/, 400, zipOf([csv, { ...a, name: '../a.jpg' }])],
    [/leads out/, 400, zipOf([csv, { ...a, name: 'b/../../a.jpg' }])],
    [/leads out/, 400, zipOf([csv, { ...a, name: '/etc/a.jpg' }])],
    [/leads out/, 400, zipOf([csv, { ...a, name: 'C:/a.jpg' }])],
    [/leads out/, 400, zipOf([csv, { ...a, name: '..\\a.jpg' }])],
    [/“a.jpg” in the ZIP is encrypted/, 400, zipOf([csv, { ...a, method: 8, flags: 1 }])],
    [/“a.jpg” in the ZIP is a link/, 400, zipOf([csv, { ...a, mode: 0o120_777 }])],
    [/not read here/, 400, zipOf([csv, { ...a, method: 14 }])],
    [/5,000 files are too many/, 413, zipOf([csv, ...many(4_999)])],
    [/301 files are too many/, 413, zipOf([csv, ...many(301)])],
    [/more than 10 MB/, 413, zipOf([csv, { ...a, method: 8, saidSize: 11_000_000 }])],
    [/more than 200 times/, 413, zipOf([csv, { name: 'a.jpg', bytes: zeros }])],
    [
      /more than 400 MB/,
      413,
      zipOf([csv, ...many(300).map(({ name }) => ({ name, bytes: noise, saidSize: 1_600_000 }))]),
    ],
    [/The CSV file in the ZIP is damaged/, 400, zipOf([{ ...csv, saidSize: 10 }, a])],
    [/not UTF-8/, 400, zipOf([{ ...csv, bytes: Buffer.from('title\nfl\u00e9tan', 'latin1') }])],
  ]
  for (const [why, status, zip] of cases) {
    const answer = await bring(shop.admin, zip)
    assert.match(answer.json().error?.message ?? '', why)
    assert.equal(answer.statusCode, status, String(why))
  }
  const long = { 'content-type': 'application/zip', 'content-length': String(201 * 1024 * 1024) }
  const refused = await shop.admin('POST', '/api/product/import', Buffer.from('PK'), long)
  assert.equal(refused.statusCode, 413)
  assert.equal((await bring(await callerOf(shop, 'packer', 'USER'), zipOf([csv, a]))).statusCode, 403)
  const elsewhere = await shop.admin('POST', '/api/product/bulk', zipOf([csv]), {
    'content-type': 'application/zip',
  })
  assert.equal(elsewhere.statusCode, 415, 'no other route takes a ZIP')
  assert.deepEqual(await everything(shop), [])
  assert.deepEqual(await left(), [])
})

for (const [name, open] of testDatabases)
  test(`${name}: one ZIP sent twice at once makes its products and pictures once`, async () => {
    await using shop = await shopWith({ open })
    const zip = zipOf([
      csvOf('A,Fish,1,ACTIVE,a.jpg', 'B,Fish,1,ACTIVE,b.jpg'),
      await pictureOf('a.jpg', 10),
      await pictureOf('b.jpg', 200),
    ])
    const both = await Promise.all([bring(shop.admin, zip), bring(shop.admin, zip)])
    assert.deepEqual(
      both.map(({ statusCode }) => statusCode),
      [200, 200],
    )
    assert.equal(await shop.deps.db.$count(products), 2)
    assert.equal(await shop.deps.db.$count(productImages), 2)
    await runDueJobs(shop.deps.db, fileJobs(shop.deps), shop.deps.log, new AbortController().signal)
    const { onDisk, inDatabase } = await storedPaths(shop)
    assert.equal(inDatabase.length, 2)
    assert.deepEqual(onDisk, inDatabase)
  })
