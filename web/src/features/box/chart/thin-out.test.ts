import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { thinnedLine, warmestBars } from './thin-out.ts'

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
