import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxResult } from '@befaqt/provenance/verdict'
import type { CheckState, Found } from './check-state.ts'
import { fileBesidePage } from './file-beside-page.ts'

type Result = Extract<CheckState, { phase: 'done' }>['result']
type Row = Result['records'][number]

const resultOf = (hashes: string, verdict: BoxResult['verdict'], box = 'A'): Result => ({
  ...{ box, verdict, words: '', sealed: false, upTo: 0, withheld: 0, reasons: [] },
  lateness: { largestS: null, overAnHour: 0 },
  signatures: { sensor: 0, gateway: 0, unconfirmed: 0 },
  records: [...hashes].map(
    (recordHash, i): Row => ({
      ...{ seq: i + 1, recordHash, verdict: 'anchored', code: 'anchored', words: '' },
      ...{ withheld: false, anchor: null, latenessS: null },
    }),
  ),
})
const asked = { grade: 'other', hosts: ['node.example'], chainId: 1 } as const
const done = (hashes: string, verdict: BoxResult['verdict'], more: Partial<Found> = {}): CheckState => ({
  phase: 'done',
  source: { from: 'file', name: 'kept.json' },
  ...{ steps: [], asked, tookMs: 1, page: null, memory: null },
  result: resultOf(hashes, verdict),
  ...more,
})
const titleOf = (file: CheckState, shop: CheckState) => fileBesidePage(file, shop)?.title

test('a saved proof and the page are prefixes of one history, or two histories were told', () => {
  const page = done('abcd', 'verified')
  assert.equal(titleOf(done('abcd', 'verified'), page), undefined, 'the file says it all')
  assert.equal(titleOf(done('ab', 'incomplete'), page), 'Continued')
  for (const [other, verdict] of [
    ['xbcd', 'verified'],
    ['abx', 'incomplete'],
    ['abcx', 'verified-up-to'],
    ['abcxe', 'verified'],
  ] as const)
    assert.equal(titleOf(done(other, verdict), page), 'Another history', other)
  assert.match(fileBesidePage(done('abx', 'verified'), page)?.message ?? '', /^Record 3 /)
})

test('nothing is said beside what was not proven, another box, or a file that is broken by itself', () => {
  const page = done('abcd', 'verified')
  assert.equal(titleOf(done('axcd', 'broken'), page), undefined)
  assert.equal(titleOf(done('ab', 'unreachable'), page), undefined)
  assert.equal(titleOf(done('', 'incomplete'), page), undefined)
  for (const verdict of ['unreachable', 'broken', 'incomplete'] as const)
    assert.equal(titleOf(done('xb', 'verified'), done('abcd', verdict)), undefined)
  const other = done('x', 'verified', { result: resultOf('x', 'verified', 'B') })
  assert.equal(titleOf(other, page), undefined)
  const rewritten = done('abcd', 'verified', { memory: { forked: true, before: null, now: null } })
  assert.equal(titleOf(done('ab', 'incomplete'), rewritten), undefined)
  assert.equal(titleOf(done('abcde', 'incomplete'), page), undefined, 'the file has more than the page')
})
