import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProofBundle, parseBundle } from './bundle.ts'
import { canonicalBytes, canonicalize } from './canonical.ts'
import { parseJsonText } from './json-text.ts'
import type { LedgerReader } from './ledger.ts'
import { type Mutation, mutations } from './testing/mutations.ts'
import { randomSamples, randomWorld, type Sample } from './testing/samples.ts'
import { type Chance, chanceOf } from './testing/world.ts'
import { verifyBundle } from './verify.ts'

/** `SEED=123 node --test …` runs the same mutations again. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

/** What a bundle says about the history. The suggested node's address is no part of it: a verifier may ask any. */
const meaningOf = ({ ledger: { chainId, contract }, ...rest }: ProofBundle): string =>
  canonicalize({ ...rest, ledger: { chainId, contract } })

const isVerified = async (bundle: unknown, ledger: LedgerReader): Promise<boolean> =>
  (await verifyBundle(bundle, ledger)).verdict === 'verified'

function pick<T>(items: readonly T[], chance: Chance): T {
  const item = items[chance(items.length)]
  if (item === undefined) throw new RangeError('nothing to pick')
  return item
}

test('true bundles of 1 to 300 boxes are verified, whatever their place in the tree', async () => {
  const chance = chanceOf(seed)
  for (let boxes = 1; boxes <= 300; boxes++) {
    const world = randomWorld(chance, boxes, 1 + chance(3))
    const names = [...world.histories.keys()]
    const ledger = world.ledger()
    for (const name of new Set([names[0], names.at(-1), pick(names, chance), pick(names, chance)])) {
      const { verdict, reasons } = await verifyBundle(world.bundleOf(name ?? ''), ledger)
      assert.deepEqual([verdict, reasons], ['verified', []], `seed ${seed}, ${boxes} boxes, box ${name}`)
    }
  }
})

/** Spoils true bundles until `wanted` of them really say something else; none may be called verified. */
async function refuseAll(
  name: string,
  mutate: Mutation,
  samples: readonly Sample[],
  chance: Chance,
  wanted: number,
) {
  const meanings = new Map(samples.map(({ bundle }) => [bundle, meaningOf(bundle)]))
  let made = 0
  for (let tries = 0; made < wanted; tries++) {
    assert.ok(tries < wanted * 100, `seed ${seed}: ${name} hardly ever changes anything`)
    const sample = pick(samples, chance)
    const spoilt = mutate(sample, chance)
    if (spoilt === null || meaningOf(spoilt) === meanings.get(sample.bundle)) continue
    made += 1
    if (await isVerified(spoilt, sample.ledger))
      assert.fail(`seed ${seed}: ${name} was verified: ${JSON.stringify(spoilt)}`)
  }
}

test('70,000 spoilt bundles are all refused', async (t) => {
  t.diagnostic(`seed ${seed}`)
  const chance = chanceOf(seed)
  const samples = randomSamples(chance, 40)
  for (const { bundle, ledger } of samples) assert.ok(await isVerified(bundle, ledger), `seed ${seed}`)
  const each = Math.ceil(70_000 / Object.keys(mutations).length)
  for (const [name, mutate] of Object.entries(mutations)) await refuseAll(name, mutate, samples, chance, each)
})

/** The value of these bytes, or undefined when they are no text, no JSON, or give a name twice. */
function readBytes(bytes: Uint8Array): unknown {
  try {
    return parseJsonText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

test('40,000 bundles with one bit flipped in their canonical bytes are all refused', async (t) => {
  const chance = chanceOf(seed)
  const texts = randomSamples(chance, 20).map((sample) => ({
    sample,
    bytes: canonicalBytes(sample.bundle),
  }))
  let readable = 0
  for (let flips = 0; flips < 40_000; flips++) {
    const { sample, bytes } = pick(texts, chance)
    const at = chance(bytes.length)
    const value = readBytes(bytes.with(at, (bytes[at] ?? 0) ^ (1 << chance(8))))
    if (value === undefined) continue
    readable += 1
    if (!(await isVerified(value, sample.ledger))) continue
    const same = meaningOf(parseBundle(value)) === meaningOf(sample.bundle)
    assert.ok(same, `seed ${seed}: a flipped bit at ${at} was verified in ${JSON.stringify(sample.bundle)}`)
  }
  t.diagnostic(`seed ${seed}: ${readable} were still JSON, the others stopped at reading`)
})
