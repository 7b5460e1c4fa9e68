import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { encode } from 'cborg'
import type { ProofBundle } from '../bundle.ts'
import { Shop } from '../testing/shop.ts'
import { appendWeighing, coseData } from '../testing/signed-histories.ts'
import { verifyBundle } from '../verify.ts'
import { readCoseWeighing } from './cose-weighing.ts'
import { registerBoxOf, type SigningLevel } from './device-register.ts'
import { type ScaleMessage, Signer, weighingPackOf } from './signer.ts'
import { FIRST } from './statement.ts'

const BOX = 'A-1'
const LONG_AGO = '2020-01-01T00:00:00Z'
/** Records of the shop of tests are of November 2026. */
const START_S = 1_795_222_000

const said = (counter: number, more: Partial<ScaleMessage> = {}): Omit<ScaleMessage, 'prev'> => ({
  box: BOX,
  counter,
  of: 'box',
  grams: 41_000,
  timeS: START_S + counter * 60,
  ...more,
})

/** A shop with a catch, whose register knows a scale. */
function shopWith(scale: Signer, level: SigningLevel = 'sensor', validFrom = LONG_AGO): Shop {
  const shop = new Shop()
  shop.append(BOX, 'registration')
  shop.append(BOX, 'catch', {}, 9_000)
  shop.append(registerBoxOf(scale.id), 'device', scale.entry(level, validFrom))
  shop.anchor()
  return shop
}

const withDevices = (shop: Shop, ...signers: readonly Signer[]): ProofBundle => ({
  ...shop.bundleOf(BOX),
  devices: signers.map(({ id }) => shop.bundleOf(registerBoxOf(id))),
})

const check = (shop: Shop, bundle: unknown) => verifyBundle(bundle, shop.ledger())

test('a weight that a scale signed is said to be, where its key is on the ledger; what was typed later is typed', async () => {
  const scale = new Signer()
  const shop = shopWith(scale)
  appendWeighing(shop, BOX, scale.weighing(said(1)))
  const states = async (bundle: ProofBundle) => {
    const { verdict, balance, records, signatures } = await check(shop, bundle)
    assert.deepEqual(signatures, { sensor: 0, gateway: 0, unconfirmed: 0 }, 'these count readings')
    assert.deepEqual(balance?.signature, records[2]?.signature)
    return [verdict, balance?.signature?.state, balance?.words.split('left. ')[1]]
  }
  const open = 'Weight of “urn:dev:mac:0024befffe80aaaa”, whose signature is not confirmed.'
  assert.deepEqual(await states(withDevices(shop, scale)), ['verified-up-to', 'pending', open])
  shop.anchor()
  assert.deepEqual(await states(shop.bundleOf(BOX)), ['verified', 'unproven', open])
  const signed = `Weighed by a scale that signed it, key ${scale.id.slice(0, 8)}.`
  assert.deepEqual(await states(withDevices(shop, scale)), ['verified', 'good', signed])
  shop.append(BOX, 'weight', { of: 'box', grams: 40_000, scale: 'Scale 2' })
  shop.anchor()
  const named = await check(shop, withDevices(shop, scale))
  assert.deepEqual([named.balance?.signature, named.balance?.total], [undefined, 40_000])
  assert.match(named.balance?.words ?? '', /Weight of “Scale 2”, typed in\.$/)
  appendWeighing(shop, BOX, scale.weighing(said(2, { grams: 39_000 })))
  shop.append(BOX, 'correction', { corrects: 5, data: { of: 'box', grams: 38_000 } })
  shop.anchor()
  const corrected = await check(shop, withDevices(shop, scale))
  assert.deepEqual([corrected.balance?.signature, corrected.balance?.total], [undefined, 38_000])
  assert.match(corrected.balance?.words ?? '', /Weight typed in\./)
})

test('a signed weight that was raised after the first sale is raised', async () => {
  const scale = new Signer()
  const shop = shopWith(scale)
  appendWeighing(shop, BOX, scale.weighing(said(1)))
  shop.append(BOX, 'sale', { product: 'Snapper', grams: 1_000 })
  appendWeighing(shop, BOX, scale.weighing(said(2, { grams: 42_000 })))
  shop.anchor()
  const { balance, verdict } = await check(shop, withDevices(shop, scale))
  assert.deepEqual(
    [verdict, balance?.raised, balance?.signature?.state],
    ['verified', { from: 41_000 }, 'good'],
  )
})

type Lie = readonly [code: string, write: (shop: Shop, scale: Signer) => void]

/** What a server may write into its records with all hashes right. */
const lies: Readonly<Record<string, Lie>> = {
  'other grams': [
    'signature_mismatch',
    (shop, scale) => appendWeighing(shop, BOX, scale.weighing(said(1)), { grams: 41_001 }),
  ],
  'of the catch': [
    'signature_mismatch',
    (shop, scale) => appendWeighing(shop, BOX, scale.weighing(said(1)), { of: 'catch' }),
  ],
  'another scale': [
    'signature_mismatch',
    (shop, scale) => appendWeighing(shop, BOX, scale.weighing(said(1)), { scale: 'Scale 2' }),
  ],
  'one more member': [
    'signature_mismatch',
    (shop, scale) => appendWeighing(shop, BOX, scale.weighing(said(1)), { note: '' }),
  ],
  'another box': [
    'signature_mismatch',
    (shop, scale) => appendWeighing(shop, BOX, scale.weighing(said(1, { box: 'B-2' }))),
  ],
  'another time': [
    'signature_mismatch',
    (shop, scale) => {
      const { data } = weightOf(scale.weighing(said(1)))
      shop.append(BOX, 'weight', data)
    },
  ],
  'another key': [
    'signature_mismatch',
    (shop, scale) =>
      appendWeighing(shop, BOX, new Signer().cose(encode(weighingPackOf(said(1))), scale.header(FIRST))),
  ],
  'no statement': [
    'signature_mismatch',
    (shop) => shop.append(BOX, 'weight', { of: 'box', grams: 1, weighed: null }),
  ],
  'a reading': [
    'signature_mismatch',
    (shop, scale) => {
      const { signed } = coseData(
        scale.logger({ box: BOX, counter: 1, readings: [{ timeS: START_S, temperature: 1 }] }),
      )
      shop.append(BOX, 'weight', { of: 'box', grams: 1, weighed: signed ?? null })
    },
  ],
  'the same statement twice': [
    'counter_repeated',
    (shop, scale) => {
      const bytes = scale.weighing(said(1))
      appendWeighing(shop, BOX, bytes)
      appendWeighing(shop, BOX, bytes)
    },
  ],
  'a counter for two statements': [
    'counter_repeated',
    (shop, scale) => {
      appendWeighing(shop, BOX, scale.weighing(said(1)))
      appendWeighing(shop, BOX, scale.weighing(said(1, { grams: 40_000 })))
    },
  ],
  'two that go on from one': [
    'chain_forked',
    (shop, scale) => {
      const first = scale.weighing(said(1))
      const prev = readCoseWeighing(first).hash
      for (const bytes of [first, scale.scale({ ...said(2), prev }), scale.scale({ ...said(3), prev })])
        appendWeighing(shop, BOX, bytes)
    },
  ],
}

function weightOf(bytes: Uint8Array) {
  const shop = new Shop()
  appendWeighing(shop, BOX, bytes)
  return shop.histories.get(BOX)?.[0] ?? assert.fail()
}

for (const [name, [code, write]] of Object.entries(lies))
  test(`broken: the record of a weight with ${name}`, async () => {
    const scale = new Signer()
    const shop = shopWith(scale)
    write(shop, scale)
    shop.anchor()
    const { verdict, words, reasons, balance } = await check(shop, withDevices(shop, scale))
    assert.deepEqual([verdict, reasons.map((reason) => reason.code)], ['broken', [code]])
    assert.deepEqual([words, balance], ['A record is not what its device signed.', undefined])
  })

test('the key of a gateway weighs nothing, nor one before its first day or after its revocation', async () => {
  for (const [level, from, isRevoked] of [
    ['gateway', LONG_AGO, false],
    ['sensor', '2026-11-30T00:00:00Z', false],
    ['sensor', LONG_AGO, true],
  ] as const) {
    const scale = new Signer()
    const shop = shopWith(scale, level, from)
    if (isRevoked)
      shop.append(registerBoxOf(scale.id), 'device', scale.entry(level, from, '2026-11-21T01:00:00Z'))
    shop.anchor()
    appendWeighing(shop, BOX, scale.weighing(said(1)))
    shop.anchor()
    const { verdict, reasons } = await check(shop, withDevices(shop, scale))
    assert.deepEqual(
      [verdict, reasons[0]?.code],
      ['broken', 'key_not_valid'],
      `${level} ${from} ${isRevoked}`,
    )
  }
})

test('a key that measures and weighs counts and follows each apart', async () => {
  const both = new Signer()
  const shop = shopWith(both)
  for (const counter of [1, 2]) {
    const readings = [{ timeS: START_S + counter, temperature: 1.5 }]
    shop.append(BOX, 'tracking', coseData(both.chained({ box: BOX, counter, readings })))
    appendWeighing(shop, BOX, both.weighing(said(counter)))
  }
  shop.append(BOX, 'seal')
  shop.anchor()
  const { verdict, statements, signatures, balance } = await check(shop, withDevices(shop, both))
  assert.deepEqual(
    [verdict, statements, signatures.sensor, balance?.signature?.state],
    ['verified', undefined, 2, 'good'],
  )
})

test('a weighing that is left out is missed: the grade is not the best', async () => {
  const scale = new Signer()
  const shop = shopWith(scale)
  for (const counter of [1, 2, 3, 4]) {
    const bytes = scale.weighing(said(counter))
    if (counter !== 3) appendWeighing(shop, BOX, bytes)
  }
  shop.append(BOX, 'seal')
  shop.anchor()
  const { verdict, statements } = await check(shop, withDevices(shop, scale))
  assert.deepEqual([verdict, statements?.lacking, statements?.missing[0]?.count], ['verified', true, 1])
  assert.match(statements?.words ?? '', /^1 statement of this scale is missing between /)
})

test('what is weighed is no weight in a record of another kind, or in a correction', async () => {
  const shop = new Shop()
  shop.append(BOX, 'catch', { weighed: 'yesterday' })
  shop.append(BOX, 'weight', { of: 'box', grams: 5 })
  shop.append(BOX, 'correction', { corrects: 2, data: { of: 'box', grams: 6, weighed: {} } })
  shop.anchor()
  const { verdict, balance } = await check(shop, shop.bundleOf(BOX))
  assert.deepEqual([verdict, balance?.total, balance?.signature], ['verified', 6, undefined])
})

test('no bit of a statement can be turned', async () => {
  const scale = new Signer()
  const bytes = scale.weighing(said(1))
  const verdictOf = async (spoilt: Uint8Array): Promise<string> => {
    const shop = shopWith(scale)
    const { data, at } = weightOf(bytes)
    const hex = Buffer.from(spoilt).toString('hex')
    shop.append(BOX, 'weight', { ...data, weighed: { form: 'cose', key: scale.id, bytes: hex } }, at)
    shop.anchor()
    return (await check(shop, withDevices(shop, scale))).verdict
  }
  assert.equal(await verdictOf(bytes), 'verified')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const spoilt = bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
    assert.equal(await verdictOf(spoilt), 'broken', `bit ${bit & 7} of byte ${bit >> 3}`)
  }
})

test('the weights of the known answers are found as they say', async () => {
  const {
    key,
    keyId: id,
    weights,
  } = JSON.parse(readFileSync(new URL('../../vectors/signed.json', import.meta.url), 'utf8'))
  const box = '0345579444'
  for (const { at, data, finding } of weights) {
    const shop = new Shop()
    const entry = { id, key, level: 'sensor', name: 'A scale', validFrom: LONG_AGO, revokedAt: null }
    shop.append(registerBoxOf(id), 'device', entry)
    shop.append(box, 'weight', data, at)
    shop.anchor()
    const { verdict, records } = await check(shop, {
      ...shop.bundleOf(box),
      devices: [shop.bundleOf(registerBoxOf(id))],
    })
    const wanted = finding === null ? ['verified', 'anchored'] : ['broken', finding]
    assert.deepEqual([verdict, records[0]?.code], wanted, JSON.stringify(data))
  }
  assert.ok(weights.length > 5)
})
