import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { checkFiles, type GetBytes, namedFiles, recordFile } from './record-files.ts'

const hrefOf = (bytes: string): string =>
  `/api/file/${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.webp`

/** A shop that serves these bytes at every address, and a bound that it keeps to. */
const serving =
  (bytes: string): GetBytes =>
  async (_, most) => {
    if (bytes.length > most) throw new Error('too large')
    return new Blob([bytes])
  }

test('a file is the one that its record names, or another, or could not be had', async () => {
  const href = hrefOf('a snapper')
  const stateOf = async (get: GetBytes) => (await checkFiles([href], get)).map(({ state }) => state)
  assert.deepEqual(await stateOf(serving('a snapper')), ['same'])
  assert.deepEqual(await stateOf(serving('another fish')), ['differs'])
  assert.deepEqual(await stateOf(serving('x'.repeat(5 * 1024 * 1024))), ['unread'])
  assert.deepEqual(await stateOf(async () => assert.fail('gone')), ['unread'])
})

test('files are bounded in number, and only those that are named by their content are compared', async () => {
  const asked: string[] = []
  const many = Array.from({ length: 100 }, (_, i) => hrefOf(String(i)))
  await checkFiles(many, async (href) => {
    asked.push(href)
    return new Blob([])
  })
  assert.equal(asked.length, 40)
  const box = sampleBox()
  const [first] = box.imageProc
  assert.ok(first)
  const images = [
    'a.webp',
    'https://elsewhere.example/b.webp',
    hrefOf('c'),
    hrefOf('c'),
    hrefOf('d').slice(10),
  ]
  const pictures = images.map((image) => ({ ...first.overallResult, image }))
  const named = namedFiles({
    ...box,
    catchProv: null,
    e_nose: [],
    imageProc: [{ ...first, resultPerImage: pictures }],
  })
  assert.deepEqual(named, [hrefOf('c'), hrefOf('d')])
})

test('a path of our own files is shown, without query or detours', () => {
  assert.deepEqual(recordFile('/api/file/box/a.webp'), { kind: 'ours', href: '/api/file/box/a.webp' })
  assert.deepEqual(recordFile('box/a.webp'), { kind: 'ours', href: '/api/file/box/a.webp' })
  assert.deepEqual(recordFile('/api/file/box/a.webp?w=9'), { kind: 'ours', href: '/api/file/box/a.webp' })
})

test('an address on another site is a link only', () => {
  assert.deepEqual(recordFile('https://example.org/a.png'), {
    kind: 'elsewhere',
    href: 'https://example.org/a.png',
  })
  assert.equal(recordFile('HTTP://example.org').kind, 'elsewhere')
})

test('anything else is not a link', () => {
  const hostile = [
    '',
    null,
    undefined,
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.org/a.png',
    '/api/file/../user/signIn',
    '/api/file/%2e%2e/%2e%2e/manage',
    '/manage/user',
    '../user/signIn',
    'a/../../b',
    '\\\\example.org\\a',
    '/\\example.org/a',
    'x:y',
    'https://',
    '/api/file/a%2F..%2Fb',
  ]
  for (const address of hostile) assert.deepEqual(recordFile(address), { kind: 'none' }, String(address))
})
