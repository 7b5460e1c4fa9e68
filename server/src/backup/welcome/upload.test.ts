import assert from 'node:assert/strict'
import { readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { RestoreState } from '@befaqt/domain/restore'
import { HEAD_BYTES, PART_BYTES } from '@befaqt/domain/restore-parts'
import { eq, sql } from 'drizzle-orm'
import { ensureFirstAdmin } from '#server/accounts/sign-up/first-admin.ts'
import { rows } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { smallDisk } from '#server/testing/small-disk.ts'
import { sealed } from '../frames.ts'
import { appendPart, beginUpload, restoreFolder } from './restore-folder.ts'

const [TAB, OTHER] = ['a'.repeat(32), 'b'.repeat(32)]
const OCTETS = 'application/octet-stream'

/** What begins as a backup: five parts of noise. */
async function backupOf(seed: number, passphrase?: string): Promise<Buffer> {
  const noise = Buffer.alloc(4 * PART_BYTES + 1_000)
  for (let i = 0; i < noise.length; i += 4) noise.writeUInt32LE(Math.imul(i + seed, 2_654_435_761) >>> 0, i)
  const content = (async function* () {
    yield noise
  })()
  const chunks: Buffer[] = []
  for await (const chunk of sealed(content, passphrase)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A bare shop with its printed link, and a clock that can be put on. */
async function bareShop(open?: (typeof testDatabases)[number][1], env: Record<string, string> = {}) {
  let ahead = 0
  const deps = { now: () => new Date(Date.now() + ahead) }
  const shop = await testShop({ deps, env, ...(open && { open }) })
  const link = (await ensureFirstAdmin(shop.deps))?.split('/').at(-1) ?? ''
  const call = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    more: { body?: object | Buffer; tab?: string; by?: string; place?: string } = {},
  ) => {
    const { body, tab = TAB, by = link, place } = more
    return shop.app.inject({
      method,
      url: `/api/restore${path}`,
      headers: {
        ...(by === '' ? {} : { 'setup-link': by }),
        ...(place !== undefined && { 'restore-place': place }),
        'restore-tab': tab,
        ...(Buffer.isBuffer(body) ? { 'content-type': OCTETS } : {}),
      },
      ...(body === undefined ? {} : { payload: body }),
    })
  }
  const begin = (bytes: Buffer, more: object = {}, tab = TAB) =>
    call('POST', '/upload', {
      body: { bytes: bytes.length, head: bytes.subarray(0, HEAD_BYTES).toString('base64'), ...more },
      tab,
    })
  const folder = restoreFolder(shop.deps.config)
  return {
    ...shop,
    ...{ link, call, begin, folder },
    wait: (ms: number) => {
      ahead += ms
    },
    there: () => readFile(join(folder, 'upload.part')),
    state: async (): Promise<RestoreState> => (await call('GET', '')).json(),
  }
}

for (const [name, open] of testDatabases) {
  test(`${name}: a backup is sent in parts, from where it was broken off, and each is on the disk`, async () => {
    await using shop = await bareShop(open)
    const { call, begin, there } = shop
    const file = await backupOf(1)
    const none = await shop.state()
    assert.deepEqual([none.refused, none.upload, none.progress, none.outcome], [null, null, null, null])
    assert.ok((none.freeBytes ?? 0) > 0 && none.maxBytes === 20_000 * 1024 * 1024 && none.place.length > 20)

    const begun = await begin(file, { name: 'a.backup' })
    assert.equal(begun.statusCode, 200, begun.body)
    const { id, received, encrypted } = begun.json()
    assert.deepEqual([received, encrypted], [0, false])
    const send = (offset: number, bytes: Buffer, tab = TAB) =>
      call('PUT', `/upload/${id}/${offset}`, { body: bytes, tab })
    assert.equal((await send(0, file.subarray(0, PART_BYTES))).json().received, PART_BYTES)
    assert.ok((await there()).equals(file.subarray(0, PART_BYTES)))

    const wrong = await send(0, file.subarray(0, 100))
    assert.deepEqual(
      [wrong.statusCode, wrong.json().error.received],
      [409, PART_BYTES],
      'twice, or out of order',
    )
    assert.equal((await send(PART_BYTES, Buffer.alloc(PART_BYTES + 1))).statusCode, 413)
    for (const odd of ['-1', 'x', '1e99', 'NaN'])
      assert.equal(
        (await call('PUT', `/upload/${id}/${odd}`, { body: Buffer.alloc(1) })).statusCode,
        409,
        odd,
      )
    assert.equal((await call('PUT', `/upload/..%2f..%2fkey/0`, { body: Buffer.alloc(1) })).statusCode, 409)
    assert.equal((await call('PUT', `/upload/${id}/${PART_BYTES}`, { body: { a: 1 } })).statusCode, 415)

    const cut = Readable.from(
      (async function* () {
        yield file.subarray(PART_BYTES, PART_BYTES + 500)
        throw new Error('the line broke')
      })(),
    )
    const part = { id, offset: PART_BYTES, tab: TAB, now: new Date() }
    await assert.rejects(appendPart(shop.folder, part, cut), /the line broke/)
    assert.equal((await there()).length, PART_BYTES, 'nothing of a part that was cut off')
    await truncate(join(shop.folder, 'upload.part'), PART_BYTES + 77) // as a process does that is killed in between
    let at = (await begin(file)).json().received
    assert.equal(at, PART_BYTES, 'the same file goes on')
    for (; at < file.length; at += PART_BYTES)
      assert.equal((await send(at, file.subarray(at, at + PART_BYTES))).statusCode, 200)
    assert.ok((await there()).equals(file))
    assert.equal((await send(file.length, Buffer.from('more'))).statusCode, 413)

    shop.wait(60_000)
    const sealedFile = await backupOf(2, 'a passphrase of these tests')
    const other = (await begin(sealedFile)).json()
    assert.deepEqual([other.received, other.encrypted], [0, true], 'another file takes its place')
    assert.notEqual(other.id, id)
    assert.equal((await send(0, file.subarray(0, 9))).statusCode, 409)
    assert.equal((await call('DELETE', '/upload')).statusCode, 204)
    assert.equal((await shop.state()).upload, null)
    await assert.rejects(there(), /ENOENT/)
  })

  test(`${name}: only the link, or the one owner, sends and restores; no longer once anybody uses the shop`, async () => {
    await using shop = await bareShop(open)
    const { call, begin, deps } = shop
    const file = await backupOf(3)
    assert.equal((await call('GET', '', { by: '' })).json().error.code, 'auth.required')
    for (const by of ['x', 'A'.repeat(43), `${shop.link}A`, shop.link.toLowerCase()])
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/upload'],
        ['PUT', '/upload/x/0'],
        ['DELETE', '/upload'],
        ['POST', ''],
      ] as const) {
        const bodies = { '': { id: 'x' }, '/upload': { bytes: 1, head: '' }, '/upload/x/0': Buffer.alloc(1) }
        const body = method === 'GET' || method === 'DELETE' ? {} : { body: bodies[path as ''] }
        const refused = await call(method, path, { by, ...body })
        assert.equal(refused.json().error.code, 'token.invalid', `${method} ${path} ${by}`)
      }
    assert.equal((await begin(file)).statusCode, 200)
    assert.equal(
      (await call('POST', '/upload', { body: { bytes: 9, head: '' }, tab: 'short' })).statusCode,
      400,
    )

    const olga = await callerOf(shop, 'olga', 'ADMIN')
    assert.match((await begin(file)).json().error.message, /^This shop is in use: it has accounts/)
    const tab = { 'restore-tab': TAB }
    const own = await olga('GET', '/api/restore', undefined, tab)
    assert.deepEqual([own.statusCode, own.json().refused], [200, null], own.body)
    await rows(deps.db, sql`update sessions set confirmed_at = null`)
    const { id } = own.json().upload
    const start = await olga('POST', '/api/restore', { id, passphrase: '' }, tab)
    assert.equal(start.json().error.code, 'auth.confirm')
    await rows(deps.db, sql`update sessions set confirmed_at = now()`)
    const half = await olga('POST', '/api/restore', { id, passphrase: '' }, tab)
    assert.match(half.json().error.message, /^Only 0 of \d+ bytes/)

    const ursula = await callerOf(shop, 'ursula', 'USER')
    assert.equal((await ursula('GET', '/api/restore')).json().error.code, 'token.invalid')
    assert.match((await olga('GET', '/api/restore', undefined, tab)).json().refused, /has accounts/)
    await deps.db.delete(users).where(eq(users.id, 'ursula'))
    assert.equal((await olga('GET', '/api/restore', undefined, tab)).json().refused, null)
    const box = await olga('POST', '/api/box/registration', {
      boxID: 'B-1',
      fisher: { traderID: 'T', traderName: 'Sample', companyName: '', boat: '', address: '' },
    })
    assert.ok(box.statusCode < 300, box.body)
    const remove = await olga('DELETE', '/api/restore/upload', undefined, tab)
    assert.match(remove.json().error.message, /boxes of its own/)
  })
}

test('of two tabs that send at once the second is told, and may take over', async () => {
  await using shop = await bareShop()
  const { call, begin } = shop
  const file = await backupOf(4)
  const { id } = (await begin(file)).json()
  const send = (offset: number, tab: string) =>
    call('PUT', `/upload/${id}/${offset}`, { body: file.subarray(offset, offset + 1_000), tab })
  assert.equal((await send(0, TAB)).statusCode, 200)
  const second = await begin(file, {}, OTHER)
  assert.deepEqual([second.statusCode, second.json().error.reason], [409, 'other_tab'])
  assert.equal((await begin(file, { takeOver: true }, OTHER)).json().received, 1_000)
  assert.equal((await send(1_000, OTHER)).statusCode, 200)
  assert.equal((await send(2_000, TAB)).json().error.reason, 'other_tab', 'the first is told')
  assert.equal((await call('DELETE', '/upload', { tab: TAB })).statusCode, 409)
  shop.wait(21_000)
  assert.equal((await begin(file)).json().received, 2_000, 'it was left')

  const both = await Promise.all([send(2_000, TAB), send(2_000, TAB), send(2_000, TAB)])
  assert.equal(both.filter(({ statusCode }) => statusCode === 200).length, 1, 'one part at a time')
  assert.equal((await shop.there()).length, 3_000)
})

test('what is meant for a process with another DATA_DIR is refused by this one, whose failures say whose they are', async () => {
  await using shop = await bareShop()
  const { call } = shop
  const file = await backupOf(6)
  const body = { bytes: file.length, head: file.subarray(0, HEAD_BYTES).toString('base64') }
  const { place } = await shop.state()
  const begun = await call('POST', '/upload', { body, place })
  assert.equal(begun.statusCode, 200, begun.body)
  const { id } = begun.json()
  const other = 'the place of another process'
  for (const [method, path, more] of [
    ['POST', '/upload', { body }],
    ['PUT', `/upload/${id}/0`, { body: file.subarray(0, 9) }],
    ['POST', '', { body: { id } }],
    ['DELETE', '/upload', {}],
  ] as const) {
    const { error } = (await call(method, path, { ...more, place: other })).json()
    assert.deepEqual([error.code, error.reason], ['conflict', 'place'], `${method} ${path}`)
  }
  assert.equal((await shop.state()).upload?.received, 0, 'nothing was done')
  const { error } = (await call('GET', '', { by: 'x' })).json()
  assert.deepEqual([error.code, error.place], ['token.invalid', place])
})

test('what is no backup, too large, or finds no room is refused before it is sent', async (t) => {
  await using shop = await bareShop(undefined, { RESTORE_MAX_MB: '5' })
  const file = await backupOf(5)
  const refused = async (bytes: Buffer, more: object = {}): Promise<string> => {
    const answer = await shop.begin(bytes, more)
    return `${answer.statusCode} ${answer.json().error.message}`
  }
  assert.match(await refused(Buffer.from('a text')), /^400 This is no backup of a shop/)
  assert.match(await refused(Buffer.alloc(0)), /^400 The file is empty/)
  const newer = Buffer.from(file.toString('latin1').replace('"format":1', '"format":9'), 'latin1')
  assert.match(await refused(newer), /^400 The backup has layout 9/)
  assert.match(await refused(file.subarray(0, 15)), /^400 Half a backup/)
  assert.match(await refused(file), /^413 .*RESTORE_MAX_MB/)

  await using off = await bareShop(undefined, { RESTORE_MAX_MB: '0' })
  assert.match((await off.state()).refused ?? '', /switched off/)
  assert.equal((await off.begin(file)).statusCode, 409)

  const mounted = await smallDisk(80)
  if ('why' in mounted) return t.skip(mounted.why)
  await using disk = mounted
  const folder = join(disk.folder, 'restore')
  const asked = { name: '', head: file.subarray(0, 200), takeOver: false, tab: TAB, now: new Date() }
  const large = { ...asked, bytes: 60 << 20 }
  await assert.rejects(beginUpload(folder, large, 1 << 30), { code: 'insufficient_storage' })
  const begun = await beginUpload(folder, { ...asked, bytes: file.length }, 1 << 30)
  const part = { id: begun.id, offset: 0, tab: TAB, now: new Date() }
  await disk.fill()
  const first = () => Readable.from([file.subarray(0, PART_BYTES)])
  await assert.rejects(appendPart(folder, part, first()), { code: 'insufficient_storage' })
  await disk.empty()
  assert.equal((await appendPart(folder, part, first())).received, PART_BYTES, 'and goes on with room')
  await disk.lock()
  const next = { ...part, offset: PART_BYTES }
  await assert.rejects(appendPart(folder, next, first()), /can’t be written: it is read-only/)
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
})
