import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AbsenceBundle, type ProofBundle, parseAbsence, parseBundle } from './bundle.ts'
import { canonicalize } from './canonical.ts'
import { recordHash, toHex } from './index.ts'
import type { LedgerReader } from './ledger.ts'
import { recordKinds } from './record.ts'
import { type Chance, chanceOf } from './testing/chance.ts'
import { mutated, transplanted } from './testing/json-mutations.ts'
import { Shop, stateOf } from './testing/shop.ts'
import { verifyAbsence, verifyBundle } from './verify.ts'

/** `SEED=123 node --test …` runs the same mutations again. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const MUTANTS = 45_000

function randomShop(chance: Chance): Shop {
  const shop = new Shop()
  const names = Array.from(
    { length: 2 + chance(14) },
    (_, i) => ['', '\u{1f41f}', 'box '][chance(3)] + String(7 * i),
  )
  const rounds = 1 + chance(4)
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const history = shop.histories.get(name) ?? []
      if (history.at(-1)?.kind === 'seal' || chance(3) === 0) continue
      const kind =
        history.length > 0 && chance(8) === 0 ? 'seal' : recordKinds[chance(recordKinds.length - 1)]
      shop.append(name, kind ?? 'tracking', { temperature: chance(400) / 100 - 1, list: [chance(9), null] })
    }
    shop.anchor()
  }
  return shop
}

interface Sample {
  readonly bundle: ProofBundle
  readonly donor: ProofBundle
  readonly absence: AbsenceBundle
  readonly ledger: LedgerReader
}

function samplesOf(chance: Chance, shops: number): Sample[] {
  return Array.from({ length: shops }, () => randomShop(chance)).flatMap((shop) => {
    const names = [...shop.histories.keys()]
    const bundles = names.slice(0, 3).map((name, i) => {
      const bundle = shop.bundleOf(name)
      return i === 1 ? withheldIn(bundle, chance) : bundle
    })
    const absence = shop.absenceOf(`not ${chance(1000)}`)
    return bundles.map((bundle, i) => ({
      bundle,
      donor: bundles[(i + 1) % bundles.length] ?? bundle,
      absence,
      ledger: shop.ledger(),
    }))
  })
}

/** The same history with the content of one record erased. */
function withheldIn(bundle: ProofBundle, chance: Chance): ProofBundle {
  const at = chance(bundle.records.length)
  const record = bundle.records[at]
  if (record === undefined || 'withheld' in record) return bundle
  const erased = { seq: record.seq, recordHash: toHex(recordHash(record)), withheld: true } as const
  return { ...bundle, records: bundle.records.with(at, erased) }
}

/**
 * What a bundle says about the history. The suggested node's address is no part of it, nor is the newest anchor of a
 * box that was sealed before: no later one can add anything.
 */
function meaningOf({ ledger: { chainId, contract }, anchors, ...rest }: ProofBundle): string {
  const [former, newest] = anchors.slice(-2)
  const repeats =
    newest !== undefined && former?.leaf.sealed === true && former.leaf.count === newest.leaf.count
  return canonicalize({
    ...rest,
    anchors: repeats ? anchors.slice(0, -1) : anchors,
    ledger: { chainId, contract },
  })
}

function sameMeaning<T>(
  parse: (value: unknown) => T,
  meaning: (parsed: T) => string,
  value: unknown,
  as: T,
): boolean {
  try {
    return meaning(parse(value)) === meaning(as)
  } catch {
    return false
  }
}

test(`${MUTANTS} spoilt bundles are all refused`, async (t) => {
  t.diagnostic(`seed ${seed}`)
  const chance = chanceOf(seed)
  const samples = samplesOf(chance, 30)
  for (const { bundle, ledger } of samples) {
    const { verdict, reasons } = await verifyBundle(bundle, ledger)
    assert.deepEqual([verdict, reasons], ['verified', []], `seed ${seed}: ${JSON.stringify(bundle)}`)
  }
  let read = 0
  for (let made = 0; made < MUTANTS; ) {
    const { bundle, donor, ledger } = samples[chance(samples.length)] ?? assert.fail('no sample')
    const spoilt = chance(4) === 0 ? transplanted(bundle, donor, chance) : mutated(bundle, chance)
    const { verdict, reasons } = await verifyBundle(spoilt, ledger)
    if (verdict === 'verified') {
      const same = sameMeaning(parseBundle, meaningOf, spoilt, bundle)
      assert.ok(same, `seed ${seed}: ${JSON.stringify(spoilt)} of ${JSON.stringify(bundle)}`)
      continue
    }
    made += 1
    if (reasons[0]?.code !== 'malformed') read += 1
  }
  t.diagnostic(`${read} had the form of a bundle`)
  assert.ok(read > MUTANTS / 4)
})

test('5,000 spoilt proofs of absence are all refused', async () => {
  const chance = chanceOf(seed)
  const samples = samplesOf(chance, 10)
  const meaning = ({ ledger: { chainId, contract }, ...rest }: AbsenceBundle) =>
    canonicalize({ ...rest, ledger: { chainId, contract } })
  for (let made = 0; made < 5_000; ) {
    const { absence, ledger } = samples[chance(samples.length)] ?? assert.fail('no sample')
    assert.equal((await verifyAbsence(absence, ledger)).verdict, 'absent')
    const spoilt = mutated(absence, chance)
    if (sameMeaning(parseAbsence, meaning, spoilt, absence)) continue
    made += 1
    const { verdict, box } = await verifyAbsence(spoilt, ledger)
    // Another box that ends at the same place is truly absent as well.
    const alsoTrue =
      box !== absence.box &&
      sameMeaning(parseAbsence, meaning, { ...Object(spoilt), box: absence.box }, absence)
    if (!alsoTrue) assert.notEqual(verdict, 'absent', `seed ${seed}: ${JSON.stringify(spoilt)}`)
  }
})

test('whatever a server rewrites of an anchored history shows, where it continues with one anchor', async () => {
  const chance = chanceOf(seed)
  for (let turn = 0; turn < 60; turn++) {
    const shop = randomShop(chance)
    const [box = '', history = []] = [...shop.histories][0] ?? []
    if (history.length === 0) continue
    const at = chance(history.length)
    const forged = history.map((record, i) =>
      i === at ? { ...record, data: { forged: chance(1000) } } : record,
    )
    shop.histories.set(box, forged)
    const grown = chance(2) === 0
    if (grown) shop.append(box, 'tracking')
    shop.anchorStates([stateOf(box, shop.histories.get(box) ?? [])])
    for (const bundle of [shop.bundleOf(box), withNewestOnly(shop, box)]) {
      const { verdict } = await verifyBundle(bundle, shop.ledger())
      assert.equal(verdict, 'broken', `seed ${seed}, turn ${turn}: ${JSON.stringify(bundle)}`)
    }
  }
})

/** As a forger would show it: the anchors before the newest left out, with the true state before. */
function withNewestOnly(shop: Shop, box: string): ProofBundle {
  const bundle = shop.bundleOf(box)
  const newest = bundle.anchors.at(-1)
  if (newest === undefined) return bundle
  return { ...bundle, anchors: [{ ...newest, before: shop.proofOf(newest.index - 1, box) }] }
}
