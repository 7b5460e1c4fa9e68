import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { alertsOf, coldChain, inTimeOrder, type Reading, usualInterval } from './cold-chain.ts'
import { MINUTE_MS } from './durations.ts'
import { heardShare, sensorScore } from './freshness.ts'
import { IncrementalMetrics } from './incremental-metrics.ts'
import { MARKET_TIME_ZONE as ZONE } from './market-time.ts'
import { daysUsed } from './time-left.ts'

const START = Date.UTC(2026, 8, 1)

/** Temperatures that loggers give, warm and superchilled ones, and every other number. */
const temperature = fc.oneof(
  fc.integer({ min: -30, max: 130 }).map((tenths) => tenths / 10),
  fc.double({ min: -60, max: 60, noNaN: true }),
)
const degree = (max: number) =>
  fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: -max, max, noNaN: true }))
/** Steps of a logger with jitter, lost readings, readings in the same second and times before the others. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 598_000, max: 602_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(600_000, 1_200_000, 1_200_001, 0, 1, 999, 7_200_000) },
  { weight: 1, arbitrary: fc.integer({ min: -20 * 600_000, max: 4 * 3_600_000 }) },
)
const reading = fc.record({ step, temperature, latitude: degree(90), longitude: degree(180) })
const readings = fc.array(reading, { maxLength: 400, size: 'max' }).map((list) => {
  let at = START
  return list.map(({ step, ...rest }): Reading => {
    at += step
    return { ...rest, time: new Date(at).toISOString() }
  })
})
/** The same readings in batches: one at a time, all together, as they were measured or in any order. */
const batches = fc
  .tuple(readings, fc.constantFrom(1, 2, 7, 100, 1_000), fc.boolean(), fc.nat())
  .map(([list, size, shuffled, seed]) => {
    const order = shuffled ? list.toSorted((a, b) => mixed(a.time, seed) - mixed(b.time, seed)) : list
    return Array.from({ length: Math.ceil(order.length / size) }, (_, i) =>
      order.slice(i * size, (i + 1) * size),
    )
  })
/** A number that has nothing to do with the order of times. */
function mixed(time: string, seed: number): number {
  let hash = seed
  for (const letter of time) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  return hash
}
const caught = fc.option(
  fc.record({
    at: fc.integer({ min: -10, max: 200 }).map((hours) => START + hours * 60 * MINUTE_MS),
    kind: fc.constantFrom('temperate' as const, 'tropical' as const),
  }),
  { nil: undefined },
)

test('whatever is added in whatever order, every metric equals that of the whole history', () => {
  fc.assert(
    fc.property(batches, caught, fc.constantFrom(1, 20), (batches, caught, most) => {
      const running = new IncrementalMetrics(ZONE, caught)
      const all: Reading[] = []
      for (const [i, batch] of batches.entries()) {
        running.add(batch)
        all.push(...batch)
        if (i % 37 !== 0 && i !== batches.length - 1) continue
        const ordered = inTimeOrder(all, ZONE)
        assert.equal(running.sensorScore(), sensorScore(all, ZONE))
        assert.equal(running.lastAt(), ordered.at(-1)?.at)
        assert.equal(running.usualInterval(), usualInterval(ordered))
        assert.deepEqual(running.alerts(most), alertsOf(all, ZONE).slice(-most))
        assert.equal(running.heardShare(), heardShare(all, ZONE))
        assert.deepEqual(
          running.coldChain(),
          coldChain(all, caught === undefined ? null : new Date(caught.at).toISOString(), ZONE),
        )
        const used = caught === undefined ? null : daysUsed(all, caught.at, caught.kind, ZONE)
        assert.deepEqual(running.daysUsed(), used)
        const since = ordered.filter(({ at }) => caught !== undefined && at >= caught.at)
        assert.equal(
          running.isSuperchilled(),
          since.some(({ temperature }) => temperature < -1.5),
        )
      }
    }),
    { numRuns: 150 },
  )
})

test('an invalid time counts nothing, and metrics are null before the first reading', () => {
  const running = new IncrementalMetrics(ZONE, { at: START, kind: 'temperate' })
  running.add([{ time: '2026-02-30 10:00:00', temperature: 3, latitude: 1, longitude: 1 }])
  assert.deepEqual(
    [
      running.sensorScore(),
      running.daysUsed(),
      running.lastAt(),
      running.usualInterval(),
      running.alerts(20),
      running.coldChain(),
    ],
    [null, null, undefined, null, [], null],
  )
})

/** By the readings that adding one looks at: time says nothing on a busy machine. */
test('adding a reading looks at as many others in a box of 50,000 as in one of 500', () => {
  const cost = (size: number): number => {
    const running = new IncrementalMetrics(ZONE, { at: START, kind: 'temperate' })
    const at = (i: number): Reading => ({
      time: new Date(START + i * MINUTE_MS).toISOString(),
      temperature: 1 + (i % 10) / 10,
      latitude: -33,
      longitude: 151,
    })
    running.add(Array.from({ length: size }, (_, i) => at(i)))
    const before = running.work
    for (let i = 0; i < 64; i++) running.add([at(size + i)])
    return running.work - before
  }
  assert.ok(cost(50_000) <= 2 * cost(500), `${cost(50_000)} and ${cost(500)}`)
})
