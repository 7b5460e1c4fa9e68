import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittingMaps, guessColumns } from './guess-columns.ts'
import type { FilePreview } from './logger-file.ts'

const preview = (headings: string[], rows: string[][], more: Partial<FilePreview> = {}): FilePreview => ({
  sha256: '',
  delimiter: ';',
  headerLine: 3,
  headings,
  rows,
  lines: rows.length,
  ...more,
})

test('columns are guessed by what is in them: time, day and month, temperature, unit, comma, serial number', () => {
  const table: [headings: string[], rows: string[][], guess: object][] = [
    [
      ['No.', 'Date/time', 'Humidity', 'Temperature °C', 'Serial'],
      [
        ['1', '03.11.2026 10:00', '80,5', '-1,5', 'S-7'],
        ['2', '13.11.2026 10:10', '80,5', '1,5', 'S-7'],
      ],
      { time: 'Date/time', date: '', order: 'dmy', value: 'Temperature °C', decimal: ',', serial: 'Serial' },
    ],
    [
      ['', 'Day', 'Clock', 'Temp (°F)', 'Temp (°F)'],
      [['1', '11/04/2026', '1:05 PM', '34.7', '']],
      { time: 'Clock', date: 'Day', order: 'mdy', value: 'Temp (°F)', unit: 'F', decimal: '.', serial: '' },
    ],
    [
      ['Time', 'Value', 'Other'],
      [['2026-11-04T13:05:00Z', '1.5', '2']],
      { time: 'Time', date: '', order: 'ymd', value: '', unit: 'C' },
    ],
    [['Day', 'Temp'], [['04/13/2026', '']], { time: '', date: '', order: 'mdy', value: '' }],
    [['Temperature probe', 'Temp'], [['T1', '−1.5 °C']], { value: 'Temp', unit: 'C' }],
  ]
  for (const [headings, rows, guess] of table) {
    const found = guessColumns(preview(headings, rows), 'Australia/Sydney')
    assert.deepEqual({ ...found, ...guess }, found, headings.join())
    assert.deepEqual([found.headerLine, found.delimiter, found.zone], [3, ';', 'Australia/Sydney'])
  }
})

test('saved columns are offered for files that have them, wherever their headings stand', () => {
  const file = preview(['Date/time', 'Temp'], [['03.11.2026 10:00', '1,5']])
  const map = { ...guessColumns(file, 'UTC'), headerLine: 9 }
  const saved = [
    { name: 'fits', map },
    { name: 'another column', map: { ...map, serial: 'Serial' } },
    { name: 'other separator', map: { ...map, delimiter: ',' as const } },
  ]
  assert.deepEqual(fittingMaps(file, saved), [{ name: 'fits', map: { ...map, headerLine: 3 } }])
})
