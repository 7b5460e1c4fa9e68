import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFor, shopWithBoxes } from '#server/testing/readings.ts'

test('a station learns who it is, and which box lies there before it adds to it', async () => {
  await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'])
  const { admin, app } = shop
  const key = await keyFor(shop, 'record:write', ['BOX-1'])
  const ask = (url: string, bearer: string) =>
    app.inject({ url, headers: { authorization: `Bearer ${bearer}` } })
  const { rights, boxes } = (await ask('/api/station', key)).json()
  assert.deepEqual([rights, boxes], [['record:write'], ['BOX-1']])
  assert.equal((await admin('GET', '/api/station')).json().rights, null)
  assert.equal((await ask('/api/station', `${key}x`)).statusCode, 401)

  const result = {
    operator: 'Station',
    time: '2026-11-19T22:00:00Z',
    latitude: 0,
    longitude: 0,
    noseScore: 0.1,
    confidence: 0.8,
    resultPerTest: [],
  }
  assert.equal((await admin('POST', '/api/box/BOX-1/enose', result)).statusCode, 201)
  const box = (await ask('/api/station/box/BOX-1', key)).json()
  assert.deepEqual([box.boxID, box.sealed, box.images, box.enoses], ['BOX-1', false, 0, 1])
  assert.equal((await ask('/api/station/box/BOX-2', key)).statusCode, 403)
  assert.equal((await admin('GET', '/api/station/box/BOX-9')).statusCode, 404)
  assert.equal((await admin('POST', '/api/box/BOX-2/seal', {})).statusCode, 201)
  assert.equal((await admin('GET', '/api/station/box/BOX-2')).json().sealed, true)
})
