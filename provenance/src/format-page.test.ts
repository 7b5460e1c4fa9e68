import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { canonicalize } from './canonical.ts'
import { recordKinds } from './record.ts'

interface KnownTexts {
  records: { canonical: string }[]
  restricted: { part: unknown }[]
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/provenance-format.md')
const knownRecords = read('provenance/vectors/records.json')
const proofs = read('provenance/vectors/proofs.json')

test('every hash on the format page is one of the known answers', () => {
  const hashes = page.match(/\b[0-9a-f]{64}\b/g) ?? []
  assert.ok(hashes.length >= 10)
  for (const hash of hashes)
    assert.ok(
      [knownRecords, proofs].some((known) => known.includes(`"${hash}"`)),
      hash,
    )
})

test('every canonical record and restricted part on the format page is one of the known answers', () => {
  const { records, restricted }: KnownTexts = JSON.parse(knownRecords)
  const known = [
    ...records.map(({ canonical }) => canonical),
    ...restricted.map(({ part }) => canonicalize(part)),
  ]
  const texts = page.match(/^\{"(?:at|data)".*\}$/gm) ?? []
  assert.equal(texts.length, 2)
  for (const text of texts) assert.ok(known.includes(text), text)
})

test('the canonical leaf on the format page is one of the known answers', () => {
  const { leaves }: { leaves: { canonical: string }[] } = JSON.parse(proofs)
  const [text, ...more] = page.slice(page.indexOf('## 4.')).match(/^\{"box".*\}$/gm) ?? []
  assert.deepEqual(more, [])
  assert.ok(
    leaves.some(({ canonical }) => canonical === text),
    text,
  )
})

test('the format page names every kind of record, in the order of the code', () => {
  const [row] = page.match(/^\| `kind` .*$/m) ?? ['']
  const named = [...row.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)
  assert.deepEqual(named, ['kind', ...recordKinds])
})

test('the page of the vectors names every file of them, and every part of each', () => {
  const folder = new URL('../vectors/', import.meta.url)
  const vectors = read('provenance/vectors/README.md')
  const files = globSync('*.json', { cwd: folder })
  assert.ok(files.length >= 6)
  for (const file of files) {
    const known: object = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    const parts = Array.isArray(known) ? Object.keys(known[0]) : Object.keys(known)
    for (const part of [file, ...parts.filter((name) => name !== 'note' || file === 'log.json')])
      assert.ok(vectors.includes(`\`${part}\``), `${part} of ${file}`)
  }
})
