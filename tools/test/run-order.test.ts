import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import test from 'node:test'
import { fromRoot } from '../script.mjs'
import { inRunOrder, longest } from './run-order.ts'

const inMail = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `server/src/mail/${name}.test.ts`)
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

test('short files of one folder share a process, six at most; every other file has its own', () => {
  const [a, b, c] = ['domain/src/a.test.ts', 'domain/src/b.test.ts', 'provenance/src/c.test.ts']
  const unit = [a, b, c, 'server/src/jobs/a.test.ts', ...inMail]
  const files = [...unit, first, 'server/src/shop.test.ts', 'server/src/start.test.ts']
  const groups = inRunOrder({ unit: files, contract: [], browser: [] })
  assert.deepEqual(
    groups.map((group) => group.files),
    [
      [first],
      [a, b],
      [c],
      ['server/src/jobs/a.test.ts'],
      inMail.slice(0, 6),
      inMail.slice(6),
      ['server/src/shop.test.ts'],
      ['server/src/start.test.ts'],
    ],
  )
})

test('each of the long files is there', () => {
  const missing = longest.filter(
    (file) => !existsSync(fromRoot(`${file}.test.ts`)) && !existsSync(fromRoot(`${file}.e2e.ts`)),
  )
  assert.deepEqual(missing, [])
})
