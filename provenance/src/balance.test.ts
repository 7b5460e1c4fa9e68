import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type AmountKind, amountKinds, MAX_AMOUNT, parseStated } from './amounts.ts'
import { weigh } from './balance.ts'
import { balanceMessage, kg } from './balance-messages.ts'
import { FormatError, LedgerError, recordHash, toHex } from './index.ts'
import { needsPython } from './testing/second-verifier.ts'
import { type Fact, loss, sale, shopOf, weight } from './testing/weighed-histories.ts'
import type { Balance } from './verdict.ts'
import { verifyBundle } from './verify.ts'

interface KnownAnswer {
  readonly name: string
  readonly records: Parameters<typeof weigh>[0]['records']
  readonly balance: Omit<Balance, 'words'>
  readonly problems: readonly [string, number][]
}

const text = readFileSync(new URL('../vectors/weights.json', import.meta.url), 'utf8')
const known: readonly KnownAnswer[] = JSON.parse(text)

for (const { name, records, balance, problems } of known)
  test(`known weights: ${name}`, () => {
    const found = weigh({ records })
    const { words, ...figures } = found.balance
    assert.deepEqual(figures, balance)
    assert.equal(words, balanceMessage(balance))
    assert.deepEqual(
      found.problems.map(({ code, seq }) => [code, seq]),
      problems,
    )
  })

test('the second implementation makes the same weights again', needsPython, () => {
  const script = fileURLToPath(new URL('../vectors/weights.py', import.meta.url))
  const made = spawnSync('python3', [script, '--stdout'], { encoding: 'utf8' })
  assert.equal(made.status, 0, made.stderr)
  assert.ok(made.stdout === text, 'vectors/weights.json differs from what vectors/weights.py makes')
})

const caught: Fact = ['catch', { species: 'sample' }]

async function resultOf(facts: readonly Fact[]) {
  const shop = shopOf(facts)
  return verifyBundle(shop.bundleOf('A'), shop.ledger())
}

test('what was sold of a weighed box is in the result, to the gram', async () => {
  const { verdict, balance, reasons } = await resultOf([caught, weight(41_000), sale(38_205), loss(500)])
  assert.deepEqual([verdict, reasons], ['verified', []])
  assert.equal(balance?.words, 'Sold 38.205 of 41.0 kg, lost 0.5 kg; 2.295 kg left. Weight typed in.')
  assert.deepEqual([balance?.state, balance?.left], ['whole', 2_295])
})

test('a gram too much breaks the box, and its record is named', async () => {
  const { verdict, reasons, words } = await resultOf([caught, weight(41_000), sale(41_000), sale(1)])
  assert.equal(verdict, 'broken')
  assert.equal(words, 'The weights in this history contradict each other.')
  assert.deepEqual(reasons, [
    {
      code: 'overdrawn',
      seq: 4,
      words: 'With record 4 more of this box was sold and lost than ever went in.',
    },
  ])
})

test('a history without weights is verified as before, and says nothing of kilograms', async () => {
  const { verdict, balance } = await resultOf([caught, ['tracking', { temperature: 2 }]])
  assert.deepEqual([verdict, balance], ['verified', undefined])
})

test('a history of sales without a weight is verified as before', async () => {
  const { verdict, balance } = await resultOf([sale(4_000), caught])
  assert.deepEqual([verdict, balance?.state], ['verified', 'unweighed'])
  assert.equal(balance?.words, 'No weights stated: 4.0 kg sold.')
})

test('records of these kinds that state nothing that can be read leave the verdict', async () => {
  const odd = amountKinds.map((kind): Fact => [kind, { list: [1, null] }])
  const { verdict, balance } = await resultOf([caught, ...odd])
  assert.deepEqual([verdict, balance?.state], ['verified', 'unweighed'])
  const weighed = await resultOf([caught, weight(10), ...odd])
  assert.deepEqual([weighed.verdict, weighed.balance?.state], ['verified', 'partly'])
})

test('a changed amount is a changed record: nothing is added up', async () => {
  const shop = shopOf([caught, weight(41_000), sale(38_000)])
  const bundle = shop.bundleOf('A')
  const changed = { ...bundle.records[2], data: { product: 'Snapper', grams: 3 } } as never
  const result = await verifyBundle({ ...bundle, records: bundle.records.with(2, changed) }, shop.ledger())
  assert.deepEqual([result.verdict, result.balance], ['broken', undefined])
  assert.deepEqual(
    result.reasons.map(({ code }) => code),
    ['head_mismatch'],
  )
})

test('a sale whose content was erased makes it partly, and hides no other', async () => {
  const shop = shopOf([caught, weight(41_000), sale(38_000), sale(3_000)])
  const bundle = shop.bundleOf('A')
  const record = bundle.records[3] as Parameters<typeof recordHash>[0]
  const erased = { seq: 4, recordHash: toHex(recordHash(record)), withheld: true } as const
  const result = await verifyBundle({ ...bundle, records: bundle.records.with(3, erased) }, shop.ledger())
  assert.deepEqual(
    [result.verdict, result.balance?.state, result.balance?.sold],
    ['verified', 'partly', 38_000],
  )
})

test('where the ledger could not be read nothing is said of kilograms, but a contradiction is one all the same', async () => {
  const judged = async (facts: readonly Fact[]) => {
    const bundle = shopOf(facts).bundleOf('A')
    const down = async (): Promise<never> => Promise.reject(new LedgerError('down'))
    const reader = { ...shopOf(facts).ledger(), identity: down, count: down }
    const { verdict, balance } = await verifyBundle(bundle, reader)
    return [verdict, balance?.sold]
  }
  assert.deepEqual(await judged([caught, weight(5), sale(5)]), ['unreachable', undefined])
  assert.deepEqual(await judged([caught, weight(5), sale(6)]), ['broken', 6])
})

const good: Readonly<Record<AmountKind, object>> = {
  weight: { of: 'box', grams: 41_000, scale: 'Scale 2' },
  offer: { product: 'Snapper', linked: true, grams: 1 },
  sale: { product: 'Snapper', grams: MAX_AMOUNT, pieces: 2, returned: true },
  loss: { product: 'Snapper', grams: 1, reason: 'Recalled: histamine' },
}

const bad: Readonly<Record<AmountKind, readonly object[]>> = {
  weight: [
    { grams: 0 },
    { grams: -1 },
    { grams: 10_000_000 },
    { grams: 1.5 },
    { grams: '5' },
    { of: 'fish' },
    { scale: '' },
  ],
  offer: [{ linked: 1 }, { grams: 0 }, { product: '' }, { product: 'x'.repeat(201) }],
  sale: [{ grams: 0 }, { pieces: -1 }, { returned: false }, { product: 7 }, { buyer: 'Marcus' }],
  loss: [{ grams: 1e7 }, { reason: 7 }, { reason: 'x'.repeat(2_001) }, { returned: true }],
}

for (const kind of amountKinds)
  test(`a record of the kind ${kind} states what it has to, and nothing else`, () => {
    assert.deepEqual(parseStated(kind, good[kind]), { kind, ...good[kind] })
    for (const change of bad[kind])
      assert.throws(
        () => parseStated(kind, { ...good[kind], ...change }),
        FormatError,
        JSON.stringify(change),
      )
    for (const other of [null, [], 'x', {}]) assert.throws(() => parseStated(kind, other), FormatError)
  })

test('kilograms are written to the gram, with a decimal', () => {
  const texts = [0, 5, 1_000, 38_200, 41_050, 1_234_567].map(kg)
  assert.deepEqual(texts, ['0.0', '0.005', '1.0', '38.2', '41.05', '1234.567'])
})
