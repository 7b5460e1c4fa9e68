import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { scaleLines, scaleReading } from './scale-line.ts'

for (const [line, grams, isStable, isGross] of [
  ['ST,GS,+  1.234kg', 1_234, true, true],
  ['ST,NT,+001.2345 kg', 1_235, true, false],
  ['US,NT,-  0.005kg', -5, false, false],
  ['S S     1.500 kg', 1_500, true, false],
  ['S D     1.498 kg', 1_498, false, false],
  ['   2050 g', 2_050, true, false],
  ['+ 0.000 KG', 0, true, false],
  ['- 0.000 kg', 0, true, false],
  ['1.2 kg ?', 1_200, false, false],
] as const)
  test(`a scale’s ${JSON.stringify(line)} is ${grams} g`, () => {
    assert.deepEqual(scaleReading(line), { grams, isStable, isGross })
  })

for (const line of ['', 'OL', 'S +', 'S I', 'ERR 3', '1.234', '2.5 lb', 'ready', 'kg', '999999999 kg.5'])
  test(`a scale’s ${JSON.stringify(line)} is no weight`, () => {
    assert.equal(scaleReading(line), null)
  })

test('lines are whole, however they arrive', () => {
  const text = 'ST,NT,+1.000kg\r\nST,NT,+1.001kg\r\n'
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), text.length]
      let rest = ''
      const found: string[] = []
      for (let i = 1; i < at.length; i++) {
        const next = scaleLines(rest, text.slice(at[i - 1], at[i]))
        found.push(...next.lines)
        rest = next.rest
      }
      assert.deepEqual(found, ['ST,NT,+1.000kg', 'ST,NT,+1.001kg'])
    }),
  )
  assert.equal(scaleLines('', 'x'.repeat(1_000)).rest, '', 'what never ends is not kept')
})

test('anything at all is a weight or none, never an error', () => {
  fc.assert(
    fc.property(fc.string(), (line) => {
      const reading = scaleReading(line)
      assert.ok(reading === null || Number.isSafeInteger(reading.grams))
    }),
  )
})
