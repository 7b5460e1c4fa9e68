import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boxMetrics } from './box-metrics.ts'
import { DAY_MS, daysBetween, HOUR_MS, MINUTE_MS } from './durations.ts'
import { asOf, datedFacts, freshnessFacts, shelfLifeUsed } from './freshness-facts.ts'
import { type FreshnessFacts, freshnessAt, hasFreshness, usedShare, WORD_FROM } from './freshness-word.ts'
import { MARKET_TIME_ZONE as ZONE } from './market-time.ts'
import { sampleBox } from './testing/boxes.ts'
import { anyReadings, reading, START } from './testing/readings.ts'
import { bestByIfIced, daysUsedAt, type Measured } from './time-left.ts'

/** Figures of a snapper caught at the start, with these readings. */
function figures(
  readings: ReturnType<typeof reading>[],
  more: { species?: string; caught?: boolean; index?: number; probes?: Measured[] } = {},
) {
  const { catchProv, ...box } = sampleBox()
  const { species = 'Snapper', caught = true, index = 0.2, probes = [] } = more
  return boxMetrics(
    {
      ...box,
      catchProv: caught && catchProv ? { ...catchProv, species, time: new Date(START).toISOString() } : null,
      iotResult: {
        operator: 'L-1',
        iotScore: 0,
        confidence: 1,
        time: new Date(START).toISOString(),
        latitude: 0,
        longitude: 0,
        iotTracking: readings.map((one) => ({ ...one, iotID: 'L-1' })),
      },
      freshness: [
        {
          freshnessIndex: index,
          time: new Date(START).toISOString(),
          conf_iot: 1,
          conf_img: 0,
          conf_enose: 0,
        },
      ],
    },
    ZONE,
    probes,
  )
}

const factsOf = (of: ReturnType<typeof figures>): FreshnessFacts => datedFacts(freshnessFacts(of), ZONE)
const shownAt = (of: ReturnType<typeof figures>, at: number) => freshnessAt(factsOf(of), asOf(at, ZONE))

/** 1 °C every ten minutes for so many hours from the catch on. */
const coldFor = (hours: number) => Array.from({ length: hours * 6 + 1 }, (_, i) => reading(i / 6, 1))

test('a sensor that died at 18 °C: no date, no word and no stars after twice its interval', () => {
  const dead = figures([...coldFor(4), reading(4 + 1 / 6, 16), reading(4 + 2 / 6, 18)])
  const last = START + 4 * HOUR_MS + 20 * MINUTE_MS
  assert.deepEqual(shownAt(dead, last + 2 * DAY_MS), {
    word: null,
    stars: null,
    isWarmthUsedUp: false,
    bestBy: null,
    unknown: { at: '2026-11-18 15:20:00', temperature: 18 },
  })
  assert.ok(shownAt(dead, last + 20 * MINUTE_MS).unknown)
  const inTime = shownAt(dead, last + 20 * MINUTE_MS - 1)
  assert.equal(inTime.unknown, null)
  assert.equal(inTime.word, 'use soon')
  assert.ok(inTime.bestBy !== null && daysBetween('2026-11-18', inTime.bestBy) <= 2, inTime.bestBy ?? '')
})

test('handed over an hour after 18 °C with a probe of 1 °C it has a date again, from what is held since', () => {
  const at = START + 5 * HOUR_MS + 20 * MINUTE_MS
  const readings = [...coldFor(4), reading(4 + 1 / 6, 16), reading(4 + 2 / 6, 18)]
  const box = figures(readings, { probes: [{ at, temperature: 1 }] })
  const shown = shownAt(box, at + DAY_MS)
  assert.deepEqual([shown.unknown, shown.word, shown.stars], [null, 'excellent', 5])
  assert.deepEqual(box.lastMeasured, {
    at: new Date(at).toISOString(),
    temperature: 1,
    isProbe: true,
    unknownFrom: null,
  })
  const warm = figures(readings, { probes: [{ at, temperature: 8 }] })
  assert.equal(shownAt(warm, at).unknown?.temperature, 8)
})

test('known answer: 4 °C a day ago, with the date of what is held and the better case', () => {
  const timeLeft = figures([reading(0, 4)]).timeLeft
  assert.ok(timeLeft)
  const shelf = { ...shelfLifeUsed(timeLeft), used: { days: 1, low: 1, high: 1 } }
  const now = START + DAY_MS
  assert.ok(Math.abs((bestByIfIced(shelf, now) - now) / DAY_MS - 11.04) < 1e-9)
})

test('the word follows the upper edge of the days used, by the day on which it gets there', () => {
  fc.assert(
    fc.property(anyReadings, fc.integer({ min: 0, max: 40 }), (readings, days) => {
      const of = figures(readings)
      const now = START + 4 * DAY_MS + days * DAY_MS
      const { timeLeft } = of
      const shown = shownAt(of, now)
      if (timeLeft === null || shown.unknown) return
      const endOfDay = Date.parse(`${asOf(now, ZONE).today}T13:00:00Z`)
      const u = daysUsedAt(shelfLifeUsed(timeLeft), endOfDay - 1).high / timeLeft.shelfLifeAt0
      const { good, useSoon, over } = WORD_FROM
      const want = u >= over ? 'past its best' : u >= useSoon ? 'use soon' : u >= good ? 'good' : 'excellent'
      const isWarm = of.lastMeasured?.unknownFrom !== null
      const capped = isWarm && (want === 'excellent' || want === 'good') ? 'use soon' : want
      if ([good, useSoon, over].every((share) => Math.abs(u - share) > 1e-6)) assert.equal(shown.word, capped)
      assert.equal(shown.bestBy === null, shown.word === 'past its best', 'never both')
    }),
  )
})

const facts = (more: Partial<FreshnessFacts>): FreshnessFacts => ({
  freshnessIndex: 0.2,
  bestBy: '2026-12-02',
  wordFrom: { good: '2026-11-23', useSoon: '2026-11-27', over: '2026-12-01' },
  warm: null,
  ...more,
})
const on = (of: FreshnessFacts, today: string) => freshnessAt(of, { at: Date.parse(today), today })

test('the word falls as the days go by, and a date goes with what is past its best', () => {
  const days = ['2026-11-22', '2026-11-23', '2026-11-27', '2026-11-30', '2026-12-01']
  assert.deepEqual(
    days.map((today) => on(facts({}), today).word),
    ['excellent', 'good', 'use soon', 'use soon', 'past its best'],
  )
  assert.deepEqual(
    days.map((today) => on(facts({}), today).bestBy !== null),
    [true, true, true, true, false],
  )
})

test('an index of 1 leaves the stars blank and does not change the word', () => {
  const { word, stars, isWarmthUsedUp } = on(facts({ freshnessIndex: 1 }), '2026-11-22')
  assert.deepEqual([word, stars, isWarmthUsedUp], ['excellent', null, true])
})

test('without shelf life or time of catch the word follows the stars', () => {
  const word = (freshnessIndex: number | null) =>
    on(facts({ freshnessIndex, wordFrom: null, bestBy: null }), '2026-11-22').word
  assert.deepEqual([0.3, 0.6, 1, null].map(word), ['excellent', 'good', 'past its best', null])
  assert.equal(shownAt(figures(coldFor(4), { species: 'John Dory' }), START + 30 * DAY_MS).word, 'excellent')
  assert.equal(shownAt(figures(coldFor(4), { caught: false, index: 1 }), START).word, 'past its best')
  const dead = figures([...coldFor(4), reading(5, 18)], { species: 'John Dory' })
  assert.equal(shownAt(dead, START + DAY_MS).unknown?.temperature, 18, 'a warm one is unknown all the same')
})

test('one warm reading alone has no usual interval: nobody knows when the next was due', () => {
  assert.ok(shownAt(figures([reading(1, 6)]), START + HOUR_MS).unknown)
  assert.equal(shownAt(figures([reading(1, 5)]), START + HOUR_MS).unknown, null)
})

test('the share that was used grows by the day, and what is unknown counts as all', () => {
  const share = (today: string, more = {}) => usedShare(facts(more), { at: Date.parse(today), today })
  assert.equal(share('2026-11-23'), WORD_FROM.good)
  assert.equal(share('2026-12-01'), 1)
  assert.ok(share('2026-11-22') < share('2026-11-24'))
  const warm = { at: '2026-11-22 10:00:00', temperature: 9, unknownFrom: '2026-11-21T23:20:00.000Z' }
  assert.equal(share('2026-11-22', { warm }), 1)
  assert.equal(share('2026-11-22', { wordFrom: null }), 0.2)
})

test('nothing is said of a box that is recalled or off sale', () => {
  assert.equal(hasFreshness({ recall: null, offSale: false }), true)
  assert.equal(hasFreshness({ recall: { reason: 'warm' }, offSale: false }), false)
  assert.equal(hasFreshness({ recall: null, offSale: true }), false)
})

test('days between dates are whole over a change of the clock and a leap day', () => {
  assert.equal(daysBetween('2026-10-03', '2026-10-05'), 2)
  assert.equal(daysBetween('2028-02-28', '2028-03-01'), 2)
  assert.equal(daysBetween('2026-11-22', '2026-11-20'), -2)
})
