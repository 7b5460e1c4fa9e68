import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileLedger, parseAnchorFile } from '../file-ledger.ts'
import type { LedgerAddress } from '../index.ts'
import { parseBundle } from './bundle.ts'
import { compareBundles } from './compare-bundles.ts'
import { verifyBundle } from './verify.ts'

interface KnownCase {
  name: string
  bundle: { ledger: LedgerAddress; anchors: object[] }
  ledger: object[]
  verdict: string
  reason?: string
}

const { cases }: { cases: KnownCase[] } = JSON.parse(
  readFileSync(new URL('../../vectors/v2/bundles.json', import.meta.url), 'utf8'),
)

/** The known ledger as a file of anchors; it does not count records. */
const readerOf = ({ bundle, ledger }: KnownCase) => {
  const { chainId, contract } = bundle.ledger
  const anchors = ledger.map((anchor) => ({ ...anchor, records: 0 }))
  const file = { format: 'befaqt-anchors/1', chainId, contract, count: anchors.length, anchors }
  return fileLedger(parseAnchorFile(file))
}

for (const known of cases)
  test(`known bundle: ${known.name}: ${known.verdict}`, async () => {
    const { verdict, reasons } = await verifyBundle(known.bundle, readerOf(known))
    assert.equal(verdict, known.verdict)
    if (known.reason !== undefined)
      assert.deepEqual([...new Set(reasons.map(({ code }) => code))], [known.reason])
  })

test('the known true and rewritten histories are forks of each other', () => {
  const [whole, rewritten] = cases.map(({ bundle }) => bundle)
  const reasons = compareBundles(parseBundle(whole), parseBundle(rewritten))
  assert.deepEqual(
    reasons.map(({ code, seq, anchor }) => ({ code, seq, anchor })),
    [
      { code: 'forked', seq: 2, anchor: undefined },
      { code: 'forked', seq: undefined, anchor: 5 },
      { code: 'forked', seq: undefined, anchor: 6 },
    ],
  )
})
