import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type ProofBundle, parseBundle } from './bundle.ts'
import { canonicalize, parseJsonText } from './canonical.ts'
import { fileLedger, parseAnchorFile } from './file-ledger.ts'
import type { LedgerReader } from './ledger.ts'
import { loggedBundle, newestTime, policyOf, twoOfThree } from './testing/logged-shop.ts'
import { Shop } from './testing/shop.ts'
import { verifyBundle } from './verify.ts'

interface KnownCase {
  name: string
  bundle: ProofBundle
  ledger: object[]
  verdict: string
}

const { cases }: { cases: KnownCase[] } = JSON.parse(
  readFileSync(new URL('../vectors/bundles.json', import.meta.url), 'utf8'),
)

function ledgerOf({ bundle, ledger }: KnownCase): LedgerReader {
  const { chainId, contract } = bundle.ledger
  const anchors = ledger.map((anchor) => ({ ...anchor, records: 0 }))
  return fileLedger(
    parseAnchorFile({ format: 'befaqt-anchors/1', chainId, contract, count: anchors.length, anchors }),
  )
}

/** The value of these bytes, or undefined when they are no text, no JSON, or give a name twice. */
function readBytes(bytes: Uint8Array): unknown {
  try {
    return parseJsonText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** All that a bundle says of its box. The address of a node is no part of it: a verifier may ask any. */
const saidIn = ({ ledger: { chainId, contract }, ...rest }: ProofBundle): string =>
  canonicalize({ ...rest, ledger: { chainId, contract } })

for (const known of cases)
  test(`no flipped bit makes a bundle verified that says something else: ${known.name}`, async (t) => {
    const ledger = ledgerOf(known)
    const bytes = new TextEncoder().encode(JSON.stringify(known.bundle))
    const isTrue = known.verdict === 'verified'
    const said = isTrue ? saidIn(parseBundle(known.bundle)) : undefined
    const bits = isTrue ? [0, 1, 2, 3, 4, 5, 6, 7] : [0] // what is refused as it is hardly gets true by a bit
    let read = 0
    for (let at = 0; at < bytes.length; at++)
      for (const bit of bits) {
        const value = readBytes(bytes.with(at, (bytes[at] ?? 0) ^ (1 << bit)))
        if (value === undefined) continue
        read += 1
        const { verdict } = await verifyBundle(value, ledger)
        if (verdict !== 'verified') continue
        assert.equal(saidIn(parseBundle(value)), said, `bit ${bit} of byte ${at}: ${JSON.stringify(value)}`)
      }
    t.diagnostic(`${bytes.length * bits.length} bits, ${read} of them left JSON`)
    assert.ok(read > bytes.length / 2)
  })

test('no flipped bit of the log in a bundle leaves it witnessed', async (t) => {
  const shop = new Shop()
  for (const box of ['A', 'B', 'B']) {
    shop.append(box, 'tracking')
    shop.anchor()
  }
  const bundle = await loggedBundle(shop, 'A', { size: 2 })
  const options = { policy: policyOf(twoOfThree), nowS: newestTime(shop) }
  const stateOf = async (log: unknown): Promise<string | undefined> =>
    (await verifyBundle({ ...bundle, log }, shop.ledger(), options)).log?.state
  assert.equal(await stateOf(bundle.log), 'witnessed')
  const bytes = new TextEncoder().encode(JSON.stringify(bundle.log))
  let read = 0
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const log = readBytes(bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))))
    if (log === undefined) continue
    read += 1
    assert.notEqual(
      await stateOf(log),
      'witnessed',
      `bit ${bit & 7} of byte ${bit >> 3}: ${JSON.stringify(log)}`,
    )
  }
  t.diagnostic(`${bytes.length * 8} bits, ${read} of them left JSON`)
  assert.ok(read > bytes.length * 2)
})
