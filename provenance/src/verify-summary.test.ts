import assert from 'node:assert/strict'
import { test } from 'node:test'
import { genesisHead, headAfter, recordHash, toHex } from './index.ts'
import { MAX_SUMMARY_BYTES, parseSummary, type Summary } from './summary.ts'
import { newestTime, policyOf, twoOfThree, witnesses } from './testing/logged-shop.ts'
import { Shop } from './testing/shop.ts'
import { measure, measuredShop, summaryOf } from './testing/summaries.ts'
import { type SummaryTerms, verifySummary } from './verify-summary.ts'

const policy = policyOf(twoOfThree)
const shop = measuredShop()
const nowS = newestTime(shop) + 60
const honest = await summaryOf(shop, 'A')

const check = (summary: unknown, terms: SummaryTerms = {}) =>
  verifySummary(JSON.stringify(summary), { nowS, ...terms })

async function refused(summary: unknown, code: string, terms: SummaryTerms = {}): Promise<string> {
  for (const whose of [undefined, policy]) {
    const found = await check(summary, { policy: whose, ...terms })
    assert.deepEqual([found.verdict, found.code, found.freshness], ['broken', code, null], found.detail)
  }
  return (await check(summary, terms)).detail
}

test('the newest freshness of the state that the log covers, as of when, and who has signed it', async () => {
  const found = await check(honest, { policy, box: 'A' })
  assert.deepEqual(found, {
    verdict: 'proven',
    code: null,
    detail: '',
    freshness: { seq: 5, at: honest.records[0]?.at, index: 0.25, isRecalled: false },
    log: {
      state: 'witnessed',
      origin: 'fish.example/befaqt/log',
      k: 2,
      n: 3,
      by: [
        { name: 'market', ageS: 60 },
        { name: 'university', ageS: 60 },
      ],
      upTo: 7,
      time: honest.log.time,
    },
  })
  const alone = await check(honest)
  assert.deepEqual([alone.verdict, alone.log.state, alone.log.k], ['proven', 'no_policy', 0])
  assert.equal(
    alone.log.time,
    honest.log.time,
    'nobody vouches for it, and up to when it speaks is said all the same',
  )
})

test('what the policy makes of it: too few, too old, another log', async () => {
  const stateOf = async (summary: Summary, terms: SummaryTerms = {}): Promise<string> => {
    const { verdict, log } = await check(summary, { policy, ...terms })
    return `${verdict} ${log.state} ${log.k}`
  }
  assert.equal(
    await stateOf(await summaryOf(shop, 'A', { signers: witnesses.slice(0, 1) })),
    'proven missed 1',
  )
  assert.equal(await stateOf(honest, { nowS: newestTime(shop) + 86_401 }), 'proven stale 2')
  const elsewhere = policyOf(twoOfThree.replace(/^log .*\n/, ''))
  assert.equal(await stateOf(honest, { policy: elsewhere }), 'proven other_log 0')
  const closed = measuredShop()
  closed.append('A', 'seal')
  closed.anchor()
  const sealed = await summaryOf(closed, 'A')
  assert.equal(await stateOf(sealed, { nowS: newestTime(shop) + 1_000_000 }), 'proven witnessed 2')
})

test('an older state is proven as of its own time alone, and refused by who has seen another one', async () => {
  const older = await summaryOf(shop, 'A', { size: 2 })
  const found = await check(older, { policy })
  assert.deepEqual([found.verdict, found.freshness?.index, found.log.upTo], ['proven', 0.1, 3])
  assert.equal(found.log.time, shop.changesAt(1).time)
  const heads = [toHex(genesisHead('A'))]
  let head = genesisHead('A')
  for (const record of shop.histories.get('A') ?? []) {
    head = headAfter(head, recordHash(record))
    heads.push(toHex(head))
  }
  for (const count of [3, 4, 5, 7])
    assert.equal(
      (await check(honest, { seen: { count, head: heads[count] ?? '' } })).verdict,
      'proven',
      `${count}`,
    )
  for (const count of [4, 5, 7]) await refused(honest, 'forked', { seen: { count, head: heads[1] ?? '' } })
})

test('a box is measured in its first record, and one that is recalled says so until that is withdrawn', async () => {
  const first = new Shop()
  first.append('C', 'freshness', { freshnessIndex: 0 })
  first.anchor()
  const begun = await summaryOf(first, 'C')
  assert.equal((await check(begun)).freshness?.index, 0)
  await refused({ ...begun, headBefore: honest.headBefore }, 'head_mismatch')
  // A history that was begun as another box's leads to what is anchored, and is none of this box
  const moved = new Shop()
  const record = moved.append('C', 'freshness', { freshnessIndex: 0 })
  const head = toHex(headAfter(genesisHead('B'), recordHash(record)))
  moved.anchorStates([{ box: 'C', count: 1, head, sealed: false }])
  const begunElsewhere = { ...(await summaryOf(moved, 'C')), headBefore: toHex(genesisHead('B')) }
  await refused(begunElsewhere, 'head_mismatch')
  first.append('C', 'recall', { reason: 'sample' })
  first.anchor()
  assert.equal((await check(await summaryOf(first, 'C'))).freshness?.isRecalled, true)
  first.append('C', 'recall', { reason: 'sample', withdrawn: true })
  first.anchor()
  assert.equal((await check(await summaryOf(first, 'C'))).freshness?.isRecalled, false)
})

test('another box’s, another anchor’s or an altered state is refused, with what does not hold', async () => {
  const other = await summaryOf(shop, 'B', { from: 1 })
  const older = await summaryOf(shop, 'A', { size: 3 })
  await refused(other, 'other_box', { box: 'A' })
  await refused({ ...honest, box: 'B' }, 'record_of_other_box')
  await refused({ ...honest, leaf: { ...honest.leaf, box: 'B' } }, 'anchor_of_other_box')
  await refused({ ...honest, leaf: older.leaf, records: older.records }, 'proof_mismatch')
  await refused({ ...older, log: honest.log }, 'proof_mismatch')
  await refused({ ...honest, path: other.path }, 'proof_mismatch')
  await refused({ ...honest, path: honest.path.slice(1) }, 'proof_mismatch')
  await refused({ ...honest, log: { ...honest.log, checkpoint: older.log.checkpoint } }, 'log_mismatch')
  await refused({ ...honest, log: { ...honest.log, inclusion: [] } }, 'log_mismatch')
  await refused({ ...honest, log: { ...honest.log, time: older.log.time } }, 'log_mismatch')
  await refused({ ...honest, log: { ...honest.log, boxes: 9 } }, 'log_mismatch')
  await refused({ ...honest, headBefore: older.leaf.head }, 'head_mismatch')
})

test('records that are cut, left out, moved or made fresher are refused', async () => {
  const [first, second, third] = honest.records
  assert.ok(first && second && third)
  await refused({ ...honest, records: [first, second] }, 'record_missing')
  await refused({ ...honest, records: [first, third] }, 'record_missing')
  await refused({ ...honest, records: [first, third, second] }, 'record_missing')
  await refused(
    { ...honest, records: [{ ...first, data: { ...first.data, freshnessIndex: 0 } }, second, third] },
    'head_mismatch',
  )
  await refused({ ...honest, records: [first, { ...second, kind: 'seal' }, third] }, 'seal_mismatch')
  assert.match(
    await refused({ ...honest, records: [second, third] }, 'malformed'),
    /^\$\.records\[0\]: must say how fresh/,
  )
  const both = await summaryOf(shop, 'A', { from: 3 })
  assert.match(await refused(both, 'malformed'), /^\$\.records\[2\]: must not say anew/)
  const mended = measuredShop(0)
  mended.append('A', 'correction', { corrects: 5, data: { freshnessIndex: 0.9 } })
  mended.anchor()
  assert.match(
    await refused(await summaryOf(mended, 'A'), 'malformed'),
    /^\$\.records\[1\]: must not say anew/,
  )
})

test('20 records may follow and 21 may not; a text of 4,097 bytes is refused, whatever is in it', async () => {
  const nothing = (count: number) => ({ ...honest, records: Array.from({ length: count }, () => 0) })
  assert.match(await refused(nothing(21), 'malformed'), /^\$\.records\[0\]/)
  assert.match(await refused(nothing(22), 'malformed'), /^\$\.records: must hold 1 to 21 items/)
  const filled = (note: string): string => {
    const data = { freshnessIndex: 0, note }
    return JSON.stringify({ ...honest, records: [{ ...honest.records[0], data }] })
  }
  const room = MAX_SUMMARY_BYTES - new TextEncoder().encode(filled('')).length
  assert.ok(room > 0 && parseSummary(filled('x'.repeat(room))))
  assert.throws(() => parseSummary(filled('x'.repeat(room + 1))), /is over 4096 bytes/)
  assert.throws(
    () => parseSummary(filled(`é${'x'.repeat(room - 1)}`)),
    /is over 4096 bytes/,
    'bytes, not letters',
  )
  const { detail } = await verifySummary(filled('x'.repeat(room + 1)))
  assert.match(detail, /is over 4096 bytes/)
})

test('a signature under a known name that is not by its key refuses the whole; other fields and texts are no summary', async () => {
  const { checkpoint } = honest.log
  const other = (await summaryOf(shop, 'A', { size: 3 })).log.checkpoint.split('\n').slice(5).join('\n')
  const lied = checkpoint.split('\n').slice(0, 5).join('\n')
  const found = await check(
    { ...honest, log: { ...honest.log, checkpoint: `${lied}\n${other}` } },
    { policy },
  )
  assert.deepEqual([found.verdict, found.code], ['broken', 'log_refused'])
  assert.match(found.detail, /^\$\.log\.checkpoint\.signatures\[1\]/)
  for (const text of ['', '{', 'null', '[]', '{"v":2,"v":2}', JSON.stringify({ ...honest, more: 1 })])
    assert.equal((await verifySummary(text)).code, 'malformed', text.slice(0, 9))
  assert.match(await refused({ ...honest, v: 3 }, 'malformed'), /\$\.v/)
  const withheld = { seq: 5, recordHash: honest.leaf.head, withheld: true }
  assert.match(
    await refused({ ...honest, records: honest.records.with(1, withheld as never) }, 'malformed'),
    /\$\.records\[1\]/,
  )
})

test('no flipped bit leaves it witnessed, and none but in a name or signature leaves it proven', async (t) => {
  const small = new Shop()
  small.append('B', 'tracking')
  measure(small, 'A', 0.5)
  small.anchor()
  small.append('B', 'tracking')
  small.anchor()
  const summary = await summaryOf(small, 'A')
  const terms = { nowS: newestTime(small) }
  const whole = JSON.stringify(summary)
  assert.equal((await verifySummary(whole, { ...terms, policy })).log.state, 'witnessed')
  const note = JSON.stringify(summary.log.checkpoint)
  const signed = { from: whole.indexOf(note), to: whole.indexOf(note) + Buffer.byteLength(note) }
  const bytes = new TextEncoder().encode(whole)
  let read = 0
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const at = bit >> 3
    const text = new TextDecoder().decode(bytes.with(at, (bytes[at] ?? 0) ^ (1 << (bit & 7))))
    const where = `bit ${bit & 7} of byte ${at}: ${text.slice(Math.max(0, at - 20), at + 20)}`
    const found = await verifySummary(text, { ...terms, policy })
    if (found.code !== 'malformed') read += 1
    assert.ok(!(found.verdict === 'proven' && found.log.state === 'witnessed'), where)
    if (at >= signed.from && at < signed.to) continue
    assert.equal((await verifySummary(text, terms)).verdict, 'broken', where)
  }
  t.diagnostic(`${bytes.length * 8} bits, ${read} of them left a summary`)
  assert.ok(read > bytes.length)
})
