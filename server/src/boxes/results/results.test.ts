import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf, jpeg, storedPaths } from '#server/testing/files.ts'
import { historyOf, keyFor, kindsOf, shopWithBoxes } from '#server/testing/readings.ts'

const assessed = { operator: 'Station 2', time: '2026-11-19T22:00:00Z', latitude: -33.9, longitude: 151.2 }
const findings = { fish: 'snapper', confidence: 0.9, eye: 'clear', skin: 0.1 }
const image = {
  ...assessed,
  imgScore: 0.2,
  overallResult: findings,
  resultPerImage: [{ image: 'eye.jpg', ...findings }],
}
const enose = {
  ...assessed,
  noseScore: 0.1,
  confidence: 0.8,
  resultPerTest: [{ noseScore: 0.1, confidence: 0.8, sensingData: 'test1.csv' }],
}

test('results with their files are stored once, and refused with the path of what is wrong', async () => {
  await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'])
  const { admin, deps } = shop
  const send = async (url: string, result: object, files: { name: string; bytes: Uint8Array }[]) => {
    const parts = files.map((file) => ['files', file] as const)
    const { payload, headers } = await formOf([['result', JSON.stringify(result)], ...parts])
    return admin('POST', url, payload, headers)
  }
  const picture = { name: 'eye.jpg', bytes: await jpeg() }
  const data = { name: 'test1.csv', bytes: Buffer.from('t,ppm\n0,1\n') }

  const first = await send('/api/box/BOX-1/image', image, [picture])
  assert.equal(first.statusCode, 201, first.body)
  const again = await send('/api/box/BOX-1/image', image, [picture])
  assert.deepEqual([again.statusCode, again.json()], [200, first.json()], 'the same again adds nothing')
  assert.equal((await send('/api/box/BOX-1/enose', enose, [data])).statusCode, 201)
  assert.equal(
    (await admin('POST', '/api/box/BOX-1/enose', { ...enose, noseScore: 0.3 })).statusCode,
    201,
    'as JSON',
  )
  assert.deepEqual(await kindsOf(deps.db, 'BOX-1'), [
    'registration',
    'image-result',
    'freshness',
    'enose-result',
    'freshness',
    'enose-result',
    'freshness',
  ])
  const box = (await admin('GET', '/api/box/BOX-1')).json()
  const [path, csv] = [box.imageProc[0].resultPerImage[0].image, box.e_nose[0].resultPerTest[0].sensingData]
  assert.match(path, /^[0-9a-f]{32}\.webp$/)
  assert.equal((await shop.app.inject(`/api/file/${path}`)).headers['content-type'], 'image/webp')
  assert.equal((await shop.app.inject(`/api/file/${csv}`)).body, 't,ppm\n0,1\n')
  const [, stored] = await historyOf(deps.db, 'BOX-1')
  assert.equal(stored?.by, 'Station 2')

  const fieldsOf = async (answer: ReturnType<typeof send>) => {
    const { statusCode, body } = await answer
    assert.equal(statusCode, 400, body)
    return JSON.parse(body).error.fields.map(({ path }: { path: string }) => path)
  }
  const notes = { name: 'eye.jpg', bytes: Buffer.from('no picture') }
  assert.deepEqual(await fieldsOf(send('/api/box/BOX-2/image', image, [notes])), ['files[0]'])
  assert.deepEqual(await fieldsOf(send('/api/box/BOX-2/image', image, [{ ...picture, name: 'b.jpg' }])), [
    'files[0]',
  ])
  assert.deepEqual(await fieldsOf(send('/api/box/BOX-2/image', image, [picture, picture])), ['files[1]'])
  assert.deepEqual(await fieldsOf(send('/api/box/BOX-2/enose', enose, [{ ...data, bytes: await jpeg() }])), [
    'files[0]',
  ])
  const wrong = { ...image, imgScore: 2, time: '2027-01-01T00:00:00Z', more: 1 }
  assert.deepEqual((await fieldsOf(send('/api/box/BOX-2/image', wrong, []))).sort(), [
    'imgScore',
    'more',
    'time',
  ])
  assert.equal((await send('/api/box/BOX-9/image', image, [picture])).statusCode, 404)
  assert.equal((await admin('POST', '/api/box/BOX-2/seal', {})).statusCode, 201)
  assert.equal(
    (await send('/api/box/BOX-2/image', { ...image, imgScore: 0.3 }, [{ ...picture, bytes: await jpeg(9) }]))
      .statusCode,
    409,
  )
  const { onDisk, inDatabase } = await storedPaths(shop)
  assert.deepEqual([onDisk, inDatabase.length], [inDatabase, 2], 'nothing is left of what was refused')

  const headers = { authorization: `Bearer ${await keyFor(shop, 'box:write')}` }
  for (const url of ['/api/box/BOX-1/image', '/api/box/BOX-1/enose']) {
    assert.equal((await shop.app.inject({ method: 'POST', url, payload: {} })).statusCode, 401)
    assert.equal((await shop.app.inject({ method: 'POST', url, headers, payload: {} })).statusCode, 403)
  }
})
