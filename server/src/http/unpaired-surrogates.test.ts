import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { callerOf } from '#server/testing/caller.ts'
import { testShop } from '#server/testing/shop.ts'

/** Half of a character, as JSON can write it. */
const HALF = '\\ud83d'
const person = { fname: 'Ann', lname: 'Lee', email: 'a@example.com', phone: '', password: 'secret' }
const { fisher, catchProv } = sampleBox()
const { txHash: _, ...caught } = { ...catchProv, species: 'Snapper', time: '2026-11-18 05:10:00' }

/** Bodies that would be taken as they stand, with HALF somewhere, and the path of where. */
const bodies: [route: string, body: object, path: string][] = [
  ['POST /api/user/signUp', { ...person, fname: 'A½', confirmPassword: 'secret' }, 'fname'],
  ['POST /api/user/signUp', { ...person, password: 'secret½', confirmPassword: 'secret½' }, 'password'],
  ['POST /api/user/signIn', { email: 'a@example.com', password: 'secret½' }, 'password'],
  ['POST /api/user/activate', { token: 'x½' }, 'token'],
  ['PATCH /api/user/forgotpassword', { email: 'a½@example.com' }, 'email'],
  ['PATCH /api/user/resetpassword', { password: 'secret½', emailToken: 'x' }, 'password'],
  ['PATCH /api/user', { ...person, phone: '0412345678', lname: '½' }, 'lname'],
  ['POST /api/key', { name: 'Buoy ½', rights: ['box:write'] }, 'name'],
  ['PATCH /api/user/admin', { fname: 'A½' }, 'fname'],
  ['PATCH /api/product/p', { title: 'Fish ½' }, 'title'],
  ['PATCH /api/product/p', { description: '½' }, 'description'],
  ['PATCH /api/category/c', { title: 'Fish ½' }, 'title'],
  ['POST /api/product/bulk', { ids: ['½'], set: { stock: 1 } }, 'ids[0]'],
  ['PUT /api/box/B-1/products', [{ product_id: '½' }], '[0].product_id'],
  ['POST /api/box', { ...sampleBox(), fisher: { ...fisher, boat: '½' } }, 'fisher.boat'],
  [
    'POST /api/box/registration',
    { boxID: 'B-2', fisher: { ...fisher, traderName: '½' } },
    'fisher.traderName',
  ],
  ['POST /api/box/B-1/catch', { ...caught, note: '½' }, 'note'],
  ['POST /api/box/B-1/correction', { seq: 1, reason: '½', data: fisher }, 'reason'],
  ['POST /api/box/B-1/correction', { seq: 1, reason: 'x', data: { ...fisher, boat: '½' } }, 'data.boat'],
  ['POST /api/box/B-1/seal', { reason: '½' }, 'reason'],
]

test('a lone surrogate is rejected with the path of its field wherever text is accepted', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  assert.equal((await admin('POST', '/api/box/registration', { boxID: 'B-1', fisher })).statusCode, 201)
  const headers = { 'content-type': 'application/json' }
  for (const [route, body, path] of bodies) {
    const [method, url = ''] = route.split(' ')
    const reply = await admin(method as 'POST', url, JSON.stringify(body).replaceAll('½', HALF), headers)
    const said = `${route} ${path}: ${reply.statusCode} ${reply.body}`
    assert.equal(reply.statusCode, 400, said)
    const paths = reply.json().error.fields.map((field: { path: string }) => field.path)
    assert.ok(paths.includes(path), said)
  }
})

test('no operation fails on a body of lone surrogates, in names of fields too', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const headers = { 'content-type': 'application/json' }
  const fields = [
    'fname',
    'email',
    'password',
    'token',
    'title',
    'readings',
    'boxID',
    'reason',
    'response',
    HALF,
  ]
  const payload = `{${fields.map((name) => `"${name}":"${HALF}"`).join(',')}}`
  let asked = 0
  for (const { method, url } of shop.app.routes) {
    if (!['POST', 'PUT', 'PATCH'].includes(method) || url === '/api/user/signOut') continue
    const reply = await admin(method as 'POST', url.replaceAll(/:\w+/g, 'none'), payload, headers)
    assert.ok(reply.statusCode < 500, `${method} ${url}: ${reply.body}`)
    asked++
  }
  assert.ok(asked > 30)
})

test('in a batch only the reading with a lone surrogate is rejected', async () => {
  const now = () => new Date('2026-11-20T00:00:00Z')
  await using shop = await testShop({ deps: { now } })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await admin('POST', '/api/box/registration', { boxID: 'B-1', fisher })
  const time = '2026-11-19 05:10:00'
  const reading = { box: 'B-1', iotID: 'L1', time, latitude: 0, longitude: 0, temperature: 1 }
  const body = JSON.stringify({ readings: [{ ...reading, iotID: '½' }, reading] }).replaceAll('½', HALF)
  const headers = { 'content-type': 'application/json' }
  const { accepted, refused } = (await admin('POST', '/api/tracking', body, headers)).json()
  assert.deepEqual([accepted, refused.length, refused[0].path], [1, 1, 'iotID'])
})
