import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { shopWithBoxes } from '#server/testing/readings.ts'
import { type LabelContent, label, labelLines } from './label-content.ts'
import { placeReceipt, RECEIPT_LETTERS } from './label-receipt.ts'
import { labelSvg, labelsZpl } from './labels.ts'

const run = promisify(execFile)
const { ZINT, ZBARIMG, ZXING_READER } = process.env
const without = (path: string | undefined, name: string) => path === undefined && `${name} is not there`

const content: LabelContent = {
  boxID: '0345579444',
  site: 'Sydney Fish Market',
  address: 'https://shop.example/00/095060000000001234',
  sscc: '(00) 095060000000001234',
  species: 'Snapper',
  place: 'Tasman Sea, off Port Stephens, 40 km from the coast',
  caught: 'Caught 2026-11-18',
  mark: '',
  receipt: null,
}

/** The label as a picture of 203 dpi, as a thermal printer prints it. */
async function withPicture<Result>(look: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-label-'))
  try {
    const path = join(folder, 'label.png')
    await sharp(Buffer.from(labelSvg(content)), { density: 203 })
      .flatten({ background: '#fff' })
      .png()
      .toFile(path)
    return await look(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('zbarimg reads the label', { skip: without(ZBARIMG, 'zbarimg') }, async () => {
  const { stdout } = await withPicture((path) => run(ZBARIMG ?? '', ['--raw', '-q', path]))
  assert.equal(stdout.trim(), content.address)
})

test('ZXing reads the label, and finds error correction M', {
  skip: without(ZXING_READER, 'ZXingReader'),
}, async () => {
  const { stdout } = await withPicture((path) => run(ZXING_READER ?? '', [path]))
  assert.ok(stdout.includes(content.address), stdout)
  assert.match(stdout, /EC Level:\s+"?M"?/i)
})

test('zint takes the number on the label for a GS1 string, and no other', {
  skip: without(ZINT, 'zint'),
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-zint-'))
  const check = (data: string) =>
    run(ZINT ?? '', ['--gs1', '-b', 'GS1_128', '-o', join(folder, 'a.svg'), '-d', data]).then(
      ({ stderr }) => stderr,
      ({ stderr }: { stderr: string }) => stderr,
    )
  try {
    const number = (content.sscc ?? '').replace('(', '[').replace(')', ']').replace(' ', '')
    assert.equal(await check(number), '')
    assert.notEqual(await check(number.replace(/.$/, '5')), '', 'a wrong check digit')
    assert.equal(await check('[01]09506000134352[10]BOX-1'), '')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the code has an empty margin of four modules on every side', async () => {
  const { data, info } = await sharp(
    Buffer.from(
      labelSvg({ ...content, site: '', boxID: '', species: '', place: '', caught: '', sscc: null }),
    ),
    { density: 254 },
  )
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const dark = (x: number, y: number) => (data[y * info.width + x] ?? 255) < 128
  const columns = Array.from({ length: info.width }, (_, x) => x)
  const rows = Array.from({ length: info.height }, (_, y) => y)
  const left = columns.findIndex((x) => rows.some((y) => dark(x, y)))
  const top = rows.findIndex((y) => columns.some((x) => dark(x, y)))
  const finder = columns.slice(left).findIndex((x) => !dark(x, top)) // seven modules wide
  const module = finder / 7
  assert.ok(left - 30 >= 4 * module - 1 && top - 30 >= 4 * module - 1, `${left} ${top} ${module}`)
})

test('commands of a printer can’t come from what stands on a label', () => {
  const zpl = labelsZpl([{ ...content, species: '^XZ~JA_5E\\&', place: 'Île' }])
  assert.equal(zpl.match(/\^XZ/g)?.length, 1)
  assert.doesNotMatch(zpl, /~/)
  assert.match(zpl, /\^BQN,2,\d+,M\^FH_\^FDMA,https:\/\/shop\.example\/00\/095060000000001234\^FS/)
  assert.match(zpl, /_c3_8ele/)
})

test('every line fits beside the code', () => {
  const long = { ...content, boxID: 'B'.repeat(64), species: 'long '.repeat(30), place: 'place '.repeat(40) }
  const height = 4 + labelLines(long).reduce((sum, { size }) => sum + size * 1.32, 0)
  assert.ok(height <= 50, `${height} mm`)
})

const receipt = {
  line: `befaqt1 fish.example/befaqt/log 123 ${'aB3+'.repeat(10)}aB3=`,
  note: `fish.example/befaqt/log\n123\n${'aB3+'.repeat(10)}aB3=\n\n— fish.example/befaqt/log ${'aB3+'.repeat(22)}aB3=\n`,
}

test('a label has the receipt of the log where there is room: code and line, else the line, else nothing', () => {
  const kinds: [LabelContent, hasCode: boolean, lines: boolean][] = [
    [{ ...content, sscc: null, place: 'Tasman Sea', receipt }, true, true],
    [{ ...content, receipt }, false, true],
    [
      { ...content, boxID: 'B'.repeat(64), species: 'long '.repeat(30), place: 'p '.repeat(40), receipt },
      false,
      false,
    ],
    [content, false, false],
  ]
  for (const [one, hasCode, hasLines] of kinds) {
    const { code, lines } = placeReceipt(one)
    assert.deepEqual([code !== null, lines.length > 0], [hasCode, hasLines], one.boxID)
    const above = 4 + labelLines(one).reduce((sum, { size }) => sum + size * 1.32, 0)
    const edges = [
      ...lines.map(({ y }) => [y, y + RECEIPT_LETTERS * 1.32]),
      ...(code ? [[code.y, code.y + code.size]] : []),
    ]
    for (const [top = 0, bottom = 99] of edges)
      assert.ok(top >= above && bottom <= label.height, `${top} ${bottom}`)
    if (hasLines)
      assert.equal(
        lines
          .map(({ text }) => text)
          .join('')
          .replaceAll(' ', ''),
        receipt.line.replaceAll(' ', ''),
      )
    const svg = labelSvg(one)
    assert.equal(svg.includes('befaqt1'), hasLines)
    assert.equal(code !== null && svg.includes(code.path), hasCode)
    const zpl = labelsZpl([one])
    assert.equal(zpl.includes('befaqt1'), hasLines)
    assert.equal(zpl.match(/\^BQN/g)?.length, hasCode ? 2 : 1)
    assert.doesNotMatch(zpl, /—|~/)
  }
})

test('labels of many boxes come on sheets of ten, for who may write to them', async () => {
  await using shop = await shopWithBoxes(['A-1', 'A-2'], { env: { GS1_COMPANY_PREFIX: '9506000' } })
  const { app, admin } = shop
  const pdf = await admin('GET', '/api/manage/labels?box=A-1,A-2')
  assert.equal(pdf.headers['content-type'], 'application/pdf')
  assert.match(pdf.rawPayload.subarray(0, 8).toString('latin1'), /^%PDF-1/)
  const zpl = await admin('GET', '/api/manage/labels?box=A-1,A-2&format=zpl')
  assert.equal(zpl.body.match(/\^XA/g)?.length, 2)
  assert.match(zpl.body, /\/00\/0950600\d{11}/)
  const marked = async (format: string): Promise<string> =>
    (
      await admin(
        'GET',
        format === 'svg' ? '/api/box/A-1/label.svg' : `/api/manage/labels?box=A-1&format=${format}`,
      )
    ).body
  assert.doesNotMatch(await marked('zpl'), /RECALLED|OFF SALE/)
  await admin('PUT', '/api/box/A-1/sale', { offSale: true, reason: 'Too warm' })
  for (const format of ['svg', 'zpl']) assert.match(await marked(format), /OFF SALE/, format)
  await admin('POST', '/api/box/A-1/recall', { reason: 'Too warm' })
  for (const format of ['svg', 'zpl']) assert.match(await marked(format), /RECALLED: DO NOT EAT/, format)
  await admin('POST', '/api/box/A-1/recall/withdrawal', { reason: 'It was not' })
  await admin('PUT', '/api/box/A-1/sale', { offSale: false })
  assert.doesNotMatch(await marked('svg'), /RECALLED|OFF SALE/)
  assert.equal((await admin('GET', '/api/manage/labels?box=A-1,nope')).statusCode, 404)
  const longest = Array.from({ length: 100 }, (_, i) => `${i}`.padStart(64, 'B')).join('%2C')
  const many = await admin('GET', `/api/manage/labels?box=${longest}&format=pdf`)
  assert.equal(many.statusCode, 404, '100 boxes fit into an address: they are looked for')
  for (const query of [
    '',
    '?box=',
    '?box=A%20B',
    '?box=A-1&format=png',
    `?box=${Array.from({ length: 101 }, (_, i) => i).join()}`,
  ])
    assert.equal((await admin('GET', `/api/manage/labels${query}`)).statusCode, 400, query)
  assert.equal((await app.inject('/api/manage/labels?box=A-1')).statusCode, 401)
})
