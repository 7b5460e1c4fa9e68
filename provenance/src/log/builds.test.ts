import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utf8 } from '../digest.ts'
import { newSigner, TestLog } from '../testing/log.ts'
import {
  type BuildEntry,
  buildEntry,
  buildManifest,
  hashOfText,
  parseBuildEntry,
  readBuilds,
} from './builds.ts'
import { openCheckpoint } from './signed-checkpoint.ts'
import { logTiles } from './tiles.ts'

const A = 'a'.repeat(64)
const build: BuildEntry = { kind: 'build', hash: A, version: '0.1.0' }
const checker: BuildEntry = { kind: 'checker', hash: 'b'.repeat(64), version: 'Größe 1' }

/** What a log of these entries shows. */
async function read(log: TestLog, shown = log) {
  const opened = await openCheckpoint(await log.note(), [log.signer.key], [])
  const get = async (path: string) => {
    const found = await shown.answer(path)
    return typeof found === 'string' ? utf8(found) : found
  }
  return readBuilds(opened, logTiles(log.size, get))
}
const logOf = (...entries: readonly string[]): TestLog =>
  new TestLog(newSigner('fish.example/befaqt/log-builds')).append(...entries)
const textOf = (entry: BuildEntry): string => Buffer.from(buildEntry(entry)).toString()

test('an entry is the canonical JSON of its kind, and is read back', () => {
  assert.equal(textOf(build), `{"build":"${A}","version":"0.1.0"}`)
  for (const entry of [build, checker]) assert.deepEqual(parseBuildEntry(buildEntry(entry)), entry)
})

test('what is written otherwise is no entry', () => {
  const at = (text: string) => () => parseBuildEntry(utf8(text))
  const refused: [string, RegExp][] = [
    ['', /JSON/],
    ['[]', /must be an object/],
    [`{"build":"${A}"}`, /\$\.version: is missing/],
    [`{"version":"1"}`, /\$\.build: is missing/],
    [`{"build":"${A}","version":"1","x":1}`, /\$\.x: is not known/],
    [`{"build":"${A}","checker":"${A}","version":"1"}`, /is not known/],
    [`{"version":"1","build":"${A}"}`, /canonical/],
    [`{"build":"${A}","version":"1"} `, /canonical/],
    [`{"build":"${A}","build":"${A}","version":"1"}`, /./],
    [`{"build":"${A.toUpperCase()}","version":"1"}`, /\$\.build/],
    [`{"build":"${A.slice(1)}","version":"1"}`, /\$\.build/],
    [`{"build":"${A}","version":""}`, /1 to 64 characters/],
    [`{"build":"${A}","version":"${'1'.repeat(65)}"}`, /1 to 64 characters/],
    [`{"build":"${A}","version":1}`, /\$\.version/],
    [`{"build":"${A}","version":"\\n"}`, /control characters/],
    [`{"boxes":1,"index":0,"records":1,"root":"${A}","time":"2026-11-24T01:02:03Z"}`, /./],
  ]
  for (const [text, why] of refused) assert.throws(at(text), why, text)
  assert.throws(() => parseBuildEntry(Uint8Array.of(0xff)), /UTF-8/)
})

test('no changed bit of an entry is the same entry, and none is in the log', async () => {
  const bytes = buildEntry(build)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Uint8Array.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    let found: BuildEntry | undefined
    try {
      found = parseBuildEntry(changed)
    } catch {
      continue
    }
    assert.notDeepEqual(found, build, `bit ${bit}`)
  }
  const log = logOf(textOf(build), textOf(checker))
  assert.deepEqual(await read(log), [build, checker])
  const other = logOf(textOf({ ...build, version: '0.1.1' }), textOf(checker))
  await assert.rejects(read(log, other), /not those that it signed/)
  await assert.rejects(read(log, logOf(textOf(build))), /has no tile|does not show/)
})

test('an entry that is no build is named with its place, also far into a log', async () => {
  const many = Array.from({ length: 300 }, (_, i) => textOf({ ...build, version: `${i}` }))
  assert.equal((await read(logOf(...many))).length, 300)
  await assert.rejects(read(logOf(...many, '{}')), /^FormatError: \$\[300\]\.build: is missing/)
  assert.deepEqual(await read(logOf()), [])
})

test('a manifest is sorted, whatever order the files come in, and says what sha256sum writes', () => {
  const files = [
    { path: '/b.js', hash: '1'.repeat(64) },
    { path: '/a.js', hash: '2'.repeat(64) },
    { path: '/Z.js', hash: '1'.repeat(64) },
  ]
  const text = `${'1'.repeat(64)}  /Z.js\n${'1'.repeat(64)}  /b.js\n${'2'.repeat(64)}  /a.js\n`
  assert.equal(buildManifest(files), text)
  assert.equal(buildManifest(files.toReversed()), text)
  assert.equal(hashOfText(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})
