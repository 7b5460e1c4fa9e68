import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type BoxProof, boxKey, EMPTY, MapNodes, proveBox, updateMap, verifyBox } from './box-map.ts'
import { parseBundle } from './bundle.ts'
import { canonicalize } from './canonical.ts'
import { compareBundles } from './check-records.ts'
import { fileLedger, parseAnchorFile } from './file-ledger.ts'
import { type BoxState, type LedgerAddress, toHex } from './index.ts'
import { verifyAbsence, verifyBundle } from './verify.ts'

interface KnownCase {
  name: string
  bundle: { ledger: LedgerAddress; anchors: object[] }
  ledger: object[]
  verdict: string
  reason?: string
}

const { cases }: { cases: KnownCase[] } = JSON.parse(
  readFileSync(new URL('../vectors/bundles.json', import.meta.url), 'utf8'),
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

interface KnownProof extends BoxProof {
  box: string
}

interface KnownAnswers {
  keys: { box: string; key: string }[]
  leaves: { leaf: BoxState; canonical: string; hash: string }[]
  maps: { leaves: BoxState[]; root: string; proofs: KnownProof[] }[]
  ledger: unknown
  cases: {
    name: string
    document: object
    verdict: string
    lateness: (number | null)[] | null
    withheld: number
  }[]
}

const text = readFileSync(new URL('../vectors/proofs.json', import.meta.url), 'utf8')
const answers: KnownAnswers = JSON.parse(text)

test('keys, leaves, roots and proofs are those of the second implementation', () => {
  for (const { box, key } of answers.keys) assert.equal(toHex(boxKey(box)), key)
  for (const { leaf, canonical, hash } of answers.leaves) {
    assert.equal(canonicalize(leaf), canonical)
    assert.equal(updateMap(new MapNodes(), EMPTY, [leaf]).root, hash)
  }
  for (const { leaves, root, proofs } of answers.maps) {
    const nodes = new MapNodes()
    const map = updateMap(nodes, EMPTY, leaves)
    assert.equal(map.root, root)
    for (const { box, ...known } of proofs) {
      assert.deepEqual(proveBox(nodes, map.root, box), known)
      assert.ok(verifyBox(box, known, map.root))
    }
  }
})

for (const { name, document, verdict, lateness, withheld } of answers.cases)
  test(`known proof: ${name}: ${verdict}`, async () => {
    const reader = fileLedger(parseAnchorFile(answers.ledger))
    const verify = 'records' in document ? verifyBundle : verifyAbsence
    const result = await verify(document, reader)
    assert.deepEqual([result.verdict, result.withheld], [verdict, withheld], JSON.stringify(result.reasons))
    if (lateness === null) return
    assert.deepEqual(
      result.records.map(({ latenessS }) => latenessS),
      lateness,
    )
  })

const python = spawnSync('python3', ['--version']).status === 0
test(`the second implementation makes the same file again${python ? '' : ': not run, there is no python3 here'}`, () => {
  if (!python) return
  const script = fileURLToPath(new URL('../vectors/proofs.py', import.meta.url))
  const made = spawnSync('python3', [script, '--stdout'], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  assert.equal(made.status, 0, made.stderr)
  assert.ok(made.stdout === text, 'vectors/proofs.json differs from what vectors/proofs.py makes')
})
