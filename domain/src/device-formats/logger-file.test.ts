import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ColumnMap, guessLayout, readLines } from './logger-file.ts'

const map: ColumnMap = {
  delimiter: ',',
  headerLine: 1,
  time: 'Time',
  date: '',
  order: 'dmy',
  zone: 'Australia/Sydney',
  value: 'Temp',
  unit: 'C',
  decimal: '.',
  serial: '',
}

/** What one line with this time and value is read as. */
const one = (time: string, value: string, more: Partial<ColumnMap> = {}) => {
  const lines = [
    { line: 1, cells: ['Time', 'Temp', 'Day', 'No'] },
    { line: 2, cells: [time, value, '20/11/2026', 'S-9'] },
  ]
  const read = readLines(lines, { ...map, ...more }, 'typed')
  assert.ok(typeof read !== 'string' && read.length === 1)
  const [reading] = read
  assert.ok(reading)
  return 'message' in reading
    ? `${reading.path}: ${reading.message}`
    : [reading.time, reading.temperature, reading.iotID]
}

test('times and values of loggers are read as their map says', () => {
  const table: [time: string, value: string, more: Partial<ColumnMap>, read: unknown][] = [
    ['20/11/2026 08:30', '1.5', {}, ['2026-11-19T21:30:00.000Z', 1.5, 'typed']],
    ['20.11.26 8:30:05', '-0,5 °C', { decimal: ',' }, ['2026-11-19T21:30:05.000Z', -0.5, 'typed']],
    ['11/20/2026 12:05 AM', '34.7', { order: 'mdy', unit: 'F' }, ['2026-11-19T13:05:00.000Z', 1.5, 'typed']],
    ['11/20/2026 1:05:00 p.m.', '2', { order: 'mdy', zone: 'UTC' }, ['2026-11-20T13:05:00.000Z', 2, 'typed']],
    ['2026-11-20T08:30:00Z', '2', { order: 'ymd' }, ['2026-11-20T08:30:00.000Z', 2, 'typed']],
    ['08:30', '2', { date: 'Day', serial: 'No', zone: 'UTC' }, ['2026-11-20T08:30:00.000Z', 2, 'S-9']],
    ['2026-11-20 08:30', '2', {}, 'Time: is not a time'],
    ['31/02/2026 08:30', '2', {}, 'Time: is not a time'],
    ['04/10/2026 02:30', '2', {}, 'Time: does not exist: clocks in Australia/Sydney went forward over it'],
    ['20/11/2026 08:30', 'ERR', {}, 'Temp: is not a number'],
    ['20/11/2026 08:30', '1e3', {}, 'Temp: is not a number'],
    ['20/11/2026 08:30', '', {}, 'Temp: is not a number'],
  ]
  for (const [time, value, more, read] of table) assert.deepEqual(one(time, value, more), read, time)
})

test('another file is refused by its headings, and a layout is seen where there are dates and numbers', () => {
  const products = [
    { line: 1, cells: ['_id', 'title', 'price'] },
    { line: 2, cells: ['p1', 'Snapper', '3.50'] },
  ]
  assert.match(String(readLines(products, map, '')), /Line 1 has no column “Time”, “Temp”/)
  assert.equal(
    guessLayout(() => products),
    null,
  )
  const semicolons = [
    { line: 1, cells: ['Serial 7'] },
    { line: 4, cells: ['Date/time', 'Temperature'] },
    { line: 5, cells: ['20.11.2026 08:30', '1,5'] },
  ]
  assert.deepEqual(
    guessLayout((delimiter) => (delimiter === ';' ? semicolons : [])),
    { delimiter: ';', headerLine: 4 },
  )
  assert.equal(ColumnMap.safeParse({ ...map, zone: 'Mars/Base' }).success, false)
})
