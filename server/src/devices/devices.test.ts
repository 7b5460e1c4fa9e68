import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Signer } from '@befaqt/provenance/signed/signer'
import { eq } from 'drizzle-orm'
import { boxes } from '#server/db/schema/boxes.ts'
import { enrolments } from '#server/db/schema/devices.ts'
import { changes } from '#server/db/schema/shop.ts'
import { callerOf } from '#server/testing/caller.ts'
import { historyOf, keyFor, NOW, shopWithBoxes } from '#server/testing/readings.ts'
import { enrolled, hexOf } from '#server/testing/signed-readings.ts'

test('a key is registered by its signature over a nonce, recorded in a box of its own, and revoked once', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const { admin } = shop
  const signer = await enrolled(admin, 'gateway')
  const box = `device:${signer.id}`
  const entry = signer.entry('gateway', '2026-11-20T00:00:00Z')
  const [first] = await historyOf(shop.deps.db, box)
  assert.deepEqual([first?.kind, first?.data], ['device', { ...entry, name: 'Test gateway' }])
  const revoked = await admin('POST', `/api/device/${signer.id}/revoke`, { reason: 'lost at sea' })
  assert.equal(revoked.statusCode, 200, revoked.body)
  assert.equal(
    (await admin('POST', `/api/device/${signer.id}/revoke`, { reason: 'lost at sea' })).statusCode,
    404,
    'only once',
  )
  const [, second] = await historyOf(shop.deps.db, box)
  assert.deepEqual(second?.data, { ...entry, name: 'Test gateway', revokedAt: '2026-11-20T00:00:00Z' })
  const [view] = (await admin('GET', '/api/device')).json().rows
  assert.deepEqual([view.id, view.last, view.revokedAt], [signer.id, null, NOW.toISOString()])
  const listed = async (query: string) => (await admin('GET', `/api/device?${query}`)).json().total
  assert.deepEqual(
    [
      await listed('kind=valid'),
      await listed('kind=revoked'),
      await listed('q=gateway'),
      await listed('q=buoy'),
    ],
    [0, 1, 1, 0],
  )
  const why = await admin('POST', `/api/device/${signer.id}/revoke`, { reason: ' ' })
  assert.deepEqual([why.statusCode, why.json().error.fields[0].path], [400, 'reason'])
  const audited = await shop.deps.db.select().from(changes).where(eq(changes.entity, 'device'))
  assert.deepEqual(
    audited.map(({ action, after }) => [action, after?.reason]),
    [
      ['create', undefined],
      ['update', 'lost at sea'],
    ],
  )
})

test('a logger that measured before it was registered counts since a time that its manager names', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const signer = new Signer()
  const begin = (validFrom: string) =>
    shop.admin('POST', '/api/device', {
      name: 'Logger',
      publicKey: hexOf(signer.publicKey),
      level: 'sensor',
      validFrom,
    })
  for (const wrong of ['2026-11-20T00:00:01Z', '2026-10-20T00:00:00Z', 'yesterday'])
    assert.equal((await begin(wrong)).json().error.fields[0].path, 'validFrom', wrong)
  const { message } = (await begin('2026-11-19T12:00:00Z')).json()
  const signature = hexOf(signer.sign(Buffer.from(message, 'hex')))
  const done = await shop.admin('POST', `/api/device/${signer.id}/enrol`, { signature })
  assert.equal(done.json().validFrom, '2026-11-19T12:00:00.000Z')
})

test('the register is proven like a box and is none: no page, no list, no writing to it', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const { id } = await enrolled(shop.admin)
  const box = encodeURIComponent(`device:${id}`)
  const statusOf = async (url: string) => (await shop.app.inject({ url })).statusCode
  assert.equal(await statusOf(`/api/box/${box}/proof`), 200)
  assert.equal(await statusOf(`/api/box/${box}`), 404)
  assert.equal(await statusOf(`/api/box/${box}/page`), 404)
  assert.equal((await shop.app.inject({ url: '/api/box' })).json().total, 1)
  assert.equal((await shop.admin('GET', '/api/manage/box?page=1')).json().total, 1)
  assert.equal((await shop.admin('POST', `/api/box/${box}/seal`)).statusCode, 404)
  const fisher = { traderID: 'T', traderName: '', companyName: '', boat: '', address: '' }
  const forged = await shop.admin('POST', '/api/box/registration', {
    boxID: `device:${'0'.repeat(32)}`,
    fisher,
  })
  assert.equal(forged.statusCode, 400)
  const [row] = await shop.deps.db
    .select()
    .from(boxes)
    .where(eq(boxes.id, `device:${id}`))
  assert.equal(row?.count, 1)
})

test('nothing is registered without the right signature, twice, or an hour later', async () => {
  let now = NOW
  await using shop = await shopWithBoxes(['BOX-1'], { deps: { now: () => now } })
  const { admin } = shop
  const signer = new Signer()
  const body = { name: 'Logger', publicKey: hexOf(signer.publicKey), level: 'sensor' }
  const answer = async (signature: Uint8Array) =>
    admin('POST', `/api/device/${signer.id}/enrol`, { signature: hexOf(signature) })
  assert.equal((await answer(signer.sign(Buffer.from('x')))).statusCode, 404, 'nothing was begun')
  const first = (await admin('POST', '/api/device', body)).json()
  const second = (await admin('POST', '/api/device', body)).json()
  const signed = (message: string, by = signer) => by.sign(Buffer.from(message, 'hex'))
  const old = await answer(signed(first.message))
  assert.deepEqual([old.statusCode, old.json().error.fields[0].path], [400, 'signature'])
  assert.equal((await answer(signed(second.message, new Signer()))).statusCode, 400)
  assert.equal((await answer(signed(second.nonce))).statusCode, 400, 'the nonce alone is not the message')
  now = new Date(NOW.getTime() + 3_600_001)
  assert.equal((await answer(signed(second.message))).statusCode, 404, 'too late')
  const third = (await admin('POST', '/api/device', body)).json()
  assert.equal((await answer(signed(third.message))).statusCode, 201)
  assert.equal((await admin('POST', '/api/device', body)).statusCode, 409, 'known')
  const bad = await admin('POST', '/api/device', { name: ' ', publicKey: 'xyz', level: 'boss' })
  assert.deepEqual(
    bad.json().error.fields.map(({ path }: { path: string }) => path),
    ['name', 'publicKey', 'level'],
  )
})

test('only administrators, and keys with that right, see and change the register', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const { id } = await enrolled(shop.admin)
  const user = await callerOf(shop, 'someone', 'USER')
  const bearing = async (right: 'device:write' | 'box:write') => ({
    authorization: `Bearer ${await keyFor(shop, right)}`,
  })
  const [may, mayNot] = [await bearing('device:write'), await bearing('box:write')]
  const calls = [
    ['GET', '/api/device'],
    ['POST', '/api/device'],
    ['GET', `/api/device/${id}`],
    ['POST', `/api/device/${id}/enrol`],
    ['POST', `/api/device/${id}/revoke`],
  ] as const
  for (const [method, url] of calls) {
    assert.equal((await user(method, url, {})).statusCode, 403, `${method} ${url}`)
    assert.equal((await shop.app.inject({ method, url, payload: {} })).statusCode, 401, `${method} ${url}`)
    const statusWith = async (headers: typeof may) =>
      (await shop.app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) })).statusCode
    assert.equal(await statusWith(mayNot), 403, `${method} ${url}`)
    assert.equal(await statusWith(may), method === 'GET' ? 200 : 400, `${method} ${url}`)
  }
  const limited = { authorization: `Bearer ${await keyFor(shop, 'device:write', ['BOX-1'])}` }
  for (const url of ['/api/device', `/api/device/${id}`, '/api/tracker'])
    assert.equal((await shop.app.inject({ url, headers: limited })).statusCode, 403, url)
  for (const [method, url, payload] of [
    ['POST', '/api/device', { name: 'x', publicKey: '0'.repeat(64), level: 'sensor' }],
    ['POST', `/api/device/${id}/enrol`, { signature: '0'.repeat(128) }],
    ['POST', `/api/device/${id}/revoke`, { reason: 'x' }],
    ['PUT', '/api/tracker/tive:x/assignment', { box: 'BOX-1', time: '2026-11-19T00:00:00Z' }],
  ] as const)
    assert.equal((await shop.app.inject({ method, url, headers: limited, payload })).statusCode, 403, url)
})

test('a key is registered after it was begun and revoked after it was registered, and does nothing else', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const { admin } = shop
  const signer = new Signer()
  const begin = () =>
    admin('POST', '/api/device', { name: 'Logger', publicKey: hexOf(signer.publicKey), level: 'sensor' })
  const enrol = (message: string) => {
    const signature = hexOf(signer.sign(Buffer.from(message, 'hex')))
    return admin('POST', `/api/device/${signer.id}/enrol`, { signature })
  }
  const revoke = () => admin('POST', `/api/device/${signer.id}/revoke`, { reason: 'lost at sea' })
  const codes = (...replies: { statusCode: number }[]) => replies.map(({ statusCode }) => statusCode)
  assert.deepEqual(codes(await enrol('00'), await revoke()), [404, 404], 'nothing was begun')
  const { message: old } = (await begin()).json()
  const { message } = (await begin()).json()
  assert.deepEqual(codes(await revoke(), await enrol(old)), [404, 400], 'the newest nonce counts')
  await shop.deps.db.update(enrolments).set({ expiresAt: new Date(NOW.getTime() - 1) })
  assert.deepEqual(codes(await enrol(message)), [404], 'it lapsed')
  const again = (await begin()).json().message
  assert.deepEqual(codes(await enrol(again), await enrol(again), await begin()), [201, 404, 409])
  assert.deepEqual(
    codes(await revoke(), await revoke(), await begin(), await enrol(again)),
    [200, 404, 409, 404],
  )
})
