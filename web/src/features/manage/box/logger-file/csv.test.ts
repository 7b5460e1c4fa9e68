import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedCsv } from './csv.ts'

test('refused lines are saved with their reasons, and a heading that is a formula is text', async () => {
  const bad = [
    { line: 5, path: '=HYPERLINK("x")', message: 'must be a number' },
    { line: 6, path: 'Temp', message: '' },
  ]
  assert.equal(
    await refusedCsv(bad).text(),
    'line,column,reason\r\n5,"\'=HYPERLINK(""x"")",must be a number\r\n6,Temp,\r\n',
  )
})
