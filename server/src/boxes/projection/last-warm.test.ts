import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@befaqt/domain/durations'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { categories, products } from '#server/db/schema/shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { NOW, readingAt, shopWithBoxes } from '#server/testing/readings.ts'

for (const [name, open] of testDatabases)
  test(`${name}: a sensor that died warm leaves no date, until a probe says how cold the box is`, async () => {
    let now = NOW
    await using shop = await shopWithBoxes(['BOX-1'], { open, deps: { now: () => now } })
    const { deps, admin } = shop
    await deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
    await deps.db.insert(products).values({ id: 'p', title: 'Snapper', categoryId: 'c' })
    await admin('PUT', '/api/box/BOX-1/products', [{ product_id: 'p', quantity: 1 }])
    const { txHash: _, ...caught } = { ...sampleBox().catchProv, species: 'Snapper', time: readingAt(0).time }
    await admin('POST', '/api/box/BOX-1/catch', caught)
    const temperatures = [1, 1, 1, 16, 18]
    const readings = temperatures.map((temperature, i) => readingAt(i, { temperature }))
    await admin('POST', '/api/tracking', { readings })
    const figures = async () => (await shop.app.inject('/api/box/BOX-1/page')).json().figures
    const card = async () => (await shop.app.inject('/api/product/p')).json().box
    const at = new Date(readingAt(4).time)
    const unknownFrom = new Date(at.getTime() + 20 * MINUTE_MS).toISOString()
    const last = { at: at.toISOString(), temperature: 18, isProbe: false, unknownFrom }
    const dead = await figures()
    assert.deepEqual(dead.lastMeasured, last)
    assert.deepEqual(dead.timeLeft.held, [{ temperature: 18, from: at.toISOString() }])
    assert.deepEqual((await card()).warm, { at: '2026-11-19 21:40:00', temperature: 18, unknownFrom })

    const probed = new Date(at.getTime() + 60 * MINUTE_MS)
    const handover = {
      ...{
        time: probed.toISOString(),
        from: sampleBox().fisher.companyName,
        to: 'Sydney Coldline',
        accepted: true,
      },
      ...{ temperature: 1, reason: '', latitude: 0, longitude: 0 },
    }
    const handed = await admin('POST', '/api/box/BOX-1/handover', handover)
    assert.equal(handed.statusCode, 201, handed.body)
    const again = await figures()
    assert.deepEqual(again.lastMeasured, {
      ...{ at: probed.toISOString(), temperature: 1, isProbe: true, unknownFrom: null },
    })
    assert.deepEqual(again.timeLeft.held, [
      { temperature: 18, from: at.toISOString() },
      { temperature: 1, from: probed.toISOString() },
    ])
    assert.ok(Date.parse(again.timeLeft.bestBy.at) > Date.parse(dead.timeLeft.bestBy.at))
    assert.equal((await card()).warm, null, 'the card follows at once')

    now = new Date(NOW.getTime() + MINUTE_MS)
    await admin('POST', '/api/tracking', { readings: [readingAt(11, { temperature: 7 })] })
    assert.equal((await figures()).lastMeasured.temperature, 7, 'a newer reading counts again')
    assert.equal((await card()).warm.temperature, 7)
  })
