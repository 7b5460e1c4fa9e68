import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordVerdict } from '@befaqt/provenance'
import type { BoxResult, BoxVerdict, RecordResult } from '@befaqt/provenance/verdict'
import { type CheckState, type Found, mayBeStale, nextCheck } from './check-state.ts'
import { verdictLine } from './verdict-line.ts'

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
  signatures: { sensor: 0, gateway: 0, unconfirmed: 0 },
  lateness: { largestS: null, overAnHour: 0 },
  records,
})

const checking: CheckState = { phase: 'checking', source: { from: 'shop' }, steps: [] }
const done = (found: BoxResult, more: Partial<Found> = {}) =>
  ({
    type: 'done',
    result: found,
    rpc: '',
    tookMs: 1,
    page: { kind: 'same' },
    memory: { before: null, forked: false, now: null },
    ...more,
  }) as const
const lineOf = (found: BoxResult, more?: Partial<Found>) =>
  verdictLine(nextCheck(checking, done(found, more)), '1')

test('only a finished check without findings is shown as verified', () => {
  const states: CheckState[] = [
    { phase: 'waiting' },
    checking,
    { phase: 'failed', source: { from: 'shop' }, steps: [], message: 'No connection.' },
  ]
  for (const state of states) assert.doesNotMatch(verdictLine(state, '1').title, /verified/i)
  for (const verdict of ['incomplete', 'broken', 'unreachable'] as const) {
    const line = lineOf(result(verdict))
    assert.notEqual(line.tone, 'good')
    assert.doesNotMatch(line.title, /verified/i)
  }
  assert.deepEqual(lineOf(result('verified')), {
    tone: 'good',
    title: 'Records verified',
    message:
      'Nothing was changed or removed since they were logged. This says nothing about the fish itself.',
  })
})

test('a valid proof of something other than what the page shows is never called verified', () => {
  const before = { count: 3, head: 'ab'.repeat(32), anchor: 0, at: '2026-11-20T00:00:00Z' }
  const others: [Partial<Found>, string][] = [
    [{ page: { kind: 'differs', differences: [] } }, 'Doesn’t match'],
    [{ page: { kind: 'older', missing: 60 } }, 'Newer records not shown'],
    [{ memory: { before, forked: true, now: null } }, 'Another history'],
  ]
  for (const [more, title] of others) {
    const line = lineOf(result('verified'), more)
    assert.deepEqual([line.tone, line.title], ['bad', title])
  }
})

test('a proof of another box and a file that is none are named, and are never good', () => {
  const fromFile: CheckState = { ...checking, source: { from: 'file', name: 'a.json' } }
  const other = verdictLine(nextCheck(fromFile, done({ ...result('verified'), box: '2' })), '1')
  assert.deepEqual([other.tone, other.title], ['warn', 'For box 2'])
  assert.equal(lineOf({ ...result('verified'), box: '2' }).tone, 'bad')
  const none = verdictLine(nextCheck(fromFile, done({ ...result('broken'), box: null })), '1')
  assert.deepEqual([none.tone, none.title], ['bad', 'Not a BeFAQT proof'])
})

test('withheld records are counted in the verdict', () => {
  const line = lineOf({ ...result('verified'), withheld: 3 })
  assert.equal(line.title, 'Records verified, 3 withheld')
  assert.match(line.message, /figures leave withheld records out/)
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
  const unsigned = (seq: number) => ({ ...record(seq, 'broken'), code: 'signature_mismatch' as const })
  const unsignedMessage = (...seqs: number[]) => lineOf(result('broken', seqs.map(unsigned))).message
  assert.equal(unsignedMessage(4), 'Record 4 is not what its device signed.')
  assert.equal(unsignedMessage(4, 5), 'Records 4 and 5 are not what their devices signed.')
  assert.equal(lineOf(result('broken', [record(1, 'anchored')])).message, 'The verifier’s message.')
})

test('steps stay in order while checking, and later messages are ignored', () => {
  const step = { name: 'read', ok: true, count: 3, words: '3 records read.' } as const
  const one = nextCheck(checking, { type: 'step', step })
  assert.deepEqual(one.phase === 'checking' && one.steps, [step])
  const failed = nextCheck(one, { type: 'failed', message: 'Gone.' })
  assert.equal(failed.phase, 'failed')
  assert.equal(nextCheck(failed, { type: 'step', step }), failed)
  assert.equal(nextCheck(failed, done(result('verified'))), failed)
})

test('a proof is fetched again only when a newer anchor is its only problem', () => {
  const newer = { code: 'newer_anchor', words: '' } as const
  const missing = { code: 'newest_records_missing', words: '' } as const
  assert.equal(mayBeStale(done({ ...result('incomplete'), reasons: [newer] })), true)
  assert.equal(mayBeStale(done({ ...result('incomplete'), reasons: [newer, missing] })), false)
  assert.equal(mayBeStale(done(result('verified'))), false)
  assert.equal(mayBeStale({ type: 'failed', message: '' }), false)
})

test('starting again clears the previous verdict', () => {
  const finished = nextCheck(checking, done(result('verified')))
  const again = nextCheck(finished, { type: 'start', source: { from: 'file', name: 'a.json' } })
  assert.deepEqual(again, { phase: 'checking', source: { from: 'file', name: 'a.json' }, steps: [] })
  assert.equal(verdictLine(again, '1').title, 'Checking the records')
})
