import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryBundle } from '../log/tree.ts'
import { logOf, market } from '../testing/mirror-market.ts'

/** What a log may show in place of what it signed: at which path, made of the honest bytes, and by which words it is named. */
const lies: readonly [
  what: string,
  path: string,
  lie: (honest: Buffer) => Buffer | undefined,
  words: RegExp,
][] = [
  ['another entry', 'tile/entries/000', changed, /entry 0 is not the one that its tile has/],
  ['another entry in the last bundle', 'tile/entries/001.p/44', changed, /entry 256 is not the one/],
  [
    'a bundle that is cut',
    'tile/entries/000',
    (of) => of.subarray(0, -1),
    /a tile that is none: it is cut short/,
  ],
  [
    'a bundle that lacks its last entry',
    'tile/entries/000',
    (of) => of.subarray(0, -11),
    /must be 256 entries/,
  ],
  [
    'a bundle with one more',
    'tile/entries/000',
    (of) => Buffer.concat([of, entryBundle([Buffer.from('x')])]),
    /must be 256 entries/,
  ],
  ['another tile', 'tile/0/001.p/44', changed, /do not give the root that was signed/],
  [
    'a short tile',
    'tile/0/001.p/44',
    (of) => of.subarray(0, -32),
    /a tile that is none: it must be 44 hashes/,
  ],
  ['no tile', 'tile/0/001.p/44', () => undefined, /the log has no tile\/0\/001\.p\/44/],
  ['no entries', 'tile/entries/001.p/44', () => undefined, /the log has no tile\/entries/],
]
function changed(of: Buffer): Buffer {
  const bytes = Buffer.from(of)
  bytes[5] = (bytes[5] ?? 0) ^ 1
  return bytes
}

for (const [what, path, lie, words] of lies)
  test(`a log that shows ${what} is refused and named, and goes on when it shows what it signed`, async () => {
    const log = logOf(300)
    const { begin, witnessed, advance, sizeOf } = await market(log)
    const mirror = await begin()
    await witnessed()
    const honest = Buffer.from((await log.answer(path)) ?? '')
    await assert.rejects(advance(mirror, log, { [path]: lie(honest) }), words)
    assert.equal(await sizeOf(mirror), undefined)
    assert.ok(
      mirror.size === (path === 'tile/entries/001.p/44' ? 256 : 0),
      'what is not proven is not stored',
    )
    assert.equal(await advance(mirror), 'signed 300 entries')
    assert.deepEqual([await sizeOf(mirror), mirror.fault], [300, undefined])
  })

test('a log that shows less than it signed, or another history, is refused', async () => {
  const log = logOf(300)
  const { begin, witnessed, advance } = await market(log)
  const mirror = await begin()
  await witnessed()
  await assert.rejects(advance(mirror, log.fork(200)), /shows 200 entries, and 300 were signed/)
  assert.match(mirror.fault ?? '', /shows 200 entries/)
  const other = log.fork(100).append(...Array.from({ length: 250 }, (_, i) => `other ${i}`))
  await assert.rejects(advance(mirror, other), /entries from 0 on are not copied/)
  assert.equal(mirror.size, 0)
  assert.equal(await advance(mirror), 'signed 300 entries')
  await assert.rejects(advance(mirror, log.fork(200)), /shows 200 entries, and 300 were signed/)
})
