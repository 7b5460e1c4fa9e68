import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { freshnessIndex } from '@befaqt/domain/freshness'
import { rateOfSpoilage } from '@befaqt/domain/time-left'

test('the formulas on the technology page match what the code computes', async () => {
  const text = await readFile(new URL('about/tech.md', import.meta.url), 'utf8')
  assert.match(text, /at 5 °C a fish from temperate waters uses up two and a quarter days of ice life in one/)
  assert.equal(rateOfSpoilage('temperate', 5), 2.25)
  assert.match(
    text,
    /Half of it comes from the temperature readings, three tenths from the e-eye, two tenths/,
  )
  assert.deepEqual(freshnessIndex({ iot: 0, img: 0, nose: 0 })?.weights, { iot: 0.5, img: 0.3, nose: 0.2 })
})
