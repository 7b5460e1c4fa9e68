import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { newSigner, ORIGIN, TestLog } from '../testing/log.ts'
import { checkReceipt, type ReceiptProof, type ReceiptResult, type ReceiptState } from './check-receipt.ts'
import { parseVerifierKey, toBase64 } from './note.ts'
import { findReceipt, parseReceiptLine, type Receipt, receiptLine } from './receipt.ts'
import { noReceiptWords, receiptWords } from './receipt-words.ts'
import type { GetPath } from './tiles.ts'

interface KnownAnswers {
  key: string
  entries: string[]
  reads: { text: string; line: string; signed: boolean }[]
  refused: string[]
  cases: { receipt: string; today: string; proof: ReceiptProof; state: ReceiptState; meant?: string }[]
}

const script = fileURLToPath(new URL('../../vectors/receipts.py', import.meta.url))
const text = readFileSync(new URL('../../vectors/receipts.json', import.meta.url), 'utf8')
const known: KnownAnswers = JSON.parse(text)
const key = parseVerifierKey(known.key)

/** Tiles of a log, as a shop serves them. */
const served =
  (log: TestLog): GetPath =>
  async (path) => {
    const answer = await log.answer(path)
    return typeof answer === 'string' ? utf8(answer) : answer
  }
const sizeIn = (note: string): number => Number(note.split('\n')[1])
const logOf = (size: number): TestLog =>
  new TestLog(newSigner(ORIGIN)).append(...known.entries.slice(0, size))

/** What comes of a text against a checkpoint of the known log. */
const checked = (receipt: Receipt, today: string, keyOfLog = key): Promise<ReceiptResult> =>
  checkReceipt(receipt, { note: today, get: served(logOf(sizeIn(today))), key: keyOfLog })

const parsed = (receipt: string): Receipt | undefined => {
  try {
    return findReceipt(receipt)
  } catch (error) {
    assert.ok(error instanceof FormatError, String(error))
    return undefined
  }
}

test('the known answers are what receipts.py makes', (t) => {
  const made = spawnSync('python3', [script], { encoding: 'utf8' })
  if (made.error !== undefined) return t.skip('python3 is not there')
  assert.ok(
    made.stdout === text,
    `vectors/receipts.json differs from what vectors/receipts.py makes ${made.stderr}`,
  )
})

test('receipts are found in what people paste, and nothing else is one', () => {
  for (const { text, line, signed } of known.reads) {
    const receipt = findReceipt(text)
    assert.equal(receiptLine(receipt.checkpoint), line, text)
    assert.equal(receipt.note !== null, signed, text)
    assert.deepEqual(parseReceiptLine(line), receipt.checkpoint)
  }
  for (const text of known.refused) {
    assert.throws(() => findReceipt(text), FormatError, text)
    assert.throws(() => parseReceiptLine(text), FormatError, text)
  }
})

test('texts that are long or made to be slow are read in a moment', () => {
  for (const part of [' ', '>', '\n', 'befaqt1 ', 'a/b\n1\n', '— a b', '\u00ad', 'befaqt1 x 1 ']) {
    const began = performance.now()
    assert.equal(parsed(part.repeat(Math.floor(260_000 / part.length))), undefined, part)
    assert.ok(performance.now() - began < 2_000, `${JSON.stringify(part)}: ${performance.now() - began} ms`)
  }
  assert.equal(parsed(` ${known.reads[0]?.line}`.repeat(10_000)), undefined, 'too long')
})

test('what a receipt promised is there, or it is said what is not, as the other program says', async () => {
  for (const { receipt, today, proof, state, meant } of known.cases) {
    const result = await checked(findReceipt(receipt), today)
    assert.deepEqual([result.state, result.proof], [state, proof], receipt)
    assert.equal(result.meant && receiptLine(result.meant), meant ?? null, receipt)
  }
})

test('a receipt that fits says until when, and of when the newest entry is', async () => {
  const found = known.cases.find(({ receipt, state }) => state === 'fits' && / 123 /.test(receipt))
  const { upTo, newest } = await checked(findReceipt(found?.receipt ?? ''), found?.today ?? '')
  const time = (seconds: number | null) => new Date((seconds ?? 0) * 1000).toISOString()
  assert.deepEqual([time(upTo), time(newest)], ['2026-11-06T02:00:00.000Z', '2026-11-13T11:00:00.000Z'])
})

/** A text with one bit changed, for each of them, where UTF-8 comes of it. */
function* flipped(whole: string): Generator<string> {
  const bytes = utf8(whole)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const at = bit >> 3
    const other = Buffer.from(bytes.with(at, (bytes[at] ?? 0) ^ (1 << (bit & 7)))).toString()
    if (!other.includes('\ufffd')) yield other
  }
}

test('no changed bit leaves a line a receipt that fits', async () => {
  const line = known.reads[0]?.line ?? ''
  const today = known.cases[0]?.today ?? ''
  const states = new Set<string>()
  for (const other of flipped(line)) {
    const receipt = parsed(other)
    const state = receipt === undefined ? 'refused' : (await checked(receipt, today)).state
    if (state === 'fits') assert.equal(receiptLine(receipt?.checkpoint as never), line, other)
    else states.add(state)
    assert.ok(state !== 'fits' || /\s/.test(other.charAt(diffAt(line, other))), other)
  }
  assert.deepEqual([...states].sort(), ['mistyped', 'other_log', 'refused'])
})

const diffAt = (a: string, b: string): number => [...a].findIndex((letter, i) => letter !== b[i])

test('no changed bit leaves a signed receipt one that the log signed', async () => {
  const { text = '' } = known.reads.find(({ text, signed }) => signed && text.startsWith(ORIGIN)) ?? {}
  const today = known.cases[0]?.today ?? ''
  const whole = await checked(findReceipt(text), today)
  assert.deepEqual([whole.state, whole.proof], ['fits', 'signed'])
  for (const other of flipped(text)) {
    const receipt = parsed(other)
    if (receipt === undefined || receipt.note === text) continue
    const { state, proof } = await checked(receipt, today)
    assert.ok(proof !== 'signed', `${state}: ${other}`)
    assert.ok(state !== 'fits' || proof === 'other_key', `${state}: ${other}`)
  }
})

test('a key that is another now, tiles that are not those of the checkpoint, and a shop that shows none', async () => {
  const log = new TestLog().append(...known.entries.slice(0, 20))
  const receipt = findReceipt(await log.note(7))
  const shown = async (one: TestLog, get = served(one), keyOfLog: typeof key | null = one.signer.key) =>
    checkReceipt(receipt, { note: await one.note(), get, key: keyOfLog })
  assert.deepEqual(pick(await shown(log)), ['fits', 'signed'])
  assert.deepEqual(pick(await shown(log, served(log), null)), ['fits', 'unchecked'], 'no key is named')

  const again = new TestLog(newSigner(ORIGIN)).append(...known.entries.slice(0, 20))
  assert.deepEqual(pick(await shown(again)), ['fits', 'other_key'])
  assert.deepEqual(pick(await shown(again, served(again), null)), ['fits', 'other_key'])
  assert.deepEqual(pick(await shown(again, served(again), log.signer.key)), ['unsigned', 'unchecked'])
  const anew = new TestLog(newSigner(ORIGIN)).append(...known.entries.slice(5, 25))
  assert.deepEqual(pick(await shown(anew)), ['differs', 'other_key'])

  const fork = log.fork(3).append(...known.entries.slice(100, 117)) // as long as the other
  assert.deepEqual(pick(await shown(fork)), ['differs', 'signed'])
  assert.deepEqual(pick(await shown(fork, served(log))), ['not_shown', 'signed'], 'tiles of another history')
  assert.deepEqual(pick(await shown(log, async () => undefined)), ['not_shown', 'signed'])
  assert.deepEqual(pick(await shown(log, () => Promise.reject(new TypeError('offline')))), [
    'not_shown',
    'signed',
  ])
  assert.deepEqual(pick(await shown(log.fork(3))), ['ahead', 'signed'])
  assert.deepEqual(pick(await shown(log.fork(0))), ['ahead', 'signed'], 'a log of nothing')
  await assert.rejects(checkReceipt(receipt, { note: '<!doctype html>', get: served(log), key }), FormatError)
})

const pick = ({ state, proof }: ReceiptResult) => [state, proof]

test('each finding is told in words, and only what contradicts itself as signed is called broken', async () => {
  const log = new TestLog().append(...known.entries.slice(0, 20))
  const result = await checkReceipt(findReceipt(await log.note(7)), {
    note: await log.note(),
    get: served(log),
    key: log.signer.key,
  })
  const states = [
    'fits',
    'ahead',
    'differs',
    'mistyped',
    'changed',
    'other_log',
    'unsigned',
    'not_shown',
  ] as const
  for (const state of states)
    for (const proof of ['signed', 'line', 'other_key', 'unchecked'] as const) {
      const meant = state === 'mistyped' ? result.receipt : null
      const words = receiptWords({ ...result, state, proof, meant }, String)
      assert.ok(words.title.length > 10 && words.message.length > 40, `${state} ${proof}`)
      assert.equal(words.tone === 'good', state === 'fits', `${state} ${proof}`)
      assert.equal(/Broken/.test(words.title), state === 'differs' && proof === 'signed', `${state} ${proof}`)
      assert.equal(words.todo === null, state === 'fits')
      if (meant !== null) assert.ok(words.message.includes(toBase64(meant.root)))
    }
  const said = new Set(['$', '$.root', '$.size', '$.origin'].map((path) => noReceiptWords({ path })))
  assert.equal(said.size, 4)
})
