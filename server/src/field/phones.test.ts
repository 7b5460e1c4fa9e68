import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedReading } from '@befaqt/domain/field-entry'
import { Signer } from '@befaqt/provenance/signed/signer'
import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema/accounts.ts'
import { fieldEntries } from '#server/db/schema/suppliers.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import {
  ago,
  caught,
  common,
  DAY,
  factsOf,
  fieldShop,
  handed,
  send,
  supplier,
} from '#server/testing/field.ts'
import { keyFor } from '#server/testing/readings.ts'
import { hexOf } from '#server/testing/signed-readings.ts'

type Answer = Awaited<ReturnType<Caller>>

const linkFor = async (admin: Caller, userId: string): Promise<string> => {
  const made = await admin('POST', `/api/manage/supplier/${userId}/phone`, { name: 'Phone of the Gannet' })
  assert.equal(made.statusCode, 201, made.body)
  return made.json().link.split('/').at(-1)
}

const begin = (call: Caller, token: string, signer: Signer) =>
  call('POST', '/api/field/phone', { token, publicKey: hexOf(signer.publicKey) })

const complete = (call: Caller, signer: Signer, message: string, by = signer) =>
  call('POST', `/api/field/phone/${signer.id}`, { signature: hexOf(by.sign(Buffer.from(message, 'hex'))) })

async function phoneOf(admin: Caller, call: Caller, userId: string): Promise<Signer> {
  const signer = new Signer()
  const { message } = (await begin(call, await linkFor(admin, userId), signer)).json()
  const done = await complete(call, signer, message)
  assert.equal(done.statusCode, 201, done.body)
  return signer
}

/** A reading of a tag, as a phone signs it. */
function signedEntry(signer: Signer, counter: number, madeBy: string, box: string, more: object = {}) {
  const entry = { ...common(madeBy, box), kind: 'reading', iotID: 'Ruuvi 884F', temperature: 1.5, ...more }
  return { ...entry, signed: signatureOf(signer, counter, entry) }
}

function signatureOf(
  signer: Signer,
  counter: number,
  entry: Parameters<typeof signedReading>[0] & { box: string },
) {
  const mark = signer.jcsMark(signedReading(entry), { box: entry.box, counter })
  assert.equal(mark.form, 'jcs')
  return { key: signer.id, counter, signature: mark.form === 'jcs' ? mark.signature : '' }
}

/** Reason of a refused link, or the path and beginning of the first refused field. */
const whyOf = (answer: Answer): string => {
  const { error } = answer.json()
  const [field] = error.fields ?? []
  return error.reason ?? (field ? `${field.path}: ${field.message}` : error.message)
}

for (const [name, open] of testDatabases)
  test(`${name}: a phone is enrolled by a link of its supplier's, signs, and its record holds what it signed`, async () => {
    await using shop = await fieldShop({ open })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const ann = await supplier(shop, 'ann', 'Sample Fisher')
    const token = await linkFor(admin, 'ann')
    const signer = new Signer()
    const lost = (await begin(ann, token, signer)).json()
    assert.equal(lost.id, signer.id)
    const { message, nonce } = (await begin(ann, token, signer)).json()
    assert.match(whyOf(await complete(ann, signer, lost.message)), /^signature: .*not the signature/)
    assert.match(whyOf(await complete(ann, signer, message, new Signer())), /^signature/)
    assert.match(whyOf(await complete(ann, signer, nonce)), /^signature/)
    const asManager = { signature: hexOf(signer.sign(Buffer.from(message, 'hex'))) }
    const around = await admin('POST', `/api/device/${signer.id}/enrol`, asManager)
    assert.equal(around.statusCode, 404, 'a phone is registered by its link alone')
    const both = await Promise.all([complete(ann, signer, message), complete(ann, signer, message)])
    const codes = both.map(({ statusCode }) => statusCode)
    assert.deepEqual([codes.filter((code) => code === 201).length, codes.length], [1, 2], both[0]?.body)
    assert.equal((await complete(ann, signer, message)).statusCode, 404, 'a nonce counts once')
    const { phones } = (await ann('GET', '/api/field/user')).json()
    assert.deepEqual(
      phones.map(({ id, name, revokedAt }: Record<string, unknown>) => [id, name, revokedAt]),
      [[signer.id, 'Phone of the Gannet', null]],
    )
    const [device] = (await admin('GET', '/api/device')).json().rows
    assert.deepEqual([device.supplier, device.level], [{ userId: 'ann', party: 'Sample Fisher' }, 'gateway'])

    shop.wait(120_000)
    await send(ann, caught('ann', 'P-1'))
    const at = {
      madeAt: new Date(Date.parse(ago(0)) + 60_000).toISOString(),
      sentAt: new Date(Date.parse(ago(0)) + 120_000).toISOString(),
    }
    const entry = signedEntry(signer, 7, 'ann', 'P-1', at)
    const first = await send(ann, entry)
    assert.deepEqual([first.statusCode, first.json().signed], [201, true], first.body)
    const again = await send(ann, { ...entry, signed: signatureOf(signer, 8, entry) })
    assert.deepEqual([again.statusCode, again.body], [200, first.body], 'with the same or a higher counter')
    const [reading] = (await factsOf(shop, 'P-1')).filter(({ kind }) => kind === 'tracking')
    const mark = signer.jcsMark(signedReading({ ...entry, iotID: 'Ruuvi 884F', temperature: 1.5 }), {
      box: 'P-1',
      counter: 7,
    })
    assert.deepEqual(reading?.data, {
      ...signedReading({ ...entry, iotID: 'Ruuvi 884F', temperature: 1.5 }),
      signed: mark,
    })
    const proof = await shop.app.inject({ url: '/api/box/P-1/proof' })
    assert.deepEqual(
      proof.json().devices.map(({ box }: { box: string }) => box),
      [`device:${signer.id}`],
    )
  })

test('a link is for one supplier, once, for a week; a key is registered once', async () => {
  await using shop = await fieldShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const [ann, bo] = [
    await supplier(shop, 'ann', 'Sample Fisher'),
    await supplier(shop, 'bo', 'Sample Carrier'),
  ]
  const [old, token] = [await linkFor(admin, 'ann'), await linkFor(admin, 'ann')]
  const signer = new Signer()
  assert.equal(whyOf(await begin(ann, old, signer)), 'unknown', 'a newer link replaced it')
  assert.equal(whyOf(await begin(bo, token, signer)), 'another')
  const { message } = (await begin(ann, token, signer)).json()
  assert.equal(whyOf(await complete(bo, signer, message)), 'another')
  const rival = new Signer()
  const rivals = (await begin(ann, token, rival)).json()
  assert.equal((await complete(ann, signer, message)).statusCode, 201)
  assert.equal(whyOf(await complete(ann, rival, rivals.message)), 'used', 'two phones, one link')
  assert.equal(whyOf(await begin(ann, token, rival)), 'used')
  const next = await linkFor(admin, 'ann')
  assert.equal((await begin(ann, next, signer)).json().error.code, 'conflict', 'this key is registered')
  shop.wait(7 * DAY + 1)
  assert.equal(whyOf(await begin(ann, next, rival)), 'expired')
  const late = await linkFor(await callerOf(shop, 'eve', 'ADMIN'), 'ann')
  const slow = (await begin(ann, late, rival)).json()
  shop.wait(3_600_001)
  assert.equal((await complete(ann, rival, slow.message)).statusCode, 404, 'a nonce lasts an hour')
  const wrong = await begin(ann, '', rival)
  assert.equal(wrong.json().error.fields[0].path, 'token')
  const manager = await callerOf(shop, 'fay', 'ADMIN')
  assert.equal((await manager('POST', '/api/manage/supplier/admin/phone', { name: 'x' })).statusCode, 404)
  const nameless = await manager('POST', '/api/manage/supplier/ann/phone', { name: ' ' })
  assert.equal(nameless.json().error.fields[0].path, 'name')
})

test('links that were not used are listed without their token, and one that is revoked works no more', async () => {
  await using shop = await fieldShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const [ann, bo] = [
    await supplier(shop, 'ann', 'Sample Fisher'),
    await supplier(shop, 'bo', 'Sample Carrier'),
  ]
  const listed = async () => {
    const answer = await admin('GET', '/api/manage/supplier')
    return answer.json().phoneLinks.map(({ id, ...link }: { id: string }) => link)
  }
  const token = await linkFor(admin, 'ann')
  shop.wait(1)
  const expiresAt = new Date(Date.parse(ago(0)) + 7 * DAY).toISOString()
  const [first] = (await admin('GET', '/api/manage/supplier')).json().phoneLinks
  const link = { name: 'Phone of the Gannet', expiresAt, expired: false }
  assert.deepEqual(await listed(), [{ ...link, supplier: { userId: 'ann', name: first.supplier.name } }])
  await phoneOf(admin, bo, 'bo')
  assert.equal((await listed()).length, 1, 'a link that was used is none')
  assert.equal((await ann('DELETE', `/api/manage/supplier/phone/${first.id}`)).statusCode, 403)
  assert.equal((await admin('DELETE', `/api/manage/supplier/phone/${first.id}`)).statusCode, 204)
  assert.deepEqual(await listed(), [])
  assert.equal(whyOf(await begin(ann, token, new Signer())), 'unknown')
  assert.equal((await admin('DELETE', `/api/manage/supplier/phone/${first.id}`)).statusCode, 404)
  await linkFor(admin, 'ann')
  shop.wait(7 * DAY + 1)
  assert.equal((await listed())[0].expired, true)
})

test('what a phone signs counts for boxes of its supplier alone, with a counter used once, until it is revoked', async () => {
  await using shop = await fieldShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const [ann, bo] = [
    await supplier(shop, 'ann', 'Sample Fisher'),
    await supplier(shop, 'bo', 'Sample Carrier'),
  ]
  await send(ann, caught('ann', 'P-1'))
  await send(bo, caught('bo', 'P-2'))
  const [phone, other] = [await phoneOf(admin, ann, 'ann'), await phoneOf(admin, bo, 'bo')]
  shop.wait(60_000)
  const now = new Date(Date.parse(ago(0)) + 60_000).toISOString()
  const at = { madeAt: now, sentAt: now }
  const entry = signedEntry(phone, 5, 'ann', 'P-1', at)
  assert.equal((await send(ann, entry)).statusCode, 201)
  const why = async (call: Caller, one: object) => whyOf(await send(call, one))
  const next = (counter: number, more: object = {}, by = phone, box = 'P-1') =>
    signedEntry(by, counter, 'ann', box, { ...at, temperature: 2, ...more })
  assert.match(await why(ann, next(5)), /^signed.counter: was used before/)
  const replayed = { ...next(6), signed: entry.signed }
  assert.match(await why(ann, replayed), /^signed.signature: is not the signature/)
  assert.match(await why(ann, next(6, {}, other)), /^signed.key: No phone of yours/)
  assert.match(await why(ann, next(6, {}, new Signer())), /^signed.key: No phone of yours/)
  assert.match(
    await why(ann, next(6, { madeAt: ago(60_000) })),
    /^signed.time: is before the key became valid/,
  )
  assert.match(await why(ann, next(6, {}, phone, 'P-2')), /somebody else’s/)

  const key = await keyFor(shop, 'record:write')
  const carried = async (box: string, by = phone) => {
    const reading = { ...signedReading({ ...entry, iotID: 'Ruuvi 884F', temperature: 3 }), box }
    const signed = signatureOf(by, 9, { ...reading, madeAt: now })
    const headers = { authorization: `Bearer ${key}` }
    const payload = { readings: [{ ...reading, ...signed }] }
    const { refused } = (
      await shop.app.inject({ method: 'POST', url: '/api/tracking', headers, payload })
    ).json()
    return refused[0] ? `${refused[0].path}: ${refused[0].message}` : 'accepted'
  }
  assert.match(await carried('P-2'), /^box: is somebody else’s/, 'whoever carries it')
  assert.equal(await carried('P-1'), 'accepted')
  await send(ann, handed('ann', 'P-1', 'Sample Fisher', 'Sample Carrier', at))
  assert.equal(await carried('P-1', other), 'accepted', 'bo holds it now')
  await shop.deps.db.update(users).set({ status: 'DISABLED' }).where(eq(users.id, 'bo'))
  assert.match(
    await carried('P-2', other),
    /^box: is somebody else’s/,
    'of a disabled account nothing counts',
  )

  const askew = next(20, { sentAt: ago(3_600_000) })
  assert.deepEqual(
    [(await send(ann, askew)).json().signed, (await send(ann, askew)).json().clockWrong],
    [false, true],
    'a time by a wrong clock is put right, and not called signed',
  )
  const revoked = await admin('POST', `/api/device/${phone.id}/revoke`, { reason: 'lost' })
  assert.equal(revoked.statusCode, 200)
  const last = next(30, { temperature: 2.5, iotID: 'Ruuvi 0001' })
  assert.match(await why(ann, last), /^signed.key: This key was revoked/)
  const { signed: _, ...unsigned } = last
  assert.deepEqual([(await send(ann, unsigned)).json().signed], [false], 'it goes on as typed in')
  const { phones } = (await ann('GET', '/api/field/user')).json()
  assert.notEqual(phones[0].revokedAt, null)
  const kept = await shop.deps.db.select().from(fieldEntries).where(eq(fieldEntries.signedBy, phone.id))
  assert.equal(kept.length, 1)
})
