import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordVerdict } from '@befaqt/provenance'
import type { BoxResult, BoxVerdict, RecordResult } from '@befaqt/provenance/verdict'
import {
  type CheckState,
  type Found,
  fileBesidePage,
  mayBeStale,
  nextCheck,
  otherBoxLine,
  verdictLine,
} from './check-state.ts'

const record = (seq: number, verdict: RecordVerdict): RecordResult => ({
  seq,
  recordHash: 'ab'.repeat(32),
  verdict,
  code: verdict === 'broken' ? 'anchor_failed' : 'anchored',
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
    asked: { grade: 'other', hosts: ['node.example'], chainId: 1 },
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

test('a history for which the shop alone vouches is called unchanged, never verified', () => {
  const own = { asked: { grade: 'own', hosts: ['shop.example'], chainId: 1 } } as const
  const title = 'Unchanged, by the ledger that the shop names; we asked nobody else'
  const message = 'This says nothing about the fish itself.'
  assert.deepEqual(lineOf(result('verified'), own), { tone: 'own', title, message })
  const upTo = lineOf(result('verified-up-to', [], 7), own)
  assert.deepEqual([upTo.tone, upTo.title], ['waiting', title.replace('ed,', 'ed up to record 7,')])
  const withheld = lineOf({ ...result('verified'), withheld: 2 }, own)
  assert.match(withheld.message, /^2 records are withheld, and the figures leave them out\./)
  for (const verdict of ['incomplete', 'broken', 'unreachable'] as const)
    assert.deepEqual(lineOf(result(verdict), own), lineOf(result(verdict)))
})

test('weights that contradict each other are named, and a weight raised after a sale is not the best that can be said', () => {
  const figures = { state: 'whole', total: 5, of: 'box', scale: null, caught: null, offered: null } as const
  const sums = { sold: 1, lost: 0, returned: 0, left: 4, raised: null, corrected: 0, pieces: [], words: '' }
  const balance = { ...figures, ...sums }
  const over = lineOf({ ...result('broken'), words: 'Too much.', balance })
  assert.deepEqual([over.tone, over.title, over.message], ['bad', 'Doesn’t add up', 'Too much.'])
  assert.equal(lineOf({ ...result('verified'), balance }).tone, 'good')
  assert.equal(lineOf({ ...result('verified'), balance: { ...balance, raised: { from: 4 } } }).tone, 'own')
  assert.equal(lineOf(result('broken')).title, 'Altered')
})

test('a box whose devices signed more than it shows is not the best that can be said', () => {
  const none = { missing: [], anew: [], older: 0, unshown: 0, words: '' }
  for (const [lacking, tone] of [
    [true, 'own'],
    [false, 'good'],
  ] as const)
    assert.equal(lineOf({ ...result('verified'), statements: { ...none, lacking } }).tone, tone)
})

test('a page of another box than its address is refused, whatever its check finds', () => {
  assert.deepEqual([otherBoxLine('2', '1').tone, otherBoxLine('2', '1').title], ['bad', 'For box 2'])
})

test('a proof of another format is no broken one', () => {
  const reasons = [{ code: 'other_format', words: 'Could not be checked: written in format 1.' }] as const
  const old = { ...result('unreachable'), reasons, words: reasons[0].words }
  const line = lineOf(old)
  assert.deepEqual([line.tone, line.message], ['warn', 'Could not be checked: written in format 1.'])
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
  const forked = { ...record(4, 'broken'), code: 'chain_forked' as const }
  assert.equal(lineOf(result('broken', [forked])).message, 'Record 4 is not what its device signed.')
  assert.equal(unsignedMessage(4), 'Record 4 is not what its device signed.')
  assert.equal(unsignedMessage(4, 5), 'Records 4 and 5 are not what their devices signed.')
  assert.equal(lineOf(result('broken', [record(1, 'anchored')])).message, 'The verifier’s message.')
})

test('a changed record is named, also where its anchor covers many', () => {
  const words = (about: string) => `${about} was changed after it was anchored.`
  const one = (seq: number) => ({ code: 'head_mismatch', seq, words: words(`Record ${seq}`) }) as const
  const many = { ...one(1), lastSeq: 99, words: words('A record between 1 and 99') } as const
  const messageOf = (...reasons: BoxResult['reasons'][number][]) =>
    lineOf({
      ...result(
        'broken',
        [1, 2, 3, 4].map((seq) => record(seq, 'broken')),
      ),
      reasons,
    }).message
  assert.equal(messageOf(one(3)), 'Record 3 was changed after it was anchored.')
  assert.equal(messageOf(many), 'A record between 1 and 99 was changed after it was anchored.')
  assert.equal(messageOf(one(3), one(7)), 'Records 3 and 7 were changed after they were anchored.')
  assert.match(messageOf(many, one(120)), /^A record between 1 and 99 was changed .* And 1 other was\.$/)
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
const checked = (hashes: string, verdict: BoxResult['verdict'], more: Partial<Found> = {}): CheckState => ({
  phase: 'done',
  source: { from: 'file', name: 'kept.json' },
  ...{ steps: [], asked, tookMs: 1, page: null, memory: null },
  result: resultOf(hashes, verdict),
  ...more,
})
const titleOf = (file: CheckState, shop: CheckState) => fileBesidePage(file, shop)?.title

test('a saved proof and the page are prefixes of one history, or two histories were told', () => {
  const page = checked('abcd', 'verified')
  assert.equal(titleOf(checked('abcd', 'verified'), page), undefined, 'the file says it all')
  assert.equal(titleOf(checked('ab', 'incomplete'), page), 'Continued')
  for (const [other, verdict] of [
    ['xbcd', 'verified'],
    ['abx', 'incomplete'],
    ['abcx', 'verified-up-to'],
    ['abcxe', 'verified'],
  ] as const)
    assert.equal(titleOf(checked(other, verdict), page), 'Another history', other)
  assert.match(fileBesidePage(checked('abx', 'verified'), page)?.message ?? '', /^Record 3 /)
})

test('nothing is said beside what was not proven, another box, or a file that is broken by itself', () => {
  const page = checked('abcd', 'verified')
  assert.equal(titleOf(checked('axcd', 'broken'), page), undefined)
  assert.equal(titleOf(checked('ab', 'unreachable'), page), undefined)
  assert.equal(titleOf(checked('', 'incomplete'), page), undefined)
  for (const verdict of ['unreachable', 'broken', 'incomplete'] as const)
    assert.equal(titleOf(checked('xb', 'verified'), checked('abcd', verdict)), undefined)
  const other = checked('x', 'verified', { result: resultOf('x', 'verified', 'B') })
  assert.equal(titleOf(other, page), undefined)
  const rewritten = checked('abcd', 'verified', { memory: { forked: true, before: null, now: null } })
  assert.equal(titleOf(checked('ab', 'incomplete'), rewritten), undefined)
  assert.equal(titleOf(checked('abcde', 'incomplete'), page), undefined, 'the file has more than the page')
})
