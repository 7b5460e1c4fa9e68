import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import test from 'node:test'
import { fromRoot } from '../script.mjs'
import { inRunOrder, lateFor, longest } from './run-order.ts'

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

test('groups of the server run spread among the journeys, so that what waits and what computes run at once', () => {
  const named = (n: number) => Array.from({ length: n }, (_, i) => String.fromCharCode(97 + i))
  const order = inRunOrder({
    unit: ['domain/src/a.test.ts', ...inMail, 'server/src/orders/a.test.ts', 'web/src/a.test.ts'],
    contract: [],
    browser: named(4).map((name) => `e2e/journeys/${name}.e2e.ts`),
  })
  assert.deepEqual(
    order.map(({ files: [file = ''] }) => file.split('/').slice(0, -1).join('/')),
    [
      'e2e/journeys',
      'server/src/mail',
      'e2e/journeys',
      'e2e/journeys',
      'server/src/mail',
      'e2e/journeys',
      'domain/src',
      'web/src',
    ],
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
      ['server/src/jobs/a.test.ts', ...inMail.slice(0, 9)],
      inMail.slice(9),
      [a, b],
      [c],
      ['tools/launch.test.ts'],
      ['tools/lock.test.ts'],
    ],
  )
})

test('what only measures comes last, and gives way in a run that takes longer than an hour', () => {
  const smoke = ['bench/src/smoke/postgres.test.ts', 'bench/src/smoke/embedded.test.ts']
  const unit = [...smoke, 'bench/src/chaos.test.ts', 'domain/src/a.test.ts']
  const order = inRunOrder({ unit, contract: [], browser: ['e2e/journeys/a.e2e.ts'] })
  assert.deepEqual(
    order.flatMap(({ files }) => files),
    ['bench/src/chaos.test.ts', 'e2e/journeys/a.e2e.ts', 'domain/src/a.test.ts', ...smoke],
  )
  assert.equal(lateFor(smoke, 59 * 60_000), undefined)
  assert.match(lateFor(smoke, 61 * 60_000) ?? '', /took 61 minutes/)
  for (const file of unit.slice(2)) assert.equal(lateFor([file], 600 * 60_000), undefined, file)
})

test('each of the long files is there', () => {
  const missing = longest.filter(
    (file) => !existsSync(fromRoot(`${file}.test.ts`)) && !existsSync(fromRoot(`${file}.e2e.ts`)),
  )
  assert.deepEqual(missing, [])
})
