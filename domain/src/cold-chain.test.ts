import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertKind, alertsOf, coldChain, coldChainMark } from './cold-chain.ts'
import { MARKET_TIME_ZONE as ZONE } from './market-time.ts'
import { reading, START, steady } from './testing/readings.ts'

const caught = new Date(START - 3_600_000).toISOString()
const temperatures = (...list: number[]) => list.map((temperature, i) => reading(i / 4, temperature))
const kinds = (readings: Parameters<typeof alertsOf>[0], now?: number): AlertKind[] =>
  alertsOf(readings, ZONE, now).map(({ kind }) => kind)

test('minutes above 5 °C add up; 5 °C itself counts as cold', () => {
  assert.equal(coldChain(temperatures(9, 5.1, 5, 4, 6, 6), caught, ZONE)?.minutesAbove5, 45)
  assert.equal(coldChain(steady(3, 5), caught, ZONE)?.minutesAbove5, 0)
})

test('time to cold runs from the catch to the first reading at or below 5 °C', () => {
  assert.equal(coldChain(temperatures(12, 8, 5, 9), caught, ZONE)?.minutesToCold, 90)
  assert.equal(coldChain(temperatures(12, 8), caught, ZONE)?.minutesToCold, null)
  assert.equal(coldChain(temperatures(1), null, ZONE)?.minutesToCold, null)
  assert.equal(coldChain([reading(-3, 1), reading(2, 2)], caught, ZONE)?.minutesToCold, 180)
})

test('the longest silence is the longest time between two readings', () => {
  assert.equal(
    coldChain([reading(0, 1), reading(0.5, 1), reading(3, 1)], null, ZONE)?.longestSilenceMinutes,
    150,
  )
  assert.equal(coldChain([reading(0, 1)], null, ZONE)?.longestSilenceMinutes, null)
  assert.equal(coldChain([], caught, ZONE), null)
})

test('the highest temperature and when it was first measured', () => {
  const chain = coldChain(temperatures(1, 9.8, 3, 9.8), caught, ZONE)
  assert.deepEqual([chain?.highest, chain?.highestAt], [9.8, new Date(START + 15 * 60_000).toISOString()])
})

test('warmed above 5 °C, else silent for more than twice the usual, else cold', () => {
  const mark = (readings: Parameters<typeof coldChain>[0]) => {
    const chain = coldChain(readings, caught, ZONE)
    return chain && coldChainMark(chain)
  }
  assert.equal(mark(temperatures(1, 5, 2)), 'cold')
  assert.equal(mark(temperatures(1, 5.1, 2)), 'warmed')
  assert.equal(mark([...steady(4, 1), reading(6, 1)]), 'cold')
  assert.equal(mark([...steady(4, 1), reading(6.1, 1)]), 'silent')
  assert.equal(mark([...steady(4, 1), reading(6.1, 6)]), 'warmed')
  assert.equal(mark([reading(0, 1)]), 'cold')
  assert.equal(mark([]), null)
})

test('a cold journey gives no alert', () => {
  assert.deepEqual(alertsOf(temperatures(1, 1.2, 0.9, 1.1, 1), ZONE, START + 3_600_000), [])
})

test('warmth is an excursion, and no alert beside it', () => {
  assert.deepEqual(kinds(temperatures(1, 6, 6, 6, 6, 1, 6, 7, 6)), [])
})

test('a silence longer than twice the usual interval gives an alert, also while it lasts', () => {
  const hourly = steady(4, 1)
  assert.deepEqual(kinds([...hourly, reading(6, 1)]), [])
  assert.deepEqual(kinds([...hourly, reading(6.1, 1)]), ['silent'])
  assert.deepEqual(kinds(hourly, START + 6 * 3_600_000), [])
  assert.deepEqual(kinds(hourly, START + 6.1 * 3_600_000), ['silent'])
})

test('a jump of more than 8 °C gives an alert', () => {
  assert.deepEqual(kinds(temperatures(-1, 4, -3, 5, -3.1)), ['jump'])
})

test('a position that moves faster than 130 km/h gives an alert; missing positions do not', () => {
  const at = (hours: number, latitude: number) =>
    reading(hours, 1, { latitude, longitude: latitude === 0 ? 0 : 151 })
  assert.deepEqual(kinds([at(0, -34), at(1, -33), at(2, 0), at(3, -32)]), [])
  assert.deepEqual(kinds([at(0, -34), at(1, -33), at(2, -31.8)]), ['too-fast'])
})

test('a reading dated after the server’s clock gives an alert', () => {
  assert.deepEqual(kinds(temperatures(1, 1), START + 60_000), ['clock-ahead'])
})
