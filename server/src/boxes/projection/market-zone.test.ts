import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import { boxes } from '#server/db/schema/boxes.ts'
import { readSiteFile } from '#server/site/site.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testShop } from '#server/testing/shop.ts'

/** Noon in Perth, UTC+8; in Sydney it is 15:00. */
const NOON = '2026-11-20T04:00:00.000Z'
const { fisher, catchProv } = sampleBox()
const { txHash: _, ...caught } = { ...catchProv, species: 'Snapper' }

/** A shop whose market is in Perth. */
async function perthShop() {
  const site = await readSiteFile()
  const siteFile = { ...site, market: { ...site.market, timeZone: 'Australia/Perth' } }
  const shop = await testShop({ deps: { now: () => new Date(NOON), siteFile } })
  return { ...shop, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

const reading = { iotID: 'L1', latitude: 0, longitude: 0, temperature: 1 }

test('a time later than now in the market’s zone is a future time, in whatever format it is sent', async () => {
  await using shop = await perthShop()
  const { admin } = shop
  await admin('POST', '/api/box/registration', { boxID: 'B-1', fisher })
  const late = await admin('POST', '/api/box/B-1/catch', { ...caught, time: '2026-11-20 14:00:00' })
  assert.deepEqual([late.statusCode, late.json().error.fields?.[0].path], [400, 'time'])
  const times = ['2026-11-20 11:59:00', '2026-11-20 14:00:00']
  const readings = times.map((time) => ({ box: 'B-1', time, ...reading }))
  const { accepted, refused } = (await admin('POST', '/api/tracking', { readings })).json()
  assert.deepEqual([accepted, refused.map(({ index }: { index: number }) => index)], [1, [1]])
  const box = { ...sampleBox(), catchProv: { ...sampleBox().catchProv, time: '2026-11-20 14:00:00' } }
  assert.equal((await admin('POST', '/api/box', box)).statusCode, 400)
  const data = { ...reading, time: '2026-11-20 14:00:00' }
  const corrected = await admin('POST', '/api/box/B-1/correction', { seq: 2, reason: 'x', data })
  assert.equal(corrected.statusCode, 400)
})

test('times of a box are written and read in market time', async () => {
  await using shop = await perthShop()
  const { admin } = shop
  const bare = { catchProv: null, iotResult: null, imageProc: [], e_nose: [], freshness: [] }
  const imported = await admin('POST', '/api/box', { ...sampleBox(), ...bare, boxID: 'B-2' })
  assert.equal(imported.statusCode, 201, imported.body)
  const { records } = (await shop.app.inject('/api/box/B-2/proof')).json()
  assert.equal(records[0].at, '2026-11-20 12:00:00')
  await admin('POST', '/api/box/registration', { boxID: 'B-1', fisher })
  await admin('POST', '/api/box/B-1/catch', { ...caught, time: '2026-11-18T14:30:00Z' }) // in Sydney the next day
  const label = await shop.app.inject('/api/box/B-1/label.svg')
  assert.match(label.body, /Caught 2026-11-18/)
  await admin('POST', '/api/box/registration', { boxID: 'B-3', fisher })
  await admin('POST', '/api/box/B-3/catch', { ...caught, time: '2026-11-18 23:30:00' })
  const [row] = await shop.deps.db.select().from(boxes).where(eq(boxes.id, 'B-3'))
  assert.equal(row?.caughtAt?.toISOString(), '2026-11-18T15:30:00.000Z')
  const readings = ['2026-11-19 10:00:00', '2026-11-19 11:00:00', '2026-11-19 12:00:00'].map((time) => ({
    box: 'B-3',
    time,
    ...reading,
  }))
  await admin('POST', '/api/tracking', { readings })
  const [grown] = await shop.deps.db.select().from(boxes).where(eq(boxes.id, 'B-3'))
  assert.equal(grown?.caughtAt?.toISOString(), '2026-11-18T15:30:00.000Z')
  assert.equal(grown?.silentAfter?.toISOString(), '2026-11-19T06:00:00.000Z')
})

test('a resent reading is recognized by its instant in market time, and no other is mistaken for it', async () => {
  await using shop = await perthShop()
  const { admin } = shop
  await admin('POST', '/api/box/registration', { boxID: 'B-1', fisher })
  const [plain, sameInstant, sameInSydney] = [
    '2026-11-20 11:00:00',
    '2026-11-20T03:00:00Z',
    '2026-11-20T00:00:00Z',
  ]
  const send = async (box: string, time: string) => {
    const sent = await admin('POST', '/api/tracking', { readings: [{ box, time, ...reading }] })
    return sent.json().accepted === 1
  }
  assert.equal(await send('B-1', plain), true)
  assert.equal(await send('B-1', sameInstant), false)
  assert.equal(await send('B-1', sameInSydney), true)
  const box = { ...sampleBox(), boxID: 'B-2' }
  const iotResult = { ...box.iotResult, iotTracking: [{ ...reading, time: plain }] }
  const imported = await admin('POST', '/api/box', { ...box, iotResult, freshness: [] })
  assert.equal(imported.statusCode, 201, imported.body)
  assert.equal(await send('B-2', sameInstant), false)
  assert.equal(await send('B-2', sameInSydney), true)
})
