import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { PHOTO_DAYS } from '@befaqt/domain/complaint'
import { DAY_MS } from '@befaqt/domain/durations'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { purge } from '#server/db/retention.ts'
import { users } from '#server/db/schema/accounts.ts'
import { complaintPhotos, complaints, complaintWords } from '#server/db/schema/complaints.ts'
import { files } from '#server/db/schema/files.ts'
import { orderContacts, orders } from '#server/db/schema/orders.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { copyOf } from '#server/personal-data.ts'
import { callerOf } from '#server/testing/caller.ts'
import { packedOrder, phonePhoto, said, say, seenComplaints, spoilt } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { orderRetention } from '../retention.ts'

const silent = { warn: () => undefined, error: () => undefined }

/** Objects in the file store, once every job about them is done. */
async function stored({ deps }: OrderShop): Promise<number> {
  await runDueJobs(deps.db, fileJobs(deps), silent, new AbortController().signal)
  return (await readdir(join(deps.config.DATA_DIR, 'files')).catch(() => [])).length
}

for (const [name, open] of testDatabases)
  test(`${name}: photos are made anew without where they were taken, and seen by the buyer and the shop alone`, async () => {
    await using shop = await shopWithOrders({ open })
    const order = await packedOrder(shop)
    const other = await packedOrder(shop)
    const sent = await phonePhoto()
    assert.ok((await sharp(sent).metadata()).exif, 'it says where')
    const { photos } = await said(shop, order, spoilt, [sent, await phonePhoto(90)])
    assert.deepEqual(
      photos.map(({ width, height }) => [width, height]),
      [
        [64, 48],
        [64, 48],
      ],
    )
    const url = `${order.path}/complaint/photo/${photos[0]?._id}`
    const seen = await shop.app.inject(`${url}${order.query}`)
    assert.deepEqual(
      [seen.statusCode, seen.headers['content-type'], seen.headers['cache-control']],
      [200, 'image/webp', 'no-store'],
    )
    const { format, exif } = await sharp(seen.rawPayload).metadata()
    assert.deepEqual([format, exif], ['webp', undefined])
    assert.equal((await shop.admin('GET', url)).statusCode, 200)
    const bea = await callerOf(shop, 'bea', 'USER')
    for (const reply of [
      await shop.app.inject(url),
      await shop.app.inject(`${url}${other.query}`),
      await bea('GET', url),
      await shop.app.inject(`${other.path}/complaint/photo/${photos[0]?._id}${other.query}`),
      await shop.app.inject(`${order.path}/complaint/photo/none${order.query}`),
    ])
      assert.equal(reply.statusCode, 404, reply.body)
    const [row] = await shop.deps.db.select().from(complaintPhotos)
    assert.equal(await shop.deps.db.$count(files), 0, 'no file of the shop')
    for (const path of [row?.objectKey ?? '', `${row?.objectKey.split('.')[0]}.webp`])
      assert.equal((await shop.app.inject(`/api/file/${path}`)).statusCode, 404, path)
  })

test('five photos, text under another name, too many pixels and too many bytes are refused, and nothing stays', async () => {
  await using shop = await shopWithOrders()
  const order = await packedOrder(shop)
  const photo = await phonePhoto()
  const white = { r: 255, g: 255, b: 255 }
  const bomb = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: white } })
    .png()
    .toBuffer()
  const pathsOf = async (photos: Uint8Array[], status: number) => {
    const reply = await say(shop, order, spoilt, photos)
    assert.equal(reply.statusCode, status, reply.body)
    return reply.json().error.fields.map(({ path }: { path: string }) => path)
  }
  assert.deepEqual(await pathsOf(Array(5).fill(photo), 400), ['photos'])
  assert.deepEqual(await pathsOf([photo, Buffer.from('no picture at all')], 400), ['photos[1]'])
  assert.deepEqual(await pathsOf([bomb], 400), ['photos[0]'])
  assert.deepEqual(await pathsOf([Buffer.alloc(11 * 1024 * 1024)], 413), ['photos'])
  const twice = await Promise.all([say(shop, order, spoilt, [photo]), say(shop, order, spoilt, [photo])])
  assert.deepEqual(twice.map(({ statusCode }) => statusCode).sort(), [201, 409])
  assert.deepEqual([await shop.deps.db.$count(complaints), await stored(shop)], [1, 1])
})

test('the photos of somebody else are not read at all: the order is looked at first', async () => {
  await using shop = await shopWithOrders()
  const order = await packedOrder(shop)
  let read = 0
  const { normalize } = shop.deps.images
  shop.deps.images.normalize = (path) => {
    read++
    return normalize(path)
  }
  const stranger = await say(shop, { ...order, query: '?key=x' }, spoilt, [await phonePhoto()])
  assert.deepEqual([stranger.statusCode, read], [404, 0])
  await said(shop, order, spoilt, [await phonePhoto()])
  assert.equal(read, 1)
})

for (const [name, open] of testDatabases)
  test(`${name}: photos go with time, with the order’s contact and with the account, also out of the store`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    const timely = await packedOrder(shop)
    const { _id: id } = await said(shop, timely, spoilt, [await phonePhoto(1)])
    const later = new Date(Date.now() + (PHOTO_DAYS + 1) * DAY_MS)
    const photosLeft = () => db.$count(complaintPhotos)
    await purge(db, later, orderRetention)
    assert.deepEqual([await photosLeft(), await stored(shop)], [1, 1], 'while it is open they are needed')
    await shop.admin('PATCH', `/api/complaint/${id}`, { act: 'answer', words: 'Sorry.' })
    await purge(db, new Date(), orderRetention)
    assert.equal(await photosLeft(), 1)
    await purge(db, later, orderRetention)
    assert.deepEqual([await photosLeft(), await stored(shop)], [0, 0])
    assert.equal((await seenComplaints(shop, timely)).complaints[0]?.words.length, 2, 'words stay')

    const guest = await packedOrder(shop)
    await said(shop, guest, spoilt, [await phonePhoto(2)])
    await db.delete(orderContacts).where(eq(orderContacts.orderId, guest.id))
    assert.deepEqual([await photosLeft(), await stored(shop)], [0, 0])

    await callerOf(shop, 'ann', 'USER')
    const own = await packedOrder(shop)
    await db.update(orders).set({ userId: 'ann' }).where(eq(orders.id, own.id))
    await db.update(orderContacts).set({ userId: 'ann' }).where(eq(orderContacts.orderId, own.id))
    const { photos } = await said(shop, own, spoilt, [await phonePhoto(3)])
    let copy = ''
    for await (const part of copyOf(shop.deps, 'ann')) copy += part
    const [told] = JSON.parse(copy).complaints
    assert.equal(told.words[0].text, spoilt.words)
    assert.deepEqual(told.photos, [`${own.path}/complaint/photo/${photos[0]?._id}`])
    assert.equal(await stored(shop), 1)
    await db.delete(users).where(eq(users.id, 'ann'))
    assert.deepEqual([await photosLeft(), await stored(shop)], [0, 0])
    assert.equal(await db.$count(complaints), 3, 'that there was one stays with what was sold')
    assert.equal(await db.$count(complaintWords), 2, 'of the order that is still known')
  })
