import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  DEFAULT_WARM_LIMIT,
  followReadings,
  type LimitPeriod,
  limitsOf,
  NOTHING_WATCHED,
  reconcile,
  silenceAround,
  warmStretches,
} from './excursions.ts'

const MIN = 60_000
const limitAt = () => DEFAULT_WARM_LIMIT
const every10 = (...temperatures: number[]) =>
  temperatures.map((temperature, i) => ({ at: i * 10 * MIN, temperature }))
const follow = (...temperatures: number[]) => warmStretches(every10(...temperatures), limitAt)

test('above 5 °C for 30 minutes is a stretch with its peak; it ends with the first cold reading', () => {
  assert.deepEqual(follow(2, 6, 7, 9, 6, 3), [
    { since: 10 * MIN, until: 50 * MIN, peak: 9, peakAt: 30 * MIN, grade: 0 },
  ])
  assert.deepEqual(follow(2, 6, 7, 6, 6), [
    { since: 10 * MIN, until: null, peak: 7, peakAt: 20 * MIN, grade: 0 },
  ])
  assert.deepEqual(follow(6, 7, 5, 6, 7, 4), [], 'twice for 20 minutes is none')
  assert.deepEqual(follow(5, 5, 5, 5, 5), [], '5 °C is not above')
})

test('two and four hours in total grade the excursion in which they are reached, and make a short stretch one', () => {
  const warm = (times: number) => Array.from({ length: times }, () => 7)
  const grades = (...temperatures: number[]) => follow(...temperatures).map(({ grade }) => grade)
  assert.deepEqual(grades(2, ...warm(12)), [2], 'one excursion, not another for its grade')
  assert.deepEqual(grades(2, ...warm(24), 2), [4])
  assert.deepEqual(grades(2, ...warm(11), 2), [0])
  const short = [2, 7, 7]
  assert.deepEqual(grades(...short, ...short, ...short, ...short, ...short), [])
  assert.deepEqual(grades(...short, ...short, ...short, ...short, ...short, ...short), [2])
})

test('a limit counts for readings from when it was set, a species’ own before the shop’s', () => {
  const periods: LimitPeriod[] = [
    { species: '', since: 100, limit: { degrees: 4, minutes: 10 } },
    { species: 'snapper', since: 200, limit: { degrees: 2, minutes: 20 } },
    { species: 'snapper', since: 300, limit: null },
  ]
  const snapper = limitsOf(' Snapper', periods)
  assert.deepEqual(
    [50, 150, 250, 350].map((at) => snapper(at).degrees),
    [5, 4, 2, 4],
  )
  assert.equal(limitsOf('Tuna', periods)(250).degrees, 4)
  assert.equal(limitsOf('', [])(0), DEFAULT_WARM_LIMIT)
})

test('readings in parts give the same as together', () => {
  const temperatures = fc.array(fc.integer({ min: 3, max: 8 }), { maxLength: 60 })
  fc.assert(
    fc.property(temperatures, fc.nat(60), (list, cut) => {
      const readings = every10(...list)
      const whole = followReadings(NOTHING_WATCHED, readings, limitAt)
      const first = followReadings(NOTHING_WATCHED, readings.slice(0, cut), limitAt)
      const second = followReadings(first.watch, readings.slice(cut), limitAt)
      const ended = first.stretches.filter(({ until }) => until !== null)
      assert.deepEqual([...ended, ...second.stretches], whole.stretches)
      assert.deepEqual(second.watch, whole.watch)
    }),
  )
})

const stretch = (since: number, until: number | null) => ({
  since,
  until,
  peak: 9,
  peakAt: since,
  grade: 0 as const,
})
const known = (since: number, until: number | null, isClosed = false) => ({ since, until, isClosed })

test('what is known moves, splits, merges and is withdrawn as its stretch does', () => {
  const a = known(20, null)
  assert.deepEqual(reconcile([a], [stretch(10, null)]).kept, [{ known: a, stretch: stretch(10, null) }])
  const split = reconcile([a], [stretch(20, 30), stretch(40, null)])
  assert.deepEqual([split.kept.length, split.opened, split.withdrawn], [1, [stretch(40, null)], []])
  const [b, c] = [known(10, 30), known(40, null)]
  const merged = reconcile([b, c], [stretch(10, null)])
  assert.deepEqual(merged.kept, [{ known: b, stretch: stretch(10, null) }])
  assert.deepEqual(merged.withdrawn, [{ known: c, into: b }])
  assert.deepEqual(reconcile([b], [stretch(30, 50)]).withdrawn, [{ known: b, into: null }])
  const closed = known(10, 30, true)
  assert.deepEqual(reconcile([closed, c], [stretch(10, null)]).withdrawn, [{ known: closed, into: c }])
})

test('each stretch has one excursion, whatever was known before', () => {
  const spans = fc
    .uniqueArray(fc.nat(40), { maxLength: 12 })
    .map((cuts) => [...cuts].sort((a, b) => a - b))
    .map((cuts) => cuts.flatMap((since, i) => (i % 2 === 0 ? [{ since, until: cuts[i + 1] ?? null }] : [])))
  fc.assert(
    fc.property(spans, spans, (before, now) => {
      const { kept, opened, withdrawn } = reconcile(
        before.map(({ since, until }, i) => known(since, until, i % 3 === 0)),
        now.map(({ since, until }) => stretch(since, until)),
      )
      const found = [...kept.map(({ stretch }) => stretch), ...opened].sort((x, y) => x.since - y.since)
      assert.deepEqual(
        found,
        now.map(({ since, until }) => stretch(since, until)),
      )
      assert.equal(kept.length + withdrawn.length, before.length)
    }),
  )
})

test('a silence ends with the next reading, moves with a late one, or never was', () => {
  assert.deepEqual(silenceAround(30, [0, 10], 10), { since: 30, until: null })
  assert.deepEqual(silenceAround(30, [0, 10, 50], 10), { since: 30, until: 50 })
  assert.deepEqual(silenceAround(30, [0, 10, 15, 50], 10), { since: 35, until: 50 })
  assert.equal(silenceAround(30, [0, 10, 20, 30], 10), null)
})
