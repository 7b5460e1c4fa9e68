import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { barChart, nearestBar, readingsFrame, roundTicks, thinnedLine, warmestBars } from './bar-chart.ts'

const HOUR = 3_600_000
const utc = () => 0
const hourly = (temperatures: number[]) =>
  temperatures.map((temperature, i) => ({ at: Date.UTC(2026, 10, 20, 3) + i * HOUR, temperature }))

const readings = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 20 * HOUR }), fc.double({ min: -30, max: 60, noNaN: true })), {
    maxLength: 60,
  })
  .map((steps) => {
    let at = Date.UTC(2026, 0, 1)
    return steps.map(([step, temperature]) => {
      at += step
      return { at, temperature }
    })
  })

test('every bar is inside the plot, in order of time, and starts at zero', () => {
  const { left, width, right, top, height, bottom } = readingsFrame
  fc.assert(
    fc.property(readings, (given) => {
      const { bars, zero } = barChart(given, readingsFrame, utc)
      assert.equal(bars.length, given.length)
      bars.forEach((bar, i) => {
        assert.ok(bar.x >= left && bar.x + bar.width <= width - right)
        assert.ok(bar.y >= top - 1e-9 && bar.y + bar.height <= height - bottom + 1e-9)
        assert.ok(bar.centre >= (bars[i - 1]?.centre ?? 0))
        const foot = (given[i]?.temperature ?? 0) >= 0 ? bar.y + bar.height : bar.y
        assert.ok(Math.abs(foot - zero) < 1e-9)
      })
    }),
  )
})

test('a silent sensor is a gap: distances between bars are distances in time', () => {
  const given = hourly([2, 2, 2])
  const late = { at: (given[2]?.at ?? 0) + 4 * HOUR, temperature: 2 }
  const [a, b, , d] = barChart([...given, late], readingsFrame, utc).bars.map(({ centre }) => centre)
  assert.ok(a !== undefined && b !== undefined && d !== undefined)
  assert.ok(Math.abs((d - a) / (b - a) - 6) < 1e-9)
})

test('hours on the time axis are whole hours of the given clock', () => {
  const halfPastEleven = () => 11.5 * HOUR
  const { xTicks } = barChart(hourly(Array(14).fill(2)), readingsFrame, halfPastEleven)
  assert.ok(xTicks.length >= 4 && xTicks.length <= 7)
  for (const { at } of xTicks) assert.equal((at + 11.5 * HOUR) % (3 * HOUR), 0)
})

/** Clocks of Sydney around a change: 11 hours ahead of UTC in summer, 10 in winter. */
const changesAt = (instant: number, before: number, after: number) => (at: number) =>
  (at < instant ? before : after) * HOUR

test('across a change of clocks the axis shows whole hours and midnights of the clock, each once and in order', () => {
  const april = changesAt(Date.UTC(2026, 3, 4, 16), 11, 10)
  const october = changesAt(Date.UTC(2026, 9, 3, 16), 10, 11)
  for (const [from, offsetAt] of [
    [Date.UTC(2026, 3, 3), april],
    [Date.UTC(2026, 9, 2), october],
  ] as const)
    for (const hours of [14, 20, 40, 72, 120]) {
      const given = Array.from({ length: hours }, (_, i) => ({ at: from + i * HOUR, temperature: 2 }))
      const ticks = barChart(given, readingsFrame, offsetAt).xTicks.map(({ at }) => at)
      const clocks = ticks.map((at) => new Date(at + offsetAt(at)).toISOString().slice(0, 16))
      assert.ok(ticks.length >= 2 && ticks.length <= 8, `${hours} hours: ${clocks}`)
      assert.deepEqual([...new Set(clocks)].sort(), clocks)
      for (const clock of clocks) assert.match(clock, hours >= 72 ? /T(00|12):00$/ : /:00$/)
    }
})

test('a chart of no reading and of one reading can be drawn', () => {
  assert.deepEqual(barChart([], readingsFrame, utc).bars, [])
  const { bars, xTicks } = barChart(hourly([4]), readingsFrame, utc)
  assert.equal(bars[0]?.centre, (readingsFrame.left + readingsFrame.width - readingsFrame.right) / 2)
  assert.equal(xTicks.length, 1)
})

test('pointing between two bars selects the nearer one', () => {
  const { bars } = barChart(hourly([1, 2, 3]), readingsFrame, utc)
  assert.equal(nearestBar(bars, 0), 0)
  assert.equal(nearestBar(bars, (bars[1]?.centre ?? 0) + 3), 1)
  assert.equal(nearestBar(bars, 9999), 2)
  assert.equal(nearestBar([], 5), null)
})

test('ticks are round numbers and enclose the values', () => {
  assert.deepEqual(roundTicks(0, 8, 6), [0, 2, 4, 6, 8])
  assert.deepEqual(roundTicks(-1.4, 8, 6), [-2, 0, 2, 4, 6, 8])
  assert.deepEqual(roundTicks(0, 31, 6), [0, 10, 20, 30, 40])
})

test('there are few ticks, however far apart the values are', () => {
  const degrees = fc.integer({ min: -20_000, max: 20_000 }).map((hundredths) => hundredths / 100)
  fc.assert(
    fc.property(degrees, degrees, (a, b) => {
      const [low, high] = [Math.min(0, a, b), Math.max(8, a, b)]
      const ticks = roundTicks(low, high, 6)
      assert.ok(ticks.length >= 3 && ticks.length <= 9, String(ticks))
      assert.ok((ticks[0] ?? 0) <= low && (ticks.at(-1) ?? 0) >= high)
      assert.ok(ticks.includes(0))
    }),
  )
})

const points = fc
  .array(
    fc.record({
      centre: fc.double({ min: 0, max: 1000, noNaN: true }),
      tip: fc.integer({ min: 0, max: 99 }),
    }),
  )
  .map((all) => all.sort((a, b) => a.centre - b.centre))
const WIDTH = 2
const columnOf = ({ centre }: { centre: number }): number => Math.floor(centre / WIDTH)

test('a thinned line keeps both ends, the warmest and the coldest of every column, and its order', () => {
  fc.assert(
    fc.property(points, (all) => {
      const kept = thinnedLine([...all.keys()], all, WIDTH)
      assert.deepEqual(
        kept,
        [...new Set(kept)].sort((a, b) => a - b),
      )
      const of = (indexes: readonly number[]) =>
        Object.entries(
          Object.groupBy(
            indexes.flatMap((i) => all[i] ?? []),
            (point) => columnOf(point),
          ),
        ).map(([column, there = []]) => {
          const tips = there.map(({ tip }) => tip)
          return [column, there[0], there.at(-1), Math.min(...tips), Math.max(...tips)]
        })
      assert.deepEqual(of(kept), of([...all.keys()]))
      assert.ok(kept.length <= 4 * of(kept).length)
    }),
  )
})

test('of bars that would cover one another the warmest is drawn, and every other one', () => {
  fc.assert(
    fc.property(points, (all) => {
      const kept = new Set(warmestBars(all, WIDTH))
      for (const [i, bar] of all.entries()) {
        const rivals = all.filter((other) => columnOf(other) === columnOf(bar))
        assert.equal(rivals.filter((other) => kept.has(all.indexOf(other))).length, 1)
        if (kept.has(i)) assert.ok(rivals.every(({ tip }) => tip >= bar.tip))
      }
    }),
  )
})

test('10,000 readings in a row need no more points than the drawing has room for', () => {
  const all = Array.from({ length: 10_000 }, (_, i) => ({ centre: i / 10, tip: (i * 7919) % 97 }))
  assert.ok(thinnedLine([...all.keys()], all, WIDTH).length <= 2_000)
  assert.equal(warmestBars(all, WIDTH).length, 500)
})
