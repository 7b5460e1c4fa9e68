import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkChoice, type TradeChoice } from '../api/box-trade-api.ts'
import { BoxIDs } from '../box-values.ts'
import { blankColumns, commonAndOwn, fsmaColumns, lackingTexts } from './fsma.ts'

test('a choice is boxes, or days in their order, at most a year', () => {
  const wrongFields = (choice: TradeChoice) => {
    const fields: string[] = []
    checkChoice(choice, (field) => fields.push(field))
    return fields
  }
  assert.deepEqual(wrongFields({ box: ['A'] }), [])
  assert.deepEqual(wrongFields({ from: '2026-11-01', to: '2026-11-01' }), [])
  assert.deepEqual(wrongFields({ from: '2026-01-01', to: '2027-01-01' }), [])
  assert.deepEqual(wrongFields({ from: '2026-01-01', to: '2027-01-02' }), ['to'])
  assert.deepEqual(wrongFields({ from: '2026-11-02', to: '2026-11-01' }), ['to'])
  assert.deepEqual(wrongFields({ box: ['A'], from: '2026-11-01' }), ['box'])
  assert.deepEqual(wrongFields({}), ['from', 'to'])
  assert.deepEqual(BoxIDs.parse('A-1,B-2,,A-1,'), ['A-1', 'B-2'])
  for (const text of ['', ',', 'A B', '../etc', Array.from({ length: 101 }, (_, i) => `B${i}`).join()])
    assert.equal(BoxIDs.safeParse(text).success, false, text.slice(0, 20))
})

test('what all boxes lack is said once, the rest of each beside it', () => {
  const texts = lackingTexts([
    { step: 'Catch', isRecorded: true, words: ['weight', 'lot'] },
    { step: 'Sale', isRecorded: false, words: ['time', 'amount'] },
  ])
  assert.deepEqual(texts, ['Catch: weight', 'Catch: lot', 'Sale: not recorded'])
  assert.deepEqual(commonAndOwn([texts, ['Catch: lot', 'Landing: port']]), {
    common: ['Catch: lot'],
    own: [['Catch: weight', 'Sale: not recorded'], ['Landing: port']],
  })
  assert.deepEqual(commonAndOwn([]), { common: [], own: [] })
  const line = fsmaColumns.map((name) => (name === 'Quantity' ? '' : 'x'))
  assert.deepEqual(blankColumns(line), ['Quantity'])
})
