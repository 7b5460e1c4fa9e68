import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type ProofBundle, parseBundle } from './bundle.ts'
import { canonicalize, parseJsonText } from './canonical.ts'
import { fileLedger, parseAnchorFile } from './file-ledger.ts'
import type { LedgerReader } from './ledger.ts'
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
