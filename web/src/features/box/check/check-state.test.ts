import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordVerdict } from '@befaqt/provenance'
import type { BoxResult, BoxVerdict, RecordResult } from '@befaqt/provenance/verdict'
import { type CheckState, mayBeStale, nextCheck, verdictLine } from './check-state.ts'

const record = (seq: number, verdict: RecordVerdict): RecordResult => ({
  seq,
  recordHash: 'ab'.repeat(32),
  verdict,
  code: verdict === 'broken' ? 'head_mismatch' : 'anchored',
  words: '',
  withheld: false,
  anchor: null,
  latenessS: null,
})

const result = (verdict: BoxVerdict, records: RecordResult[] = [], upTo = 0): BoxResult => ({
  verdict,
  words: 'The verifier’s message.',
  reasons: [],
  box: '1',
  sealed: false,
  upTo,
  withheld: 0,
  lateness: { largestS: null, overAnHour: 0 },
  records,
})

const checking: CheckState = { phase: 'checking', source: { from: 'shop' }, steps: [] }
const lineOf = (found: BoxResult) =>
  verdictLine(
    nextCheck(checking, { type: 'done', result: found, rpc: 'http://x', tookMs: 3, pageMatches: true }),
  )

test('only a finished check without findings is shown as verified', () => {
  const states: CheckState[] = [
    { phase: 'waiting' },
    checking,
    { phase: 'failed', source: { from: 'shop' }, steps: [], message: 'No connection.' },
  ]
  for (const state of states) assert.doesNotMatch(verdictLine(state).title, /verified/i)
  for (const verdict of ['incomplete', 'broken', 'unreachable'] as const) {
    const line = lineOf(result(verdict))
    assert.notEqual(line.tone, 'good')
    assert.doesNotMatch(line.title, /verified/i)
  }
  assert.deepEqual(lineOf(result('verified')), {
    tone: 'good',
    title: 'Records verified',
    message: 'The verifier’s message.',
  })
})

test('a valid proof of something other than what the page shows is never called verified', () => {
  const found = { result: result('verified'), rpc: '', tookMs: 1, pageMatches: false }
  const line = verdictLine(nextCheck(checking, { type: 'done', ...found }))
  assert.deepEqual([line.tone, line.title], ['bad', 'Doesn’t match'])
})

test('pending records are not called verified', () => {
  assert.equal(lineOf(result('verified-up-to', [], 7)).title, 'Verified up to record 7')
  assert.equal(lineOf(result('verified-up-to', [], 0)).title, 'Not verified yet')
})

test('broken records are named', () => {
  const messageOf = (...broken: number[]) =>
    lineOf(
      result(
        'broken',
        broken.map((seq) => record(seq, 'broken')),
      ),
    ).message
  assert.equal(messageOf(4), 'Record 4 does not match the ledger.')
  assert.equal(messageOf(4, 5, 9), 'Records 4, 5 and 9 do not match the ledger.')
  assert.equal(messageOf(3, 4, 5, 6), '4 records, from number 3 on, do not match the ledger.')
  assert.equal(lineOf(result('broken', [record(1, 'anchored')])).message, 'The verifier’s message.')
})

test('steps stay in order while checking, and later messages are ignored', () => {
  const step = { name: 'read', ok: true, count: 3, words: '3 records read.' } as const
  const one = nextCheck(checking, { type: 'step', step })
  assert.deepEqual(one.phase === 'checking' && one.steps, [step])
  const failed = nextCheck(one, { type: 'failed', message: 'Gone.' })
  assert.equal(failed.phase, 'failed')
  assert.equal(nextCheck(failed, { type: 'step', step }), failed)
  assert.equal(
    nextCheck(failed, { type: 'done', result: result('verified'), rpc: '', tookMs: 1, pageMatches: null }),
    failed,
  )
})

test('a proof is fetched again only when a newer anchor is its only problem', () => {
  const newer = { code: 'newer_anchor', words: '' } as const
  const missing = { code: 'newest_records_missing', words: '' } as const
  const done = (found: BoxResult) =>
    ({ type: 'done', result: found, rpc: '', tookMs: 1, pageMatches: null }) as const
  assert.equal(mayBeStale(done({ ...result('incomplete'), reasons: [newer] })), true)
  assert.equal(mayBeStale(done({ ...result('incomplete'), reasons: [newer, missing] })), false)
  assert.equal(mayBeStale(done(result('verified'))), false)
  assert.equal(mayBeStale({ type: 'failed', message: '' }), false)
})

test('starting again clears the previous verdict', () => {
  const done = nextCheck(checking, {
    type: 'done',
    result: result('verified'),
    rpc: '',
    tookMs: 1,
    pageMatches: null,
  })
  const again = nextCheck(done, { type: 'start', source: { from: 'file', name: 'a.json' } })
  assert.deepEqual(again, { phase: 'checking', source: { from: 'file', name: 'a.json' }, steps: [] })
  assert.equal(verdictLine(again).title, 'Checking the records')
})
