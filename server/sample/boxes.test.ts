import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Box } from '@befaqt/domain/box'
import { alertsOf, coldChain } from '@befaqt/domain/cold-chain'
import { assess, sensorResultOf } from '@befaqt/domain/freshness'
import { MARKET_TIME_ZONE as ZONE } from '@befaqt/domain/market-time'
import { shelfLifeOf, speciesNamed } from '@befaqt/domain/species'

const here = (name: string): URL => new URL(name, import.meta.url)
const read = (name: string): Box => Box.parse(JSON.parse(readFileSync(here(`boxes/${name}`), 'utf8')))
const boxes = new Map(readdirSync(here('boxes/')).map((name) => [name, read(name)]))
const readings = (boxID: string) => boxes.get(`${boxID}.json`)?.iotResult?.iotTracking ?? []
const index = (boxID: string) => boxes.get(`${boxID}.json`)?.freshness.at(-1)?.freshnessIndex ?? Number.NaN

/** The box as it was known at a time. Market times of one month compare as text. */
function knownAt(box: Box, time: string): Box {
  const before = <T extends { time: string }>(list: T[]): T[] => list.filter((item) => item.time <= time)
  const iotResult = box.iotResult && { ...box.iotResult, iotTracking: before(box.iotResult.iotTracking) }
  return { ...box, iotResult, imageProc: before(box.imageProc), e_nose: before(box.e_nose) }
}

test('the scores and freshness of the sample boxes match their readings and results', () => {
  for (const [name, box] of boxes) {
    assert.equal(name, `${box.boxID}.json`)
    const { operator, iotTracking, ...result } = box.iotResult ?? { operator: '', iotTracking: [] }
    assert.deepEqual({ ...result, operator: iotTracking[0]?.iotID }, sensorResultOf(iotTracking, ZONE), name)
    assert.ok(box.freshness.length > 0, name)
    for (const entry of box.freshness)
      assert.deepEqual(entry, assess(knownAt(box, entry.time), entry.time, ZONE), name)
  }
})

test('every file that a sample box names is there, and no other data file', () => {
  const named = new Set<string>()
  for (const box of boxes.values())
    for (const [, path = ''] of JSON.stringify(box).matchAll(/"((?:box|enose)\/[^"]+)"/g)) named.add(path)
  for (const path of named)
    assert.ok(existsSync(here(path.startsWith('box/') ? `images/${path}` : path)), path)
  const dataFiles = readdirSync(here('enose/')).map((name) => `enose/${name}`)
  assert.deepEqual(dataFiles.sort(), [...named].filter((path) => path.startsWith('enose/')).sort())
})

test('every picture in a result is of the species of its box, and every species has a shelf life', () => {
  for (const [name, { catchProv, imageProc }] of boxes) {
    const species = speciesNamed(catchProv?.species ?? '')
    assert.ok(species && shelfLifeOf(species), name)
    assert.equal(catchProv?.img, `box/catch-${species.slug}.webp`)
    for (const { overallResult, resultPerImage = [] } of imageProc) {
      assert.deepEqual(
        resultPerImage.map(({ image }) => image),
        [`box/eye-${species.slug}.webp`, `box/skin-${species.slug}.webp`],
      )
      for (const { fish } of [overallResult, ...resultPerImage]) assert.equal(fish, species.name)
    }
  }
})

test('every invented name is marked', () => {
  for (const { fisher } of boxes.values()) {
    assert.match(fisher.traderName, /^Sample Trader/)
    assert.match(fisher.companyName + fisher.boat, /\(sample\).*\(sample\)/)
  }
})

test('each sample box demonstrates its feature', () => {
  assert.deepEqual(alertsOf(readings('0345579444'), ZONE), [])
  assert.ok(index('0345579444') < 0.3)
  const kinds = (boxID: string) => new Set(alertsOf(readings(boxID), ZONE).map(({ kind }) => kind))
  assert.deepEqual([...kinds('0345579445')], [], 'warmth is an excursion, no alert')
  assert.ok((coldChain(readings('0345579445'), null, ZONE)?.minutesAbove5 ?? 0) > 120)
  assert.ok(readings('0345579446').some(({ latitude, longitude }) => latitude === 0 && longitude === 0))
  assert.deepEqual([...kinds('0345579447')], ['silent'])
  assert.ok(readings('0345579448').length > 0)
  assert.ok(
    readings('0345579448').every(({ longitude }) => longitude > 152.1),
    'still at sea',
  )
  assert.equal(index('0345579449'), 1)
})
