import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@befaqt/domain/durations'
import { eq } from 'drizzle-orm'
import { boxes } from '#server/db/schema/boxes.ts'
import { kindsOf } from '#server/testing/readings.ts'
import { testShop } from '#server/testing/shop.ts'
import { loadSample } from './load-sample.ts'
import { playJourneys, simulatedReading } from './sample-journeys.ts'

const START = Date.parse('2026-11-20T00:00:00Z')

test('simulated boxes travel by the clock, arrive, are followed by others, and end after a month', async () => {
  let now = START
  await using shop = await testShop({ deps: { now: () => new Date(now) }, env: { SAMPLE_JOURNEYS: '2' } })
  const { db } = shop.deps
  await playJourneys(shop.deps)
  assert.deepEqual(await db.select().from(boxes), [], 'a shop without sample data is left alone')
  await loadSample(shop.deps)
  const readings = async (id: string) => (await kindsOf(db, id)).filter((kind) => kind === 'tracking').length
  const journeys = async () =>
    (await db.select().from(boxes).where(eq(boxes.sample, true)))
      .filter(({ id }) => id.startsWith('SIMULATED-'))
      .map(({ id, sealed }) => `${id} ${sealed}`)
      .sort()

  assert.equal(await playJourneys(shop.deps), true)
  assert.deepEqual(await journeys(), ['SIMULATED-0001 false', 'SIMULATED-0002 false'])
  assert.deepEqual([await readings('SIMULATED-0001'), await readings('SIMULATED-0002')], [145, 1])
  await playJourneys(shop.deps)
  assert.equal(await readings('SIMULATED-0001'), 145, 'again at the same moment, nothing')
  now += HOUR_MS / 6
  await playJourneys(shop.deps)
  assert.equal(await readings('SIMULATED-0002'), 3)

  now = START + 12 * HOUR_MS
  await playJourneys(shop.deps)
  assert.deepEqual(await journeys(), ['SIMULATED-0001 true', 'SIMULATED-0002 false', 'SIMULATED-0003 false'])
  assert.equal(await readings('SIMULATED-0001'), 289)
  const page = (await shop.app.inject('/api/box/SIMULATED-0003/page')).json()
  assert.deepEqual([page.sample, page.stage], [true, 'at sea'])

  now = START + 31 * 24 * HOUR_MS
  assert.equal(await playJourneys(shop.deps), false, 'no more begin, and none is under way')
  assert.deepEqual((await journeys()).length, 3)
  assert.ok(
    (await journeys()).every((one) => one.endsWith('true')),
    'those under way arrive',
  )
})

test('a simulated box cools, comes to the market, and every fifth is open for a while', () => {
  for (const box of [0, 3, 4, 17]) {
    const readings = Array.from({ length: 145 }, (_, i) => simulatedReading(box, i / 144))
    const [first, last] = [readings[0], readings.at(-1)]
    assert.ok(first && last)
    assert.ok(first.temperature > 12 && first.longitude > 151.05, 'warm, at sea')
    assert.deepEqual([last.latitude, last.longitude], [-33.8725, 151.1925])
    const late = readings.slice(72).map(({ temperature }) => temperature)
    assert.ok(Math.min(...late) > -1)
    assert.equal(Math.max(...late) > 5, box % 5 === 4, `box ${box}`)
    assert.deepEqual(readings[50], simulatedReading(box, 50 / 144), 'the same again')
  }
})
