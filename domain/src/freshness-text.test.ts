import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxText } from './freshness-text.ts'
import { NO_FRESHNESS } from './freshness-word.ts'

const TODAY = '2026-11-25'

test('what is kept says word, date with its year, and the cold chain in a sentence', () => {
  const freshness = { ...NO_FRESHNESS, word: 'excellent', stars: 5, bestBy: '2026-12-06' } as const
  assert.equal(
    boxText({ freshness, coldChain: 'cold' }, TODAY),
    'Excellent, best by Sun 6 Dec 2026. Stayed cold: never above 5 °C.',
  )
  assert.equal(
    boxText({ freshness: { ...freshness, bestBy: null }, coldChain: 'silent' }, TODAY),
    'Excellent. Never above 5 °C, but readings are missing.',
  )
})

test('of a box that nothing may be said of, or whose sensor died warm, there is no word and no date', () => {
  assert.equal(boxText({ freshness: NO_FRESHNESS, coldChain: null }, TODAY), '')
  const unknown = { at: '2026-11-23 04:33:00', temperature: 18 }
  assert.equal(
    boxText({ freshness: { ...NO_FRESHNESS, unknown }, coldChain: 'warmed' }, TODAY),
    'Unknown since Mon 4:33 am, last 18 °C. Warmed on the way: above 5 °C for a time.',
  )
})
