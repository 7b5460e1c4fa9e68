import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { formOf, jpeg, storedPaths } from '#server/testing/files.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const catImage = async (shade = 80) => ['catImage', { bytes: await jpeg(shade), name: 'fish.jpg' }] as const

async function add(call: Caller, title: string, more: [string, string][] = [], shade = 80) {
  const place: [string, string][] = more.some(([name]) => name === 'shelfPos') ? [] : [['shelfPos', '2']]
  const form = await formOf([['title', title], ...place, ...more, await catImage(shade)])
  return call('POST', '/api/category', form.payload, form.headers)
}

const runJobs = ({ deps }: TestShop) =>
  runDueJobs(deps.db, fileJobs(deps), deps.log, new AbortController().signal)

const count = async ({ deps }: TestShop, table: 'categories' | 'changes'): Promise<number> =>
  deps.db.$count(sql.identifier(table))

for (const [name, open] of testDatabases)
  test(`${name}: a category is created with its image, is public at once, and its history says who created it`, async () => {
    await using shop = await testShop({ open })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    assert.deepEqual((await shop.app.inject('/api/category/active')).json(), [])
    const made = await add(admin, '  Tuna and kingfish ', [
      ['icon', 'fish'],
      ['imageAlt', 'A tuna'],
    ])
    assert.equal(made.statusCode, 201, made.body)
    const category = made.json()
    assert.deepEqual(
      [category.title, category.status, category.version, category.products, category.image.alt],
      ['Tuna and kingfish', 'ACTIVE', 1, 0, 'A tuna'],
    )
    assert.match(category.imagePath, /^[0-9a-f]{32}\.webp$/)
    assert.equal((await shop.app.inject(`/api/file/${category.imagePath}`)).statusCode, 200)
    assert.equal((await shop.app.inject('/api/category/active')).json()[0]._id, category._id)
    const [change] = (await admin('GET', `/api/history?entity=category&id=${category._id}`)).json().rows
    assert.deepEqual(
      [change.who, change.action, change.after.title],
      ['admin Sample', 'create', category.title],
    )
  })

for (const [name, open] of testDatabases)
  test(`${name}: a title that differs only in white space or case is rejected, also in a race, and leaves no file`, async () => {
    await using shop = await testShop({ open })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const codes = await Promise.all(
      ['Crab', ' CRAB', 'C r a b'].map(async (title, i) => (await add(admin, title, [], 10 * i)).statusCode),
    )
    assert.deepEqual(codes.sort(), [201, 409, 409])
    const second = await add(admin, 'Prawns', [], 200)
    const renamed = await admin('PATCH', `/api/category/${second.json()._id}`, { title: 'cr ab' })
    assert.deepEqual([renamed.statusCode, renamed.json().error.code], [409, 'category.title_taken'])
    const stored = await storedPaths(shop)
    assert.equal(stored.onDisk.length, 2)
    assert.deepEqual(stored.onDisk, stored.inDatabase)
    assert.equal(await count(shop, 'categories'), 2)
  })

test('title, shelf position and picture are required; each refusal names its field and nothing is stored', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const bad: [path: string, parts: Parameters<typeof formOf>[0]][] = [
    ['title', [['title', ' \u2003 '], ['shelfPos', '1'], await catImage()]],
    ['title', [['title', 'x'.repeat(81)], ['shelfPos', '1'], await catImage()]],
    ['shelfPos', [['title', 'Crab'], await catImage()]],
    ['status', [['title', 'Crab'], ['shelfPos', '1'], ['status', 'ODD'], await catImage()]],
    [
      'catImage',
      [
        ['title', 'Crab'],
        ['shelfPos', '1'],
      ],
    ],
    ['catImage', [['title', 'Crab'], ['shelfPos', '1'], await catImage(), await catImage(9)]],
    [
      'other',
      [
        ['title', 'Crab'],
        ['shelfPos', '1'],
        ['other', { bytes: await jpeg(), name: 'x.jpg' }],
      ],
    ],
    ['title', [['title', 'Crab'], ['title', 'Crabs'], ['shelfPos', '1'], await catImage()]],
  ]
  for (const [path, parts] of bad) {
    const form = await formOf(parts)
    const answer = await admin('POST', '/api/category', form.payload, form.headers)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.equal(answer.json().error.fields[0].path, path)
  }
  assert.equal(await count(shop, 'categories'), 0)
  assert.equal(await count(shop, 'changes'), 0)
  assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] })
})

test('a new image replaces the old one, which is removed when nothing uses it', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const one = (await add(admin, 'One', [], 10)).json()
  const two = (await add(admin, 'Two', [], 10)).json()
  assert.equal(one.imagePath, two.imagePath)
  const replace = async (id: string) => {
    const form = await formOf([await catImage(220)])
    const answer = await admin('PATCH', `/api/category/${id}`, form.payload, form.headers)
    await runJobs(shop)
    return answer.json()
  }
  const changed = await replace(one._id)
  assert.notEqual(changed.imagePath, one.imagePath)
  assert.deepEqual([changed.title, changed.shelfPos], ['One', '2'], 'fields that were not sent stay')
  assert.deepEqual((await storedPaths(shop)).onDisk, [changed.imagePath, one.imagePath].sort())
  await replace(two._id)
  assert.deepEqual(await storedPaths(shop), {
    onDisk: [changed.imagePath],
    inDatabase: [changed.imagePath],
  })
})

test('the second of two managers gets a conflict and nothing is overwritten', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const { _id } = (await add(admin, 'Crab')).json()
  const url = `/api/category/${_id}`
  assert.equal((await admin('PATCH', url, { title: 'Crabs' }, { 'if-match': '"1"' })).statusCode, 200)
  const second = await admin('PATCH', url, { title: 'Krabs' }, { 'if-match': '"1"' })
  assert.deepEqual([second.statusCode, second.json().error.current.title], [409, 'Crabs'])
  assert.equal((await admin('PATCH', url, { title: 'Krabs', version: 1 })).statusCode, 409)
  assert.equal((await admin('PATCH', url, { title: 'Krabs' }, { 'if-match': 'odd' })).statusCode, 400)
  assert.equal((await admin('PATCH', url, { description: 'With claws' })).json().version, 3)
  assert.equal((await admin('GET', `${url}/manage`)).json().title, 'Crabs')
})

test('only a DISABLED category without products can be deleted, its picture with it', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const { _id } = (await add(admin, 'Crab')).json()
  const url = `/api/category/${_id}`
  assert.equal((await admin('DELETE', url)).json().error.code, 'delete.not_disabled')
  await admin('PATCH', url, { status: 'DISABLED' })
  assert.deepEqual((await shop.app.inject('/api/category/active')).json(), [])
  await shop.deps.db.insert(products).values({ id: 'p', title: 'Mud crab', categoryId: _id })
  const refused = await admin('DELETE', url)
  assert.deepEqual([refused.statusCode, refused.json().error.code], [409, 'category.has_products'])
  assert.match(refused.json().error.message, /1 product\b/)
  await rows(shop.deps.db, sql`delete from products`)
  assert.equal((await admin('DELETE', url)).statusCode, 204)
  assert.equal((await admin('DELETE', url)).statusCode, 404)
  await runJobs(shop)
  assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] })
})

for (const [name, open] of testDatabases)
  test(`${name}: categories are searched, filtered, sorted and paged, or returned all at once`, async () => {
    await using shop = await testShop({ open })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const words = ['description', 'Grilled Écrevisse'] as [string, string]
    await add(admin, 'crab', [['shelfPos', '10'], words])
    await add(admin, 'Prawns', [['shelfPos', '9']])
    await add(admin, 'Squid 100%', [['shelfPos', '9']])
    const titles = (rows: { title: string }[]) => rows.map(({ title }) => title)
    const asked = async (query: string) => (await admin('GET', `/api/category?${query}`)).json()
    assert.deepEqual(titles((await admin('GET', '/api/category')).json()), ['Prawns', 'Squid 100%', 'crab'])
    assert.deepEqual(titles((await asked('sort=title')).rows), ['crab', 'Prawns', 'Squid 100%'])
    assert.deepEqual(titles((await asked('sort=shelf&dir=desc')).rows)[0], 'crab')
    const page = await asked('sort=title&dir=desc&size=1&page=2')
    assert.deepEqual([page.total, page.rows[0].title], [3, 'Prawns'])
    assert.deepEqual(titles((await asked('q=ecrevisse%20CRAB')).rows), ['crab'])
    assert.deepEqual(titles((await asked('q=100%25')).rows), ['Squid 100%'])
    assert.equal((await asked('q=_')).total, 0)
    assert.equal((await asked('status=DISABLED')).total, 0)
  })
