import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MARKET_TIME_ZONE as ZONE } from './market-time.ts'
import { shelfLifeOf, speciesNamed } from './species.ts'
import { anyReadings, reading, START, steady } from './testing/readings.ts'
import {
  bestBy,
  bestByIfIced,
  daysLeft,
  daysUsed,
  daysUsedAt,
  HOLDING_TEMPERATURES,
  heldSince,
  type Measured,
  rateOfSpoilage,
  type ShelfLifeUsed,
  spoilageFormulas,
  timeLeft,
} from './time-left.ts'

const DAY = 86_400_000
const near = (actual: number | undefined, want: number): void =>
  assert.ok(actual !== undefined && Math.abs(actual - want) < 1e-9, `${actual} is not ${want}`)
const used = (readings: Parameters<typeof daysUsed>[0]) => daysUsed(readings, START, 'temperate', ZONE)
const shelfLife = { daysAt0: 14, source: 'test', unconfirmed: true }

test('known answers: 21 days at 5 °C use 47.25, 1 day at 0 °C uses 1, 10 days at 10 °C use 40', () => {
  near(used(steady(21 * 24, 5))?.days, 47.25)
  near(used(steady(24, 0))?.days, 1)
  near(used(steady(240, 10))?.days, 40)
})

test('the rate is 1 on ice, 0 at and below −10 °C for temperate species, exponential for tropical ones', () => {
  assert.equal(rateOfSpoilage('temperate', 0), 1)
  assert.equal(rateOfSpoilage('temperate', -10), 0)
  assert.equal(rateOfSpoilage('temperate', -30), 0)
  near(rateOfSpoilage('temperate', 5), 2.25)
  assert.equal(rateOfSpoilage('tropical', 0), 1)
  near(rateOfSpoilage('tropical', 10), Math.exp(1.2))
})

test('between two readings their mean rate counts', () => {
  near(used([reading(0, 0), reading(24, 10)])?.days, (1 + 4) / 2)
})

test('from the catch to the first reading its temperature counts; readings before the catch do not', () => {
  near(used([reading(24, 5), reading(48, 5)])?.days, 4.5)
  near(used([reading(24, 5), reading(48, 5)])?.high, 4.5 * 1.15)
  near(used([reading(-240, 20), reading(0, 0), reading(24, 0)])?.days, 1)
  assert.equal(used([reading(-1, 5)]), null)
  assert.equal(used([]), null)
})

test('the stretch from catch to first reading widens the range: at 5 °C, or at the first reading where that is warmer', () => {
  const cold = used([reading(24, 1), reading(48, 1)])
  near(cold?.days, 2 * 1.1 ** 2)
  near(cold?.low, 2 * 1.1 ** 2 * 0.85)
  near(cold?.high, (2.25 + 1.1 ** 2) * 1.15)
  near(used([reading(24, 10), reading(48, 10)])?.high, 8 * 1.15)
})

test('a silence widens the range by the warmer neighbour, not the estimate', () => {
  const steadily = [0, 1, 2, 3, 4].map((hour) => reading(hour, 0))
  const gap = used([...steadily, reading(28, 10)])
  near(gap?.days, (4 + 24 * 2.5) / 24)
  near(gap?.low, ((4 + 24 * 2.5) / 24) * 0.85)
  near(gap?.high, ((4 + 24 * 4) / 24) * 1.15)
})

const shelf = (
  days: number,
  low: number,
  high: number,
  last: Measured = { at: START, temperature: 0 },
  probes: readonly Measured[] = [],
): ShelfLifeUsed => ({
  kind: 'temperate',
  shelfLifeAt0: 14,
  used: { days, low, high },
  held: heldSince(last, probes),
})

test('known answers of what is held: 4 °C a day ago, and below ice', () => {
  const now = START + DAY
  const warm = shelf(1, 1, 1, { at: START, temperature: 4 })
  near(daysUsedAt(warm, now).days, 2.96)
  near(daysLeft(warm, 0, now).days, 11.04)
  near(Math.round(daysLeft(warm, 4, now).days * 100), 563)
  near(bestBy(warm).at, now + (11.04 / 1.96) * DAY)
  near(bestByIfIced(warm, now), now + 11.04 * DAY)
  const cold = shelf(1, 1, 1, { at: START, temperature: -0.5 })
  near(daysUsedAt(cold, now).days, 2)
  near(daysLeft(cold, 0, now).days, 12)
  near(bestBy(cold).at, bestByIfIced(cold, now))
})

test('known answer: handed over an hour after 18 °C with a probe of 1 °C, it is held at 1 °C from then', () => {
  const hour = DAY / 24
  const probe = { at: START + hour, temperature: 1 }
  const box = shelf(1, 1, 1, { at: START, temperature: 18 }, [probe, { at: START - 1, temperature: -3 }])
  assert.deepEqual(box.held, [
    { temperature: 18, from: START },
    { temperature: 1, from: START + hour },
  ])
  const used = 1 + 2.8 ** 2 / 24
  near(daysUsedAt(box, START + hour).days, used)
  near(daysUsedAt(box, START + hour + DAY).days, used + 1.21)
  near(bestBy(box).at, START + hour + ((14 - used) / 1.21) * DAY)
})

test('the edges of best-by are when the edges of the days used reach the shelf life', () => {
  const box = shelf(5, 4.25, 5.75, { at: START, temperature: 4 }, [{ at: START + DAY, temperature: 2 }])
  const { at, low, high } = bestBy(box)
  near(daysUsedAt(box, low).high, 14)
  near(daysUsedAt(box, at).days, 14)
  near(daysUsedAt(box, high).low, 14)
})

test('days left at a holding temperature, never below 0', () => {
  const left = daysLeft(shelf(5, 4.25, 5.75), 10, START)
  near(left.days, 9 / 4)
  near(left.low, 8.25 / 4)
  near(left.high, 9.75 / 4)
  assert.deepEqual(daysLeft(shelf(20, 17, 23), 0, START), { temperature: 0, days: 0, low: 0, high: 0 })
})

test('known answer: 14 days, nothing used at noon on the 1st: best by noon on the 15th, on the 11th 4 days are left', () => {
  const noon = (day: number): number => Date.UTC(2026, 10, day, 12)
  const fresh = shelf(0, 0, 0, { at: noon(1), temperature: 0 })
  assert.equal(bestBy(fresh).at, noon(15))
  assert.equal(daysLeft(fresh, 0, noon(11)).days, 4)
  assert.equal(daysLeft(fresh, 0, noon(15)).days, 0)
  assert.equal(daysLeft(fresh, 0, noon(20)).days, 0)
})

test('days left fall by a day each day, at any holding temperature by its rate, and best-by stays', () => {
  const box = shelf(5, 4.25, 5.75)
  for (const temperature of [0, 4, 7]) {
    const at = (days: number): number => daysLeft(box, temperature, START + days * DAY).days
    near(at(0) - at(1), 1 / rateOfSpoilage('temperate', temperature))
    assert.deepEqual([at(9), at(30)], [0, 0])
  }
  near(bestBy(box).at - START, 9 * DAY)
  assert.ok(bestBy(box).low < bestBy(box).at && bestBy(box).at < bestBy(box).high)
})

test('best-by is a time that can be written, whatever the sensor says', () => {
  for (const temperature of [60, 100, 1_000]) {
    const used = daysUsed(steady(48, temperature), START, 'tropical', ZONE)
    assert.ok(used !== null)
    const held = heldSince({ at: START, temperature }, [])
    const { at, low, high } = bestBy({ kind: 'tropical', shelfLifeAt0: 12, used, held })
    for (const time of [at, low, high]) assert.match(new Date(time).toISOString(), /^\d{4}-/)
  }
})

test('a clock behind the last reading adds no days', () => {
  assert.equal(daysLeft(shelf(5, 5, 5), 0, START - 3 * DAY).days, 9)
})

test('a box that stays on ice keeps its best-by, a warmer reading brings it forward', () => {
  const by = (readings: Parameters<typeof daysUsed>[0]): number => {
    const result = timeLeft({
      readings,
      caught: new Date(START).toISOString(),
      kind: 'temperate',
      shelfLife,
      timeZone: ZONE,
    })
    assert.ok(result.known)
    const held = heldSince({ at: result.lastReadingAt, temperature: readings.at(-1)?.temperature ?? 0 }, [])
    return bestBy({ ...result, shelfLifeAt0: result.shelfLife.daysAt0, held }).at
  }
  near(by(steady(24, 0)), by(steady(72, 0)))
  assert.ok(by([...steady(24, 0), reading(30, 8)]) < by(steady(24, 0)))
})

test('days used grow with every reading, and the range contains the estimate', () => {
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const figure = used(readings)
      if (figure === null) return
      assert.ok(figure.low <= figure.days && figure.days <= figure.high && figure.low >= 0)
      const more = used([...readings, reading(200, 4)])
      assert.ok(more !== null && more.days > figure.days)
    }),
  )
})

test('what is left of a history on ice, in a good fridge and in a warm one', () => {
  const result = timeLeft({
    readings: steady(48, 0),
    caught: new Date(START).toISOString(),
    kind: 'temperate',
    shelfLife,
    timeZone: ZONE,
  })
  assert.ok(result.known)
  assert.equal(result.lastReadingAt, START + 2 * DAY)
  const left = HOLDING_TEMPERATURES.map((held) =>
    daysLeft(
      shelf(result.used.days, 2, 2, { at: result.lastReadingAt, temperature: 0 }),
      held,
      result.lastReadingAt,
    ),
  )
  assert.deepEqual(
    left.map(({ temperature, days }) => [temperature, Math.round(days * 100) / 100]),
    [
      [0, 12],
      [4, 6.12],
      [7, 4.15],
    ],
  )
})

test('where days left cannot be estimated there is a reason instead', () => {
  const caught = new Date(START).toISOString()
  const good = { readings: steady(4, 0), caught, kind: 'temperate', shelfLife, timeZone: ZONE } as const
  const table = [
    [{ ...good, shelfLife: undefined }, 'no-shelf-life'],
    [{ ...good, caught: null }, 'no-catch-time'],
    [{ ...good, readings: [] }, 'no-readings'],
    [{ ...good, readings: [reading(0, 0), reading(1, -1.6)] }, 'superchilled'],
  ] as const
  for (const [input, why] of table) {
    const result = timeLeft(input)
    assert.ok(!result.known && result.why === why && result.words.endsWith('.'), why)
  }
  assert.ok(timeLeft({ ...good, readings: [reading(0, 0), reading(1, -1.5)] }).known)
})

test('species are found by standard and scientific name as people type them', () => {
  assert.equal(speciesNamed(' snapper ')?.scientificName, 'Chrysophrys auratus')
  assert.equal(speciesNamed('THUNNUS ALBACARES')?.name, 'Yellowfin Tuna')
  assert.equal(speciesNamed('unicorn'), undefined)
  assert.equal(speciesNamed('constructor'), undefined)
})

test('shelf life at 0 °C is that of the species’ group; live shellfish have none', () => {
  const days = (name: string): number | undefined => {
    const species = speciesNamed(name)
    return species && shelfLifeOf(species)?.daysAt0
  }
  const table = [
    ['Snapper', 14],
    ['Dusky Flathead', 11],
    ['Yellowtail Kingfish', 15],
    ['Silver Trevally', 10],
    ['Mulloway', 12],
    ['Yellowfin Tuna', 12],
    ['Blue Mackerel', 7],
    ['School Prawn', 9],
    ['Southern Calamari', 8],
    ['Atlantic Salmon', 20],
    ['Sydney Rock Oyster', undefined],
    ['Flathead', 11],
    ['Kingfish', 15],
    ['Bream', 14],
    ['Mackerel', 7],
  ] as const
  for (const [name, want] of table) assert.equal(days(name), want, name)
  const mackerel = speciesNamed('Spanish Mackerel')
  assert.ok(mackerel)
  assert.equal(shelfLifeOf(mackerel)?.unconfirmed, false)
})

test('species that form histamine are flagged, common names too', () => {
  const flagged = (name: string) => speciesNamed(name)?.formsHistamine
  for (const name of ['Yellowfin Tuna', 'tuna', 'Spanish Mackerel', 'Kingfish', 'Mahi Mahi', 'Tailor'])
    assert.equal(flagged(name), true, name)
  for (const name of ['Snapper', 'Flathead', 'School Prawn']) assert.equal(flagged(name), false, name)
})

test('the formulas that pages show are those that are computed', () => {
  const slope = (text: string): number => Number(/[\d.]+(?= × T)/.exec(text))
  const { temperate, tropical } = spoilageFormulas
  for (const degrees of [-1.5, 0, 4, 30]) {
    assert.equal(rateOfSpoilage('temperate', degrees), (1 + slope(temperate) * degrees) ** 2)
    assert.equal(rateOfSpoilage('tropical', degrees), Math.exp(slope(tropical) * degrees))
  }
})
