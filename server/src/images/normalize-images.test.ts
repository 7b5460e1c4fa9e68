import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { categories, products } from '#server/db/schema/shop.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { formOf, jpeg, storedPaths } from '#server/testing/files.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { limitConcurrency } from './image-processor.ts'

async function shopWith(): Promise<TestShop & { admin: Caller }> {
  const shop = await testShop()
  await shop.deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  return { ...shop, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

type Named = { bytes: Uint8Array; name: string }

async function send(call: Caller, files: readonly Named[]) {
  const form = await formOf([
    ['title', 'Snapper'],
    ['category_id', 'c'],
    ...files.map((file) => ['productImages', file] as const),
  ])
  return call('POST', '/api/product', form.payload, form.headers)
}

/** Bytes that nothing compresses, the same on every run. */
function noise(length: number): Buffer {
  let seed = 7
  const next = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed & 255
  }
  return Buffer.from(Array.from({ length }, next))
}

const noisy = (): Promise<Buffer> =>
  sharp(noise(200 * 200 * 3), { raw: { width: 200, height: 200, channels: 3 } })
    .jpeg()
    .toBuffer()

/** A PNG of 20,000 × 10,000 px in some 25 KB. Source: PNG specification, §5 and §11. */
function hugePng(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(20_000, 0)
  header.writeUInt32BE(10_000, 4)
  header[8] = 1
  const lines = deflateSync(Buffer.alloc(10_000 * (1 + 20_000 / 8)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', lines),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

async function animated(): Promise<Buffer> {
  const frames = await Promise.all([jpeg(10), jpeg(200)])
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
}

test('a file that is no valid image is rejected by name, and leaves neither rows nor files', async () => {
  await using shop = await shopWith()
  const good = { bytes: await jpeg(), name: 'good.jpg' }
  const whole = await noisy()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const bad: [name: string, bytes: Uint8Array, words: RegExp][] = [
    ['200-megapixel.png', hugePng(), /more than 50 megapixels/],
    ['truncated.jpg', whole.subarray(0, whole.length / 2), /damaged/],
    ['program.png', Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0'), noise(2_000)]), /is not a JPEG/],
    ['script.png', Buffer.from('GIF89a/*<script>alert(1)</script>*/=1'), /is not a JPEG/],
    ['drawing.svg', Buffer.from(svg), /is not a JPEG/],
    ['drawing.png', Buffer.from(`<?xml version="1.0"?>${svg}`), /is not a JPEG/],
    ['moving.webp', await animated(), /animated/],
    ['head-only.png', hugePng().subarray(0, 60), /more than 50 megapixels|damaged/],
    ['empty.jpg', Buffer.alloc(0), /is not a JPEG/],
  ]
  for (const [name, bytes, words] of bad) {
    const answer = await send(shop.admin, [good, { bytes, name }])
    assert.equal(answer.statusCode, 400, `${name}: ${answer.body}`)
    const { fields } = answer.json().error
    assert.equal(fields[0].path, 'productImages[1]', 'the good one is not blamed')
    assert.match(fields[0].message, words)
    assert.ok(fields[0].message.startsWith(name))
  }
  assert.equal(await shop.deps.db.$count(products), 0)
  assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] })
})

/** Other tests upload at the same time: what is left behind is looked for in a folder of one's own. */
async function ownTemporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'befaqt-uploads-'))
  const before = process.env.TMPDIR
  process.env.TMPDIR = path
  const end = async (): Promise<void> => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(path, { recursive: true, force: true })
  }
  return { path, [Symbol.asyncDispose]: end }
}

test('when images cannot be decoded the response says so, and nothing is stored', async () => {
  await using shop = await shopWith()
  await shop.deps.images.close()
  const answer = await send(shop.admin, [{ bytes: await jpeg(), name: 'good.jpg' }])
  assert.equal(answer.statusCode, 503, answer.body)
  assert.match(answer.json().error.message, /could not be read right now\. Please try again/)
  assert.equal(await shop.deps.db.$count(products), 0)
  assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] })
})

test('a file of 50 MB and a form of 100 files are read to their end and refused with the reason', async () => {
  await using folder = await ownTemporaryFolder()
  await using shop = await shopWith()
  const large = await send(shop.admin, [{ bytes: Buffer.alloc(50 * 1024 * 1024, 1), name: 'large.jpg' }])
  assert.equal(large.statusCode, 413)
  assert.match(large.json().error.message, /large\.jpg has more than 10 MB/)
  const bytes = await jpeg()
  const many = await send(
    shop.admin,
    Array.from({ length: 100 }, (_, i) => ({ bytes, name: `${i}.jpg` })),
  )
  assert.equal(many.statusCode, 413)
  assert.match(many.json().error.message, /100 files are too many/)
  const left = (await readdir(folder.path)).filter((name) => name.startsWith('befaqt-form-'))
  assert.deepEqual(left, [], 'no upload stays behind')
  assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] })
})

test('what is stored is our own WebP: upright, without location, camera or trailing data', async () => {
  await using shop = await shopWith()
  const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#357' } })
    .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '33/1 52/1 0/1', GPSLatitudeRef: 'S' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  assert.ok((await sharp(photo).metadata()).exif, 'the photo says where it was taken')
  const polyglot = Buffer.concat([photo, Buffer.from('<script>alert(1)</script>PK\x03\x04')])
  const answer = await send(shop.admin, [{ bytes: polyglot, name: 'photo.jpg' }])
  assert.equal(answer.statusCode, 201, answer.body)
  const [image] = answer.json().images
  assert.deepEqual([image.width, image.height], [200, 300])
  const { rawPayload, headers } = await shop.app.inject(`/api/file/${image.path}`)
  assert.equal(headers['content-type'], 'image/webp')
  assert.equal(rawPayload.includes('<script>'), false)
  const kept = await sharp(rawPayload).metadata()
  assert.deepEqual(
    [kept.format, kept.exif, kept.xmp, kept.orientation],
    ['webp', undefined, undefined, undefined],
  )
})

test('JPEG, PNG, WebP and AVIF are taken, large ones made smaller', async () => {
  await using shop = await shopWith()
  const source = () =>
    sharp({
      create: { width: 3_000, height: 60, channels: 4, background: { r: 1, g: 99, b: 9, alpha: 0.5 } },
    })
  const files = [
    { bytes: await source().jpeg().toBuffer(), name: 'a' },
    { bytes: await source().png().toBuffer(), name: 'b.exe' },
    { bytes: await source().webp().toBuffer(), name: 'c.txt' },
    { bytes: await source().avif({ effort: 0 }).toBuffer(), name: 'd' },
  ]
  const answer = await send(shop.admin, files)
  assert.equal(answer.statusCode, 201, answer.body)
  for (const { width } of answer.json().images) assert.equal(width, 2_400)
  const { onDisk, inDatabase } = await storedPaths(shop)
  assert.deepEqual(onDisk, inDatabase)
})

test('work in a limiter never exceeds its concurrency, and all of it is done, failures included', async () => {
  const limited = limitConcurrency(2)
  let running = 0
  let most = 0
  const done = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      limited(async () => {
        most = Math.max(most, ++running)
        await new Promise(setImmediate)
        running--
        if (i % 5 === 0) throw new Error('bad')
        return i
      }),
    ),
  )
  assert.equal(most, 2)
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 16)
})
