import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import { unknownSince } from '@befaqt/domain/freshness-word'
import { MARKET_TIME_ZONE as ZONE } from '@befaqt/domain/market-time'
import { heldSince } from '@befaqt/domain/time-left'
import { boxFreshness, coldChainSentence } from './shelf-life.ts'

const at = (text: string): number => Date.parse(text)
const LAST = '2026-11-18T02:00:00.000Z'

/** A snapper that has used 2 of 14 days, last measured at noon on the 18th; best by in 12 days on ice. */
function metrics(freshnessIndex: number, temperature = 0): BoxMetrics {
  const [held] = heldSince({ at: at(LAST), temperature }, [])
  const rate = (1 + 0.1 * held.temperature) ** 2
  const after = (days: number) => new Date(at(LAST) + (days / rate) * 86_400_000).toISOString()
  return {
    freshnessIndex,
    stars: freshnessIndex >= 1 ? null : 5,
    pastItsBest: freshnessIndex >= 1,
    timeLeft: {
      species: 'Snapper',
      kind: 'temperate',
      shelfLifeAt0: 14,
      unconfirmed: true,
      daysUsed: 2,
      low: 1.7,
      high: 2.3,
      lastReadingAt: LAST,
      held: [{ temperature: held.temperature, from: LAST }],
      bestBy: { at: after(12), low: after(14 / 1.15 - 2), high: after(14 / 0.85 - 2) },
    },
    timeLeftWhyNot: null,
    lastMeasured: {
      at: LAST,
      temperature,
      isProbe: false,
      unknownFrom: temperature > 5 ? '2026-11-18T02:20:00.000Z' : null,
    },
    formsHistamine: false,
    coldChain: null,
  }
}

test('the head counts by the clock: a day without a reading is old, and the careful edge ends it first', () => {
  const now = (text: string, index = 0.2) => boxFreshness(metrics(index), at(text), ZONE)
  const fresh = now('2026-11-19T02:00:00Z')
  assert.deepEqual(
    [
      fresh.word,
      fresh.stars,
      fresh.bestBy,
      fresh.heldAt,
      fresh.ifIced,
      fresh.measuredLong,
      fresh.disagreement,
    ],
    ['excellent', 5, '2026-11-30', 0, null, null, null],
  )
  assert.equal(now('2026-11-19T02:00:01Z').measuredLong, '2026-11-18')
  assert.equal(now('2026-11-25T02:00:00Z').word, 'use soon')
  // 14 / 1.15 − 2 = 10.17 days after the 18th
  assert.deepEqual([now('2026-11-27T12:59:59Z').word, now('2026-11-27T12:59:59Z').over], ['use soon', null])
  const over = now('2026-11-27T13:00:00Z')
  assert.deepEqual(
    [over.word, over.bestBy, over.over],
    ['past its best', null, { date: '2026-11-28', isEstimate: false }],
  )
  assert.deepEqual(now('2026-11-30T13:00:00Z').over, { date: '2026-11-30', isEstimate: true })
})

test('held at 4 °C the date is that of 4 °C, and the better case is the one on ice', () => {
  const fresh = boxFreshness(metrics(0.2, 4), at('2026-11-19T02:00:00Z'), ZONE)
  assert.deepEqual([fresh.bestBy, fresh.ifIced, fresh.warm], ['2026-11-24', '2026-11-29', null])
  assert.ok(fresh.share !== null && Math.abs(fresh.share - (2.3 + 1.15 * 1.96) / 14) < 1e-9)
})

test('after a last 18 °C there is a date, use soon, for twice the interval, then nothing', () => {
  const warm = boxFreshness(metrics(0.2, 18), at('2026-11-18T02:19:00Z'), ZONE)
  assert.deepEqual(
    [warm.word, warm.warm, warm.bestBy, warm.ifIced],
    ['use soon', 18, '2026-11-20', '2026-11-30'],
  )
  const { word, stars, bestBy, unknown, ifIced } = boxFreshness(
    metrics(0.2, 18),
    at('2026-11-18T02:20:00Z'),
    ZONE,
  )
  assert.deepEqual([word, stars, bestBy, ifIced], [null, null, null, null])
  assert.deepEqual(unknown, { at: '2026-11-18 13:00:00', temperature: 18 })
})

test('what is unknown says since when and the last temperature', () => {
  const of = { at: '2026-11-23 04:33:00', temperature: 18 }
  assert.equal(unknownSince(of, '2026-11-24'), 'unknown since Mon 4:33 am, last 18 °C')
  assert.equal(unknownSince(of, '2026-11-29'), 'unknown since Mon 4:33 am, last 18 °C')
  assert.equal(
    unknownSince({ ...of, temperature: 6.54 }, '2026-11-30'),
    'unknown since Mon 23 Nov, 4:33 am, last 6.5 °C',
  )
})

test('where the two figures disagree the page says why', () => {
  const why = (text: string, index: number) => boxFreshness(metrics(index), at(text), ZONE).disagreement
  assert.match(
    why('2026-11-19T02:00:00Z', 1) ?? '',
    /^The warmth index is used up though days are left: it measures/,
  )
  assert.match(
    why('2026-12-05T02:00:00Z', 0.2) ?? '',
    /^Its days are over though the warmth index gives stars/,
  )
  assert.equal(why('2026-12-05T02:00:00Z', 1), null)
  assert.equal(why('2026-11-19T02:00:00Z', 0.2), null)
  assert.equal(boxFreshness(metrics(1), at('2026-11-19T02:00:00Z'), ZONE).word, 'excellent')
})

test('the cold chain in one sentence', () => {
  const chain = {
    minutesAbove5: 0,
    minutesToCold: 0,
    longestSilenceMinutes: 20,
    usualIntervalMinutes: 20,
    highest: 3.26,
    highestAt: '2026-11-17T20:00:00.000Z',
  }
  assert.equal(coldChainSentence(chain, ZONE, true), 'Stayed cold: highest 3.3 °C, never above 5 °C')
  const warmed = { ...chain, highest: 9.79, minutesAbove5: 210 }
  assert.equal(
    coldChainSentence(warmed, ZONE),
    'Warmed on the way: 3 h 30 min above 5 °C, up to 9.8 °C on Wed 18 Nov',
  )
  assert.match(
    coldChainSentence(warmed, ZONE, true),
    /Wed 18 Nov\. In this species, which forms histamine, a matter of safety$/,
  )
  assert.equal(
    coldChainSentence({ ...chain, highest: 6 }, ZONE),
    'Warmed on the way: up to 6 °C on Wed 18 Nov',
  )
  assert.match(
    coldChainSentence({ ...chain, longestSilenceMinutes: 220 }, ZONE),
    /^No reading for 3 h 40 min/,
  )
})
