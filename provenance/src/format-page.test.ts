import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { canonicalize } from './canonical.ts'

interface KnownTexts {
  records: { canonical: string }[]
  restricted: { part: unknown }[]
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/provenance-format.md')
const vectors = read('provenance/vectors/v1.json')
const vectorsOf2 = read('provenance/vectors/v2/answers.json')

test('every hash on the format page is one of the known answers', () => {
  const hashes = page.match(/\b[0-9a-f]{64}\b/g) ?? []
  assert.ok(hashes.length >= 10)
  for (const hash of hashes)
    assert.ok(
      [vectors, vectorsOf2].some((known) => known.includes(`"${hash}"`)),
      hash,
    )
})

test('every canonical record and restricted part on the format page is one of the known answers', () => {
  const { records, restricted }: KnownTexts = JSON.parse(vectors)
  const known = [
    ...records.map(({ canonical }) => canonical),
    ...restricted.map(({ part }) => canonicalize(part)),
  ]
  const texts = page.match(/^\{"(?:at|data)".*\}$/gm) ?? []
  assert.equal(texts.length, 2)
  for (const text of texts) assert.ok(known.includes(text), text)
})

test('the canonical leaf of version 2 on the format page is one of the known answers', () => {
  const { leaves }: { leaves: { canonical: string }[] } = JSON.parse(vectorsOf2)
  const [text, ...more] = page.slice(page.indexOf('## 10.')).match(/^\{"box".*\}$/gm) ?? []
  assert.deepEqual(more, [])
  assert.ok(
    leaves.some(({ canonical }) => canonical === text),
    text,
  )
})
