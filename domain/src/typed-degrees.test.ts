import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDegrees } from './typed-degrees.ts'

for (const [text, degrees] of [
  ['2.5', 2.5],
  ['2,5', 2.5],
  [' -1,5 ', -1.5],
  ['−1.5', -1.5],
  ['0', 0],
] as const)
  test(`'${text}' are ${degrees} degrees`, () => assert.equal(parseDegrees(text), degrees))

for (const text of ['', ' ', 'warm', '2,5,5', '2 °C'])
  test(`'${text}' are no degrees`, () => assert.equal(parseDegrees(text), text))
