import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MAX_FILE_BYTES, MAX_LINKED_PICTURES } from '@befaqt/domain/upload-limits'
import { asc, eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { purge } from '#server/db/retention.ts'
import { categories, changes, linkedPictures, productImages, products } from '#server/db/schema/shop.ts'
import { pictureJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { jpeg, storedPaths } from '#server/testing/files.ts'
import { httpsServer } from '#server/testing/https-server.ts'
import { testShop } from '#server/testing/shop.ts'
import { fetchPicture, PictureRefused } from './fetch-picture.ts'
import { linkedPictureRetention } from './linked-pictures.ts'

const silent = { warn: () => undefined, error: () => undefined }
const PICTURES = '/api/product/picture'

/** A shop, and somebody's server with pictures by their path; what it was asked for is in `asked`. */
async function shopAndServer(open?: (typeof testDatabases)[number][1]) {
  const answers = new Map<string, RequestListener>()
  const asked: string[] = []
  const server = await httpsServer((request, response) => {
    asked.push(request.url ?? '')
    const answer = answers.get(request.url ?? '')
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  const shop = await testShop({ env: { PICTURE_PRIVATE_HOSTS: 'localhost' }, ...(open && { open }) })
  const { db } = shop.deps
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  return {
    ...shop,
    admin,
    asked,
    url: server.url,
    answer: (path: string, how: RequestListener | Buffer | number) =>
      answers.set(path, (request, response) => {
        if (typeof how === 'function') how(request, response)
        else if (typeof how === 'number') response.writeHead(how, { location: '/a.jpg' }).end()
        else response.writeHead(200, { 'content-type': 'text/plain' }).end(how)
      }),
    bring: async (lines: readonly string[], query = '') => {
      const text = ['title,category,price,status,pictures', ...lines].join('\r\n')
      return (await admin('POST', `/api/product/import${query}`, text, { 'content-type': 'text/csv' })).json()
    },
    /** Works through what is to be fetched, as if its time had come. */
    fetch: async () => {
      await rows(db, sql`update jobs set run_at = now() where queue = 'product.picture'`)
      await runDueJobs(db, pictureJobs(shop.deps), silent, new AbortController().signal)
    },
    list: async () => (await admin('GET', PICTURES)).json(),
    product: async (title: string) => {
      const [found] = await db.select().from(products).where(eq(products.title, title))
      assert.ok(found, title)
      return found
    },
    images: (id: string) =>
      db
        .select({ path: productImages.path })
        .from(productImages)
        .where(eq(productImages.productId, id))
        .orderBy(asc(productImages.position)),
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await shop[Symbol.asyncDispose]()
    },
  }
}

for (const [name, open] of testDatabases)
  test(`${name}: pictures at addresses are fetched after the rows are in, then new products go on sale; sent again nothing is made twice`, async () => {
    await using shop = await shopAndServer(open)
    shop.answer('/a.jpg', await jpeg(10))
    shop.answer('/b.jpg', await jpeg(20))
    const lines = [
      `Snapper,Fish,30,ACTIVE,${shop.url}/a.jpg | ${shop.url}/b.jpg`,
      `Bream,Fish,20,,${shop.url}/a.jpg`,
    ]
    const trial = await shop.bring(lines, '?dryRun=1')
    assert.deepEqual([trial.created, trial.pictures], [2, { added: 0, linked: 3, unused: [] }])
    assert.deepEqual(trial.rows[0].diff.pictures.to, [`${shop.url}/a.jpg`, `${shop.url}/b.jpg`])
    assert.equal(trial.rows[0].diff.status.to, 'INACTIVE')
    assert.equal((await shop.list()).total, 0, 'a trial asks for nothing')

    assert.equal((await shop.bring(lines)).applied, true)
    assert.equal((await shop.product('Snapper')).status, 'INACTIVE')
    assert.deepEqual([(await shop.list()).waiting, shop.asked], [3, []])
    await shop.fetch()
    assert.deepEqual(await shop.list(), { waiting: 0, total: 0, rows: [] })
    const [snapper, bream] = [await shop.product('Snapper'), await shop.product('Bream')]
    assert.deepEqual([snapper.status, bream.status], ['ACTIVE', 'INACTIVE'])
    const [a, b] = await shop.images(snapper.id)
    assert.deepEqual(await shop.images(bream.id), [a])
    assert.ok(a && b && a.path !== b.path)
    const { onDisk, inDatabase } = await storedPaths(shop)
    assert.deepEqual([inDatabase.length, onDisk], [2, inDatabase])
    const [last] = await shop.deps.db
      .select()
      .from(changes)
      .where(eq(changes.entityId, bream.id))
      .orderBy(sql`id desc`)
    assert.equal(last?.who, 'admin')

    const count = shop.asked.length
    const again = await shop.bring(lines)
    assert.deepEqual([again.created, again.changed, again.unchanged], [0, 0, 2])
    const row = `_id,pictures\r\n${bream.id},${shop.url}/a.jpg\r\n`
    const { unchanged } = (
      await shop.admin('POST', '/api/product/import', row, { 'content-type': 'text/csv' })
    ).json()
    assert.equal(unchanged, 1)
    await shop.fetch()
    assert.equal(shop.asked.length, count, 'nothing is fetched twice')
    const added = `_id,pictures\r\n${bream.id},${shop.url}/b.jpg | ${shop.url}/a.jpg\r\n`
    const report = (
      await shop.admin('POST', '/api/product/import', added, { 'content-type': 'text/csv' })
    ).json()
    assert.deepEqual([report.changed, report.pictures.linked], [1, 1])
    await shop.fetch()
    assert.deepEqual(await shop.images(bream.id), [a, b])

    await purge(shop.deps.db, new Date(Date.now() + 31 * 86_400_000), linkedPictureRetention)
    assert.equal(await shop.deps.db.$count(linkedPictures), 0)
    await shop.admin('POST', '/api/product/import', row, { 'content-type': 'text/csv' })
    await shop.fetch()
    assert.deepEqual(await shop.images(bream.id), [a, b], 'a picture is known by its content')
  })

for (const [name, open] of testDatabases)
  test(`${name}: what cannot be had is tried again, given up with a reason, and retried or left out by hand`, async () => {
    await using shop = await shopAndServer(open)
    shop.answer('/moved.jpg', 302)
    shop.answer('/text.jpg', Buffer.from('<html>no picture</html>'))
    shop.answer('/busy.jpg', 503)
    shop.answer('/large.jpg', (_request, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const names = ['gone', 'moved', 'text', 'large', 'busy']
    await shop.bring(names.map((one) => `${one},Fish,30,ACTIVE,${shop.url}/${one}.jpg`))
    await shop.fetch()
    type Row = { _id: string; title: string; failed: boolean; reason: string }
    const told = async () => {
      const { rows } = (await shop.list()) as { rows: Row[] }
      return Object.fromEntries(rows.map(({ title, failed, reason }) => [title, `${failed} ${reason}`]))
    }
    assert.deepEqual(await told(), {
      gone: 'true It answered 404.',
      moved: 'true It answered 302: name the address that it leads to.',
      text: 'true It is not a JPEG, PNG, WebP or AVIF picture.',
      large: 'true It has more than 10 MB.',
      busy: 'false It answered 503.',
    })
    assert.ok(!shop.asked.includes('/a.jpg'), 'a redirect is not followed')
    for (let i = 0; i < 12; i++) await shop.fetch()
    assert.equal((await told()).busy, 'true It answered 503.')
    const count = shop.asked.length
    await shop.fetch()
    assert.equal(shop.asked.length, count, 'it was given up')
    assert.equal((await shop.product('busy')).status, 'INACTIVE')
    assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] })

    // A file that names it again asks anew for what was given up.
    const row = `_id,pictures\r\n${(await shop.product('busy')).id},${shop.url}/busy.jpg\r\n`
    const csv = { 'content-type': 'text/csv' }
    const report = (await shop.admin('POST', '/api/product/import', row, csv)).json()
    assert.deepEqual([report.changed, report.pictures.linked], [1, 1])
    assert.match((await told()).busy ?? '', /^false /)
    for (let i = 0; i < 12; i++) await shop.fetch()
    assert.equal((await told()).busy, 'true It answered 503.')

    const { rows: all } = (await shop.list()) as { rows: Row[] }
    const idOf = (title: string) => all.find((one) => one.title === title)?._id
    shop.answer('/busy.jpg', await jpeg(30))
    assert.equal((await shop.admin('POST', `${PICTURES}/${idOf('busy')}/retry`)).statusCode, 204)
    await shop.fetch()
    assert.equal((await shop.product('busy')).status, 'ACTIVE')
    assert.equal((await shop.admin('DELETE', `${PICTURES}/${idOf('gone')}`)).statusCode, 204)
    assert.deepEqual(Object.keys(await told()).sort(), ['large', 'moved', 'text'])
    for (const [method, path] of [
      ['POST', `${PICTURES}/${idOf('busy')}/retry`],
      ['DELETE', `${PICTURES}/${idOf('gone')}`],
    ] as const)
      assert.equal((await shop.admin(method, path)).statusCode, 404, path)
  })

for (const [name, open] of testDatabases)
  test(`${name}: a product that was changed or deleted meanwhile stays as it is, and addresses that may not be are told by their line`, async () => {
    await using shop = await shopAndServer(open)
    const whileFetched = async (title: string, change: () => Promise<unknown>) =>
      shop.answer(`/${title}.jpg`, (_request, response) => {
        void change().then(async () => response.end(await jpeg(40)))
      })
    const titles = ['edited', 'deleted', 'dropped']
    await shop.bring(titles.map((one) => `${one},Fish,30,ACTIVE,${shop.url}/${one}.jpg`))
    const [edited, deleted, dropped] = await Promise.all(titles.map((one) => shop.product(one)))
    assert.ok(edited && deleted && dropped)
    await whileFetched('edited', () => shop.admin('PATCH', `/api/product/${edited.id}`, { price: 31 }))
    await whileFetched('deleted', async () => {
      await shop.admin('PATCH', `/api/product/${deleted.id}`, { status: 'DISABLED' })
      await shop.admin('DELETE', `/api/product/${deleted.id}`)
    })
    await whileFetched('dropped', async () => {
      const [link] = await shop.deps.db
        .select()
        .from(linkedPictures)
        .where(eq(linkedPictures.productId, dropped.id))
      await shop.admin('DELETE', `${PICTURES}/${link?.id}`)
    })
    await shop.fetch()
    const now = await shop.product('edited')
    assert.deepEqual([now.status, now.priceCents], ['INACTIVE', 3_100])
    assert.equal((await shop.images(edited.id)).length, 1)
    assert.equal(await shop.deps.db.$count(products, eq(products.title, 'deleted')), 0)
    assert.deepEqual(await shop.images(dropped.id), [])
    assert.deepEqual((await shop.list()).rows, [])

    const bad = await shop.bring(
      [
        'A,Fish,30,,http://example.org/a.jpg',
        'B,Fish,30,,https://127.0.0.1/b.jpg',
        'C,Fish,30,,https://me:word@example.org/c.jpg',
        'D,Fish,30,,ftp://example.org/d.jpg',
        `E,Fish,30,,https://example.org/${'e'.repeat(2_000)}.jpg`,
        'F,Fish,30,,f.jpg',
        `G,Fish,30,,${Array.from({ length: 21 }, (_, i) => `https://example.org/${i}.jpg`).join('|')}`,
      ],
      '?dryRun=1',
    )
    assert.deepEqual(
      bad.bad.map(
        ({ line, message }: { line: number; message: string }) =>
          `${line} ${message.split('” ')[1] ?? message}`,
      ),
      [
        '2 must begin with https://',
        '3 must not lead into a private network',
        '4 must have no user name and password',
        '5 must begin with https://',
        '6 must have at most 2,000 characters',
        '7 did not come along: put this file and its pictures into one ZIP, or name their addresses',
        '8 at most 20 images are allowed',
      ],
    )
    const many = Array.from(
      { length: MAX_LINKED_PICTURES / 20 + 1 },
      (_, i) =>
        `M${i},Fish,30,,${Array.from({ length: 20 }, (_, j) => `https://example.org/${i}-${j}.jpg`).join('|')}`,
    )
    assert.equal((await shop.bring(many)).error.code, 'input.too_large')
    assert.equal(await shop.deps.db.$count(linkedPictures), 1, 'all of a file or nothing')
  })

test('nothing private is fetched by name, nothing endless or larger than it says, and what was cut off is not taken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-fetch-test-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'picture')
  const { signal } = new AbortController()
  const picture = await jpeg(50)
  let asked = 0
  await using server = await httpsServer(({ url }, response) => {
    asked++
    if (url === '/endless') {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    } else if (url === '/claims') response.writeHead(200, { 'content-length': MAX_FILE_BYTES + 1 }).write('x')
    else if (url === '/cut') {
      response.writeHead(200, { 'content-length': picture.length }).write(picture.subarray(0, 10))
      setTimeout(() => response.destroy(), 50)
    } else if (url !== '/silent') response.end(picture)
  })
  const get = (address: string, allowed: readonly string[] = ['localhost']) =>
    fetchPicture(address, path, { allowed, signal, timeoutMs: 1_000 })
  await get(`${server.url}/a.jpg`)
  assert.deepEqual(await readFile(path), picture)
  const { port } = new URL(server.url)
  for (const address of [
    `https://${hostname()}:${port}/`,
    `https://localhost:${port}/`,
    `https://127.0.0.1:${port}/`,
  ])
    await assert.rejects(get(address, []), /private network|ENOTFOUND|EAI_AGAIN/, address)
  assert.equal(asked, 1, 'no connection was made')
  for (const slow of ['/endless', '/silent'])
    await assert.rejects(get(`${server.url}${slow}`), /^Error: It took longer than 1 s\.$/, slow)
  await assert.rejects(get(`${server.url}/claims`), PictureRefused)
  await assert.rejects(get(`${server.url}/cut`), (error) => !(error instanceof PictureRefused))
})
