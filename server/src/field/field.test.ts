import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { invitations } from '#server/db/schema/suppliers.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { tokenIn } from '#server/testing/accounts.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import {
  ago,
  caught,
  common,
  DAY,
  factsOf,
  fieldShop,
  fisher,
  handed,
  send,
  supplier,
} from '#server/testing/field.ts'

for (const [name, open] of testDatabases)
  test(`${name}: a supplier joins by an emailed link, once, and is out when disabled`, async () => {
    await using shop = await fieldShop({ open })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const post = () =>
      runDueJobs(shop.deps.db, interactiveJobs(shop.deps), shop.deps.log, new AbortController().signal)
    const invite = () =>
      admin('POST', '/api/manage/supplier/invitation', { email: 'ann@example.org', fisher })
    assert.equal((await invite()).statusCode, 201)
    await post()
    assert.equal((await invite()).statusCode, 201)
    assert.equal((await invite()).statusCode, 201)
    await post()
    assert.equal(shop.mail.length, 2, 'one that was replaced before it was sent is not sent')
    const [old, link] = shop.mail.map(tokenIn)
    const join = (token: string | undefined) =>
      shop.app.inject({
        method: 'POST',
        url: '/api/field/join',
        payload: { token, fname: 'Ann', lname: 'Lee', phone: '0400 000 000', password: 'saltwater' },
      })
    const ask = (token = '') =>
      shop.app.inject({ method: 'POST', url: '/api/field/invitation', payload: { token } })
    assert.equal((await ask(link)).json().traderName, 'Sample Fisher')
    assert.equal((await join(old)).json().error.reason, 'unknown', 'the second invitation revoked the first')
    const both = await Promise.all([join(link), join(link)])
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [201, 400])
    const refused = both.find(({ statusCode }) => statusCode === 400)
    assert.equal(refused?.json().error.reason, 'used')
    const signedIn = await shop.app.inject({
      method: 'POST',
      url: '/api/user/signIn',
      payload: { email: 'ann@example.org', password: 'saltwater' },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    const headers = { authorization: `Bearer ${signedIn.json().token}` }
    const me = () => shop.app.inject({ url: '/api/field/user', headers })
    assert.equal((await me()).json().party, 'Sample Fisher')
    assert.equal((await invite()).json().error.code, 'conflict', 'a supplier already')
    const listed = (await admin('GET', '/api/manage/supplier')).json()
    assert.deepEqual([listed.suppliers.length, listed.invitations.length], [1, 0])
    const [{ userId }] = listed.suppliers
    assert.equal((await admin('PATCH', `/api/user/${userId}`, { status: 'DISABLED' })).statusCode, 200)
    assert.equal((await me()).statusCode, 401)
  })

test('an invitation expires, can be revoked, and makes no supplier of an administrator', async () => {
  await using shop = await fieldShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const invite = (email: string) => admin('POST', '/api/manage/supplier/invitation', { email, fisher })
  assert.equal((await invite('admin@example.org')).statusCode, 409)
  const { id } = (await invite('bea@example.org')).json()
  assert.equal((await admin('DELETE', `/api/manage/supplier/invitation/${id}`)).statusCode, 204)
  assert.equal((await admin('DELETE', `/api/manage/supplier/invitation/${id}`)).statusCode, 404)
  await invite('cem@example.org')
  await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), shop.deps.log, new AbortController().signal)
  shop.wait(8 * DAY)
  const token = tokenIn(shop.mail.at(-1))
  const late = await shop.app.inject({ method: 'POST', url: '/api/field/invitation', payload: { token } })
  assert.equal(late.json().error.reason, 'expired')
  await callerOf(shop, 'dan', 'USER')
  const promoted = await (await callerOf(shop, 'eve', 'ADMIN'))('PATCH', '/api/user/dan', {
    role: 'SUPPLIER',
  })
  assert.equal(promoted.json().error.code, 'conflict')
})

test('a catch and a hand-over of a phone are the facts that the API makes of them, once each', async () => {
  await using shop = await fieldShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const ann = await supplier(shop, 'ann', 'Sample Fisher')
  const entry = caught('ann', 'F-1')
  const answers = await Promise.all([1, 2, 3].map(() => send(ann, entry)))
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 200, 201])
  assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
  assert.equal((await send(ann, { ...entry, species: 'Tailor' })).statusCode, 422)
  const over = await send(ann, handed('ann', 'F-1', 'Sample Fisher', 'Sydney Fish Market'))
  assert.equal(over.statusCode, 201, over.body)

  const identity = { ...fisher, traderID: 'ann' }
  await admin('POST', '/api/box/registration', { boxID: 'A-1', fisher: identity })
  const time = '2026-11-19T23:59:00Z'
  const place = { latitude: -33.9, longitude: 151.3 }
  const data = { time, boat: 'Gannet', ...place, locationCodeLat: -33.9, locationCodeLong: 151.3 }
  await admin('POST', '/api/box/A-1/catch', {
    ...data,
    ...{ method: 'Line', img: '', species: 'Snapper', size: '45 cm', note: '' },
  })
  const parties = { from: 'Sample Fisher', to: 'Sydney Fish Market', accepted: true, reason: '' }
  const handover = await admin('POST', '/api/box/A-1/handover', {
    time,
    temperature: 1.5,
    ...parties,
    ...place,
  })
  assert.equal(handover.statusCode, 201, handover.body)
  const [phone, api] = [await factsOf(shop, 'F-1'), await factsOf(shop, 'A-1')]
  assert.deepEqual(
    phone.map(({ kind }) => kind),
    ['registration', 'catch', 'handover'],
  )
  assert.deepEqual(
    phone.slice(1).map(({ data }) => data),
    api.slice(1).map(({ data }) => data),
  )
  assert.equal(phone[0].at, '2026-11-20 10:59:00', 'when it was caught, not when it came')
})

test('a photo goes with its catch; what is none is refused', async () => {
  await using shop = await fieldShop()
  const ann = await supplier(shop, 'ann', 'Sample Fisher')
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const form = async (entry: object, bytes: Uint8Array) => {
    const data = new FormData()
    data.set('entry', JSON.stringify(entry))
    data.set('photo', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'photo.jpg')
    const body = new Response(data)
    const type = body.headers.get('content-type') ?? ''
    return ann('POST', '/api/field/entry', Buffer.from(await body.arrayBuffer()), { 'content-type': type })
  }
  assert.equal((await form(caught('ann', 'F-2'), Buffer.from('no photo'))).statusCode, 400)
  assert.equal((await form(caught('ann', 'F-2'), photo)).statusCode, 201)
  const { img } = (await factsOf(shop, 'F-2'))[1].data
  assert.equal((await shop.app.inject(`/api/file/${img}`)).statusCode, 200)
})

test('who may record what: own boxes, by the one who made the entry, from whoever holds the box', async () => {
  await using shop = await fieldShop()
  const ann = await supplier(shop, 'ann', 'Sample Fisher')
  const bo = await supplier(shop, 'bo', 'Sample Carrier')
  await send(ann, caught('ann', 'F-3'))
  const code = async (call: Caller, entry: object) =>
    (await send(call, entry)).json().error?.code ?? 'recorded'
  assert.equal(await code(bo, caught('ann', 'F-4')), 'auth.forbidden', 'made by somebody else')
  assert.equal(await code(bo, caught('bo', 'F-3')), 'conflict', 'another’s box')
  assert.equal(await code(ann, caught('ann', 'F-3')), 'conflict', 'it has a catch')
  assert.equal(await code(bo, handed('bo', 'F-3', 'Sample Fisher', 'Sydney Fish Market')), 'auth.forbidden')
  assert.equal(await code(ann, handed('ann', 'F-3', 'Sample Fisher', 'sample fisher ')), 'input.invalid')
  assert.equal(
    await code(ann, handed('ann', 'F-3', 'Sample Fisher', 'Bo', { accepted: false })),
    'input.invalid',
  )
  assert.equal(await code(ann, handed('ann', 'F-9', 'Sample Fisher', 'Bo')), 'box.not_found')
  const seen = async (call: Caller) => (await call('GET', '/api/field/box')).json()
  assert.equal(await code(ann, handed('ann', 'F-3', 'Sample Fisher', 'Sample Carrier')), 'recorded')
  assert.equal((await seen(bo))[0].boxID, 'F-3')
  assert.deepEqual([(await seen(ann))[0].holder, (await seen(ann))[0].own], ['Sample Carrier', true])
  const twice = await send(ann, handed('ann', 'F-3', 'Sample Fisher', 'Sydney Fish Market'))
  assert.equal(twice.json().error.code, 'conflict')
  assert.doesNotMatch(twice.body, /Carrier/)
  const bad = await send(ann, { ...caught('ann', '../x'), latitude: 91, species: '', extra: 1 })
  const paths = bad.json().error.fields.map(({ path }: { path: string }) => path)
  assert.deepEqual(paths.sort(), ['box', 'extra', 'latitude', 'species'])
})

test('a reading of a tag goes to boxes that one recorded or holds, as the fact that the API makes of it, once', async () => {
  await using shop = await fieldShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const ann = await supplier(shop, 'ann', 'Sample Fisher')
  const bo = await supplier(shop, 'bo', 'Sample Carrier')
  const read = (madeBy: string, box: string, more: object = {}) => ({
    ...common(madeBy, box),
    ...{ kind: 'reading', iotID: 'Ruuvi 884F', temperature: 1.235, ...more },
  })
  await send(ann, caught('ann', 'R-1'))
  const entry = read('ann', 'R-1')
  const answers = await Promise.all([send(ann, entry), send(ann, entry)])
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 201], answers[0].body)
  const codeOf = async (answer: ReturnType<typeof send>) => (await answer).json().error?.code
  assert.equal(await codeOf(send(ann, read('ann', 'R-1'))), 'conflict', 'of the same second')
  assert.equal(await codeOf(send(bo, read('bo', 'R-1'))), 'auth.forbidden', 'another’s box')
  assert.equal(await codeOf(send(bo, read('bo', 'R-9'))), 'box.not_found')
  const wrong = (await send(ann, read('ann', 'R-1', { temperature: -300, iotID: '' }))).json().error.fields
  assert.deepEqual(wrong.map(({ path }: { path: string }) => path).sort(), ['iotID', 'temperature'])
  await send(ann, handed('ann', 'R-1', 'Sample Fisher', 'Sample Carrier'))
  const later = read('bo', 'R-1', { madeAt: ago(30_000), temperature: 1.5 })
  assert.equal((await send(bo, later)).statusCode, 201)

  const reading = { time: '2026-11-19T23:59:00Z', latitude: -33.9, longitude: 151.3, iotID: 'Ruuvi 884F' }
  await admin('POST', '/api/box/registration', { boxID: 'A-2', fisher: { ...fisher, traderID: 'ann' } })
  const api = { ...reading, box: 'A-2', temperature: 1.235 }
  assert.equal((await admin('POST', '/api/tracking', { readings: [api] })).json().accepted, 1)
  const tracked = async (box: string) =>
    (await factsOf(shop, box))
      .filter(({ kind }) => kind === 'tracking')
      .map(({ at, by, data }) => ({ at, by, data }))
  const [first, second] = await tracked('R-1')
  assert.deepEqual([first], await tracked('A-2'))
  assert.equal(second?.data.temperature, 1.5)
  const kinds = (await factsOf(shop, 'R-1')).map(({ kind }) => kind)
  assert.equal(kinds.filter((kind) => kind === 'freshness').length, 2, 'each is assessed')
})

test('a late entry and a wrong clock are flagged, with the time of the phone and of the shop', async () => {
  await using shop = await fieldShop()
  const ann = await supplier(shop, 'ann', 'Sample Fisher')
  const times = async (box: string, madeAt: string, sentAt: string) => {
    const { at, late, clockWrong, receivedAt, deviceTime } = (
      await send(ann, caught('ann', box, { madeAt, sentAt }))
    ).json()
    assert.deepEqual([receivedAt, deviceTime], [ago(0), madeAt])
    return [at, late, clockWrong]
  }
  assert.deepEqual(await times('T-1', ago(60_000), ago(0)), [ago(60_000), false, false])
  assert.deepEqual(await times('T-2', ago(3 * 3_600_000), ago(1_000)), [ago(3 * 3_600_000), true, false])
  assert.deepEqual(
    await times('T-3', ago(60_000 - DAY), ago(-DAY)),
    [ago(60_000), false, true],
    'a day ahead',
  )
  assert.deepEqual(await times('T-4', ago(2 * DAY), ago(DAY)), [ago(DAY), true, true], 'a day behind')
  assert.deepEqual(await times('T-5', ago(-DAY), ago(0)), [ago(0), false, true], 'set right in between')
  const boxes = (await ann('GET', '/api/field/box')).json()
  assert.equal(boxes.filter(({ flags }: { flags: object[] }) => flags.length > 0).length, 4)
})

test('the link of an invitation works while it is open; used, lapsed or revoked it says so', async () => {
  await using shop = await fieldShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const invited = await admin('POST', '/api/manage/supplier/invitation', { email: 'ann@example.org', fisher })
  await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), shop.deps.log, new AbortController().signal)
  const token = tokenIn(shop.mail.at(-1))
  const said = async () => {
    const url = '/api/field/invitation'
    const read = await shop.app.inject({ method: 'POST', url, payload: { token } })
    const payload = { token, fname: 'Ann', lname: 'Lee', phone: '0400 000 000', password: 'saltwater' }
    const join = await shop.app.inject({ method: 'POST', url: '/api/field/join', payload })
    const revoke = await admin('DELETE', `/api/manage/supplier/invitation/${invited.json().id}`)
    return [read.json().error?.reason ?? 'open', join.json().error?.reason ?? 'joined', revoke.statusCode]
  }
  const set = (usedAt: Date | null, expiresAt: Date) =>
    shop.deps.db.update(invitations).set({ usedAt, expiresAt })
  const [soon, before] = [shop.deps.now().getTime() + DAY, shop.deps.now().getTime() - DAY]
  await set(new Date(before), new Date(before))
  assert.deepEqual(await said(), ['used', 'used', 404], 'used says more than lapsed')
  await set(null, new Date(soon))
  assert.deepEqual(await said(), ['open', 'joined', 404])
  await set(null, new Date(before))
  assert.deepEqual(await said(), ['expired', 'expired', 204])
  assert.deepEqual(await said(), ['unknown', 'unknown', 404])
})
