import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { historyOf, keyFor, kindsOf, shopWithBoxes } from '#server/testing/readings.ts'

const map = {
  delimiter: ';',
  headerLine: 3,
  time: 'Date/time',
  date: '',
  order: 'dmy',
  zone: 'UTC',
  value: 'Temperature °C',
  unit: 'C',
  decimal: ',',
  serial: '',
}
const file = [
  'Logger;S-77',
  '',
  'No.;Date/time;Temperature °C',
  '1;19.11.2026 10:00;1,5',
  '2;19.11.2026 10:10;ERR',
  '3;19.11.2026 10:20;70,0',
  '4;19.11.2027 10:30;1,0',
  '5;19.11.2026 10:40;-0,25',
].join('\r\n')

test('a logger’s file: preview, a dry run by line that writes nothing, the import with its SHA-256, and again', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const { admin, deps } = shop
  const csv = { 'content-type': 'text/csv' }
  const latin1 = Buffer.from(file, 'latin1')
  const sha256 = hash('sha256', latin1)
  const preview = (await admin('POST', '/api/tracking/file/preview', latin1, csv)).json()
  assert.deepEqual(
    [preview.sha256, preview.delimiter, preview.headerLine, preview.headings, preview.lines],
    [sha256, ';', 3, ['No.', 'Date/time', 'Temperature °C'], 5],
  )
  const read = (query: string) => admin('POST', `/api/tracking/file/preview?${query}`, latin1, csv)
  assert.deepEqual((await read('headerLine=4')).json().headings, ['1', '19.11.2026 10:00', '1,5'])
  assert.deepEqual((await read('delimiter=%2C&headerLine=3')).json().headings.length, 1)
  const bring = (dryRun: 0 | 1, box = 'BOX-1', bytes = latin1, how: object = map, part = {}) => {
    const query = new URLSearchParams({
      box,
      map: JSON.stringify(how),
      serial: 'S-77',
      dryRun: String(dryRun),
      ...part,
    })
    return admin('POST', `/api/tracking/file?${query}`, bytes, csv)
  }
  const dry = (await bring(1)).json()
  assert.deepEqual([dry.applied, dry.accepted, dry.duplicates, dry.refused], [false, 2, 0, 3])
  assert.deepEqual(
    dry.bad.map(({ line, path }: { line: number; path: string }) => `${line} ${path}`),
    ['5 Temperature °C', '6 temperature', '7 time'],
  )
  assert.deepEqual(dry.sample[0], {
    line: 4,
    iotID: 'S-77',
    time: '2026-11-19T10:00:00.000Z',
    temperature: 1.5,
  })
  const parts = []
  for (let after: number | null = 0; after !== null; after = parts.at(-1).next)
    parts.push((await bring(1, 'BOX-1', latin1, map, { after: String(after), count: '2' })).json())
  assert.deepEqual(
    parts.map(({ accepted, refused, next }) => [accepted, refused, next]),
    [
      [1, 1, 5],
      [0, 2, 7],
      [1, 0, null],
    ],
  )
  assert.deepEqual(await kindsOf(deps.db, 'BOX-1'), ['registration'], 'a dry run writes nothing')
  const done = (await bring(0)).json()
  assert.deepEqual([done.applied, done.accepted, done.refused], [true, 2, 3])
  assert.deepEqual(done.span, {
    from: '2026-11-19T10:00:00.000Z',
    to: '2026-11-19T10:40:00.000Z',
    low: -0.25,
    high: 1.5,
  })
  const tracked = (await historyOf(deps.db, 'BOX-1')).filter(({ kind }) => kind === 'tracking')
  assert.deepEqual(
    tracked.map(({ by, data }) => [by, data.temperature, data.file, data.sent]),
    [
      ['S-77', 1.5, { sha256, line: 4 }, undefined],
      ['S-77', -0.25, { sha256, line: 8 }, undefined],
    ],
  )
  const [shown] = (await admin('GET', '/api/box/BOX-1')).json().iotResult.iotTracking
  assert.equal('file' in shown, false, 'a whole Box has the fields of the specification')
  assert.deepEqual([(await bring(0)).json().accepted, (await bring(1)).json().duplicates], [0, 2])

  const products = Buffer.from('_id;title\np1;Snapper')
  const refusalOf = async (answer: ReturnType<typeof bring>) => (await answer).json().error.message
  assert.match(await refusalOf(bring(0, 'BOX-1', products)), /has no column “Date\/time”/)
  assert.match(
    await refusalOf(admin('POST', '/api/tracking/file/preview', products, csv)),
    /this is not a logger’s file/,
  )
  const wide = Buffer.from(`At;${'C;'.repeat(200)}\n2026-11-19 10:00${';1'.repeat(200)}\n`)
  assert.match(
    await refusalOf(admin('POST', '/api/tracking/file/preview', wide, csv)),
    /has 202 columns: at most 100/,
  )
  assert.match(await refusalOf(bring(0, 'BOX-1', Buffer.from('a\0b'))), /is not text/)
  assert.match(await refusalOf(bring(0, 'BOX-1', Buffer.from(' '))), /empty/)
  assert.equal((await bring(1, 'BOX-9')).statusCode, 404)
  assert.equal(
    (await bring(1, 'BOX-1', latin1, { ...map, unit: 'K' })).json().error.fields[0].path,
    'map.unit',
  )
  const large = Buffer.from(`a;b\n${'x'.repeat(1_100_000)}`)
  assert.equal((await bring(1, 'BOX-1', large)).statusCode, 413)

  const named = { name: 'LIBERO', map }
  assert.equal((await admin('PUT', '/api/tracking/column-map', named)).statusCode, 200)
  assert.deepEqual((await admin('GET', '/api/tracking/column-map')).json(), [named])
  const headers = { authorization: `Bearer ${await keyFor(shop, 'record:write', ['BOX-2'])}`, ...csv }
  const query = new URLSearchParams({ box: 'BOX-1', map: JSON.stringify(map) })
  const url = `/api/tracking/file?${query}`
  assert.equal((await shop.app.inject({ method: 'POST', url, headers, payload: latin1 })).statusCode, 403)
  for (const path of ['/api/tracking/file', '/api/tracking/file/preview'])
    assert.equal((await shop.app.inject({ method: 'POST', url: path })).statusCode, 401)
})

test('cells as no logger writes them are refused at once, however many blanks they have', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const csv = {
    'content-type': 'text/csv',
    authorization: `Bearer ${await keyFor(shop, 'record:write', ['BOX-1'])}`,
  }
  for (const cell of [`1${' '.repeat(500_000)}x`, `${'1'.repeat(500_000)}x`, `1 ${'\t'.repeat(300)}C`]) {
    const file = `Time,Temp\n2026-11-24 10:00:00,${cell}\n`
    const preview = await shop.app.inject({
      ...{ method: 'POST', url: '/api/tracking/file/preview', headers: csv },
      payload: file,
    })
    assert.equal(preview.statusCode, 400)
    assert.match(preview.json().error.message, /^Line 2: a cell has more than 200 characters\./)
  }
})
