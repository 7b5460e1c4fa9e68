import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import { MARKET_TIME_ZONE as ZONE } from '@befaqt/domain/market-time'
import { coldChainSentence } from './cold-chain-sentence.ts'
import { freshnessNow } from './shelf-life.ts'

const at = (text: string): number => Date.parse(text)
const metrics = (freshnessIndex: number): BoxMetrics => ({
  freshnessIndex,
  stars: 5,
  pastItsBest: freshnessIndex >= 1,
  timeLeft: {
    species: 'Snapper',
    kind: 'temperate',
    shelfLifeAt0: 14,
    unconfirmed: true,
    daysUsed: 2,
    low: 1.7,
    high: 2.3,
    lastReadingAt: '2026-11-18T02:00:00.000Z',
    bestBy: {
      at: '2026-11-30T02:00:00.000Z',
      low: '2026-11-29T02:00:00.000Z',
      high: '2026-12-01T02:00:00.000Z',
    },
  },
  timeLeftWhyNot: null,
  coldChain: null,
})

test('the head counts by the clock: a day without a reading is old, and best-by is over', () => {
  const now = (text: string, index = 0.2) => freshnessNow(metrics(index), at(text), ZONE)
  assert.deepEqual(now('2026-11-19T02:00:00Z'), {
    word: 'excellent',
    bestBy: '2026-11-30',
    isOld: false,
    lastReading: '2026-11-18',
    disagreement: null,
  })
  assert.equal(now('2026-11-19T02:00:01Z').isOld, true)
  assert.equal(now('2026-11-29T02:00:00Z').word, 'use soon')
  assert.deepEqual(
    [now('2026-11-30T12:59:59Z').word, now('2026-11-30T13:00:00Z').word],
    ['use soon', 'past its best'],
  )
})

test('where the two figures disagree the page says why', () => {
  const why = (text: string, index: number) => freshnessNow(metrics(index), at(text), ZONE).disagreement
  assert.match(why('2026-11-19T02:00:00Z', 1) ?? '', /index is used up/)
  assert.match(why('2026-12-05T02:00:00Z', 0.2) ?? '', /days on ice are over/)
  assert.equal(why('2026-12-05T02:00:00Z', 1), null)
  assert.equal(why('2026-11-19T02:00:00Z', 0.2), null)
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
  assert.equal(coldChainSentence(chain, ZONE), 'Stayed cold: highest 3.3 °C, never above 5 °C')
  assert.equal(
    coldChainSentence({ ...chain, highest: 9.79, minutesAbove5: 210 }, ZONE),
    'Warmed on the way: 3 h 30 min above 5 °C, up to 9.8 °C on Wed 18 Nov',
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
