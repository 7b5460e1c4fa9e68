import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Box } from '@befaqt/domain/box'
import { alertsOf } from '@befaqt/domain/cold-chain-alerts'
import { makeBox } from './journeys/make-box.ts'
import { plans } from './journeys/plans.ts'

const here = (name: string): URL => new URL(name, import.meta.url)
const boxes = new Map(plans.map((plan) => [plan.boxID, makeBox(plan)]))
const readings = (boxID: string) => boxes.get(boxID)?.box.iotResult?.iotTracking ?? []
const index = (boxID: string) => boxes.get(boxID)?.box.freshness.at(-1)?.freshnessIndex ?? Number.NaN

test('the committed boxes and data files are what their plans make', () => {
  const made = [...boxes.values()].map(({ box }) => `${box.boxID}.json`)
  assert.deepEqual(readdirSync(here('boxes/')).sort(), made.sort())
  for (const { box, dataFiles } of boxes.values()) {
    assert.deepEqual(Box.parse(JSON.parse(readFileSync(here(`boxes/${box.boxID}.json`), 'utf8'))), box)
    for (const { name, text } of dataFiles) assert.equal(readFileSync(here(name), 'utf8'), text)
  }
})

test('every picture that a sample box names is there, and every invented name is marked', () => {
  for (const { box } of boxes.values()) {
    for (const [, path = ''] of JSON.stringify(box).matchAll(/"(box\/[^"]+)"/g))
      assert.ok(existsSync(here(`images/${path}`)), path)
    assert.match(box.fisher.traderName, /^Sample Trader/)
    assert.match(box.fisher.companyName + box.fisher.boat, /\(sample\).*\(sample\)/)
  }
})

test('each sample box shows what it is there to show', () => {
  assert.deepEqual(alertsOf(readings('0345579444')), [])
  assert.ok(index('0345579444') < 0.3)
  const kinds = (boxID: string) => new Set(alertsOf(readings(boxID)).map(({ kind }) => kind))
  assert.deepEqual([...kinds('0345579445')].sort(), ['warm-2h', 'warm-spell'])
  assert.ok(readings('0345579446').some(({ latitude, longitude }) => latitude === 0 && longitude === 0))
  assert.deepEqual([...kinds('0345579447')], ['silent'])
  assert.ok(
    readings('0345579448').every(({ longitude }) => longitude > 152.1),
    'still at sea',
  )
  assert.equal(index('0345579449'), 1)
})
