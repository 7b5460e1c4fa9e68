import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CatchForm, FisherForm, lossForm, recordTime, typedPayload, WeightForm } from './box-forms.ts'

test('a flat form becomes a box and its fisher', () =>
  assert.deepEqual(
    FisherForm.parse({
      boxID: 'B-1',
      traderID: 'T1',
      traderName: 'Nine',
      companyName: '',
      boat: 'Gannet',
      address: '',
    }),
    {
      boxID: 'B-1',
      fisher: { traderID: 'T1', traderName: 'Nine', companyName: '', boat: 'Gannet', address: '' },
    },
  ))

test('a boxID that cannot be part of a URL is rejected at its field', () => {
  const issues = FisherForm.safeParse({ boxID: '../x', traderID: 'T1' }).error?.issues ?? []
  assert.ok(issues.some(({ path }) => path[0] === 'boxID'))
})

test('a catch has its time in market time and its place as numbers', () => {
  const caught = CatchForm.parse({
    time: '2026-11-21T05:40',
    boat: 'Gannet',
    latitude: '-30.31',
    longitude: '153.2',
    method: 'line',
    species: 'Snapper',
  })
  assert.equal(caught.time, '2026-11-21 05:40:00')
  assert.deepEqual([caught.latitude, caught.locationCodeLong], [-30.31, 153.2])
})

test('an invalid date and coordinates off the globe are rejected', () => {
  const issues =
    CatchForm.safeParse({ time: '2026-02-30T05:40', latitude: '-91', longitude: '', species: '' }).error
      ?.issues ?? []
  assert.deepEqual([...new Set(issues.map(({ path }) => path[0]))].sort(), [
    'latitude',
    'locationCodeLat',
    'longitude',
    'species',
    'time',
  ])
  assert.equal(recordTime('2026-11-21T05:40:10'), '2026-11-21 05:40:10')
})

test('a corrected payload keeps its types and what was not shown', () => {
  const before = { species: 'Snaper', size: 40, results: [{ eye: 'clear' }], img: 'a.webp' }
  assert.deepEqual(typedPayload(before, { species: 'Snapper', size: '45 cm', results: '[]' }), {
    species: 'Snapper',
    size: '45 cm',
    results: [],
    img: 'a.webp',
  })
  assert.deepEqual(typedPayload(before, { size: '41', results: '{' }), {
    ...before,
    size: 41,
    results: '{',
  })
})

test('a loss of what is weighed is typed in kilograms, too, of what is counted as a number alone', () => {
  const form = lossForm([
    { _id: 'snapper', unit: 'kg' },
    { _id: 'ice', unit: 'bag' },
  ])
  const loss = (product_id: string, amount: string) =>
    form.safeParse({ product_id, amount, reason: 'fell' }).data?.amount
  assert.deepEqual([loss('snapper', '0.35 kg'), loss('snapper', '350'), loss('ice', '2')], [350, 350, 2])
  assert.deepEqual(
    [loss('ice', '2 kg'), loss('ice', '350 g'), loss('gone', '1 kg')],
    [undefined, undefined, undefined],
  )
})

test('a box is weighed in kilograms or grams, and without a scale it was typed', () => {
  const weight = (grams: string, scale = '') => WeightForm.safeParse({ of: 'box', grams, scale }).data
  assert.deepEqual(weight('41 kg'), { of: 'box', grams: 41_000 })
  assert.deepEqual(weight('41050', ' Scale 2 '), { of: 'box', grams: 41_050, scale: 'Scale 2' })
  assert.deepEqual([weight(''), weight('0'), weight('10000 kg'), weight('some')], Array(4).fill(undefined))
})
