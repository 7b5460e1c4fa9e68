import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isSensingText, readSensingData } from './sensing-data.ts'

test('a table of measurements is recognised, whatever is between its columns', () => {
  const expected = {
    columns: [
      { name: 'ammonia_v', min: 0.3, max: 0.5 },
      { name: 'amines', min: -1, max: 20 },
    ],
    rows: 3,
    seconds: 8,
  }
  for (const between of [',', ';', '\t'])
    for (const end of ['\n', '\r\n']) {
      const text = ['time_s,ammonia_v,"amines"', '0,0.5,20', '4, 0.3,-1', '8,0.4,0', ''].join(end)
      assert.deepEqual(readSensingData(text.replaceAll(',', between)), expected)
    }
  const sample = readFileSync(new URL('../../server/sample/enose/0345579444-1.csv', import.meta.url), 'utf8')
  const read = readSensingData(sample)
  assert.deepEqual([read?.columns.length, read?.rows, read?.seconds], [6, 31, 120])
  assert.equal(readSensingData('ammonia;amines\n1;2')?.seconds, null)
})

test('what is no table is not taken for one, and what is no text is refused', () => {
  for (const text of [
    '',
    'notes',
    'a,b',
    'a,b\n1',
    'a,b\n1,x',
    '1,2\n3,4',
    'a,b\n1,2\n\n3,4',
    'time\n1',
    't,\n1,',
  ])
    assert.equal(readSensingData(text), null, JSON.stringify(text))
  assert.deepEqual(['', 'a\0b', 'ü'].map(isSensingText), [false, false, true])
})
