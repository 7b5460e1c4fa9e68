import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import test from 'node:test'
import { fromRoot } from '../script.mjs'
import { inRunOrder, longest } from './run-order.ts'

const inMail = Array.from({ length: 18 }, (_, i) => `server/src/mail/${String.fromCharCode(97 + i)}.test.ts`)
const [first = '', second = ''] = longest
  .filter((file) => file.startsWith('server/'))
  .map((file) => `${file}.test.ts`)
const [longJourney = ''] = longest.filter((file) => file.startsWith('e2e/')).map((file) => `${file}.e2e.ts`)

test('what takes long begins first, and what is short runs beside the last journeys', () => {
  const order = inRunOrder({
    unit: ['domain/src/a.test.ts', second, first],
    contract: ['contract/test/a.test.ts'],
    browser: ['e2e/journeys/a.e2e.ts', longJourney],
  })
  assert.deepEqual(
    order.flatMap(({ files }) => files),
    [first, second, longJourney, 'e2e/journeys/a.e2e.ts', 'contract/test/a.test.ts', 'domain/src/a.test.ts'],
  )
})

test('short files of one package share a process, ten at most; every other file has its own', () => {
  const [a, b, c] = ['domain/src/a.test.ts', 'domain/src/b.test.ts', 'provenance/src/c.test.ts']
  const unit = [a, b, c, 'server/src/jobs/a.test.ts', ...inMail]
  const files = [...unit, first, 'tools/launch.test.ts', 'tools/lock.test.ts']
  const groups = inRunOrder({ unit: files, contract: [], browser: [] })
  assert.deepEqual(
    groups.map((group) => group.files),
    [
      [first],
      [a, b],
      [c],
      ['server/src/jobs/a.test.ts', ...inMail.slice(0, 9)],
      inMail.slice(9),
      ['tools/launch.test.ts'],
      ['tools/lock.test.ts'],
    ],
  )
})

test('each of the long files is there', () => {
  const missing = longest.filter(
    (file) => !existsSync(fromRoot(`${file}.test.ts`)) && !existsSync(fromRoot(`${file}.e2e.ts`)),
  )
  assert.deepEqual(missing, [])
})
