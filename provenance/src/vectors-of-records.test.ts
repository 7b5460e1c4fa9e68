import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { canonicalize } from './canonical.ts'
import { fromHex, toHex } from './digest.ts'
import {
  genesisHead,
  headAfter,
  parseRecord,
  parseRestrictedPart,
  recordHash,
  restrictedHash,
} from './record.ts'

interface KnownAnswers {
  canonical: { value: unknown; canonical: string }[]
  numbers: { bits: string; text: string }[]
  records: { record: unknown; canonical: string; hash: string }[]
  restricted: { part: unknown; hash: string }[]
  heads: { box: string; recordHashes: string[]; heads: string[] }[]
}

const script = fileURLToPath(new URL('../vectors/records.py', import.meta.url))
const text = readFileSync(new URL('../vectors/records.json', import.meta.url), 'utf8')
const known: KnownAnswers = JSON.parse(text)

test('canonical texts are those of the second implementation', () => {
  for (const { value, canonical } of known.canonical) assert.equal(canonicalize(value), canonical)
})

test('numbers are written as the second implementation writes them', () => {
  assert.ok(known.numbers.length > 500)
  for (const { bits, text } of known.numbers) {
    const value = Buffer.from(bits, 'hex').readDoubleBE()
    assert.equal(canonicalize(value), text, bits)
  }
})

test('record hashes and restricted hashes are those of the second implementation', () => {
  for (const { record, canonical, hash } of known.records) {
    assert.equal(canonicalize(record), canonical)
    assert.equal(toHex(recordHash(parseRecord(record))), hash)
  }
  for (const { part, hash } of known.restricted) {
    assert.equal(toHex(restrictedHash(parseRestrictedPart(part))), hash)
  }
})

test('heads are those of the second implementation', () => {
  for (const { box, recordHashes, heads } of known.heads) {
    let head = genesisHead(box)
    assert.equal(toHex(head), heads[0])
    recordHashes.forEach((hash, i) => {
      head = headAfter(head, fromHex(hash))
      assert.equal(toHex(head), heads[i + 1])
    })
  }
})

const python = spawnSync('python3', ['--version']).status === 0
test(`the second implementation makes the same file again${python ? '' : ': not run, there is no python3 here'}`, () => {
  if (!python) return
  const made = spawnSync('python3', [script, '--stdout'], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  assert.equal(made.status, 0, made.stderr)
  assert.ok(made.stdout === text, 'vectors/records.json differs from what vectors/records.py makes')
})
