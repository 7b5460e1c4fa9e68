import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedReading } from './simulated-journey.ts'

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
