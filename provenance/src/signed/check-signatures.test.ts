import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { encode } from 'cborg'
import type { ProofBundle } from '../bundle.ts'
import { Shop } from '../testing/shop.ts'
import { coseData } from '../testing/signed-histories.ts'
import { verifyBundle } from '../verify.ts'
import { registerBoxOf, type SigningLevel } from './device-register.ts'
import { Signer, senmlOf } from './signer.ts'

const BOX = 'A-1'
/** What the vectors are about. */
const SIGNED_BOX = '0345579444'
const LONG_AGO = '2020-01-01T00:00:00Z'
/** The reading's time; records of the shop of tests are of November 2026. */
const START_S = 1_795_222_000

/** A shop whose register knows a logger. */
function shopWith(signer: Signer, level: SigningLevel = 'sensor', validFrom = LONG_AGO): Shop {
  const shop = new Shop()
  shop.append(BOX, 'registration')
  shop.append(registerBoxOf(signer.id), 'device', signer.entry(level, validFrom))
  shop.anchor()
  return shop
}

const message = (counter: number, box = BOX) => ({
  box,
  counter,
  readings: [
    { timeS: START_S, temperature: 1.5 },
    { timeS: START_S + 60, temperature: 1.75, place: [-33.5, 151.25] as const },
  ],
})

const withDevices = (shop: Shop, ...signers: readonly Signer[]): ProofBundle => ({
  ...shop.bundleOf(BOX),
  devices: signers.map(({ id }) => shop.bundleOf(registerBoxOf(id))),
})

const check = (shop: Shop, bundle: unknown) => verifyBundle(bundle, shop.ledger())

test('readings of a logger and of a gateway are confirmed by the keys that the ledger knows', async () => {
  const [logger, phone] = [new Signer(), new Signer()]
  const shop = shopWith(logger)
  shop.append(registerBoxOf(phone.id), 'device', phone.entry('gateway', LONG_AGO))
  const bytes = logger.logger(message(1))
  shop.append(BOX, 'tracking', coseData(bytes, 0))
  shop.append(BOX, 'tracking', coseData(bytes, 1))
  const reading = { time: '2026-11-21 01:00:00', latitude: 0, longitude: 0, iotID: 'P-1', temperature: 2.1 }
  const signed = phone.jcsMark(reading, { box: BOX, counter: 7 })
  shop.append(BOX, 'tracking', { ...reading, signed })
  shop.append(BOX, 'tracking', reading)
  shop.anchor()
  const result = await check(shop, withDevices(shop, logger, phone))
  assert.equal(result.verdict, 'verified')
  assert.deepEqual(result.signatures, { sensor: 2, gateway: 1, unconfirmed: 0 })
  assert.deepEqual(
    result.records.map(({ signature }) => signature?.state),
    [undefined, 'good', 'good', 'good', undefined],
  )
})

test('statements may come in any order: each counter, and each place of a statement, counts once', async () => {
  const logger = new Signer()
  const shop = shopWith(logger)
  for (const [counter, place] of [
    [8, 1],
    [3, 0],
    [8, 0],
    [7, 0],
    [3, 1],
  ] as const)
    shop.append(BOX, 'tracking', coseData(logger.logger(message(counter)), place))
  shop.anchor()
  const result = await check(shop, withDevices(shop, logger))
  assert.deepEqual([result.verdict, result.signatures.sensor], ['verified', 5])
})

test('without the register, or before the ledger has it, a signature is not confirmed and nothing is broken', async () => {
  const logger = new Signer()
  const shop = shopWith(logger)
  shop.append(BOX, 'tracking', coseData(logger.logger(message(1))))
  const states = async (bundle: ProofBundle) => {
    const { verdict, signatures, records } = await check(shop, bundle)
    return [verdict, signatures.unconfirmed, records[1]?.signature?.state]
  }
  assert.deepEqual(await states(withDevices(shop, logger)), ['verified-up-to', 1, 'pending'])
  shop.anchor()
  assert.deepEqual(await states(shop.bundleOf(BOX)), ['verified', 1, 'unproven'])
  assert.deepEqual(await states(withDevices(shop, logger)), ['verified', 0, 'good'])
})

/** What a server may write into its records with all hashes right. */
const lies: readonly [name: string, code: string, write: (shop: Shop, logger: Signer) => void][] = [
  [
    'another temperature',
    'signature_mismatch',
    (shop, logger) =>
      shop.append(BOX, 'tracking', { ...coseData(logger.logger(message(1))), temperature: 0.5 }),
  ],
  [
    'one more field',
    'signature_mismatch',
    (shop, logger) => shop.append(BOX, 'tracking', { ...coseData(logger.logger(message(1))), humidity: 50 }),
  ],
  [
    'another box',
    'signature_mismatch',
    (shop, logger) => shop.append(BOX, 'tracking', coseData(logger.logger(message(1, 'B-2')))),
  ],
  [
    'no reading',
    'signature_mismatch',
    (shop, logger) => shop.append(BOX, 'catch', coseData(logger.logger(message(1)))),
  ],
  [
    'a signature of another key',
    'signature_mismatch',
    (shop, logger) => {
      const bytes = new Signer().cose(encode(senmlOf(message(1))), logger.header())
      shop.append(BOX, 'tracking', coseData(bytes))
    },
  ],
  [
    'the same reading twice',
    'counter_repeated',
    (shop, logger) => {
      const data = coseData(logger.logger(message(1)))
      shop.append(BOX, 'tracking', data)
      shop.append(BOX, 'tracking', data)
    },
  ],
  [
    'a counter for something else',
    'counter_repeated',
    (shop, logger) => {
      const { readings, ...about } = message(7)
      shop.append(BOX, 'tracking', coseData(logger.logger(message(7))))
      shop.append(BOX, 'tracking', coseData(logger.logger(message(8))))
      shop.append(BOX, 'tracking', coseData(logger.logger({ ...about, readings: readings.slice(0, 1) }), 0))
    },
  ],
  [
    'a higher level than the register says',
    'key_not_valid',
    (shop, logger) => shop.append(BOX, 'tracking', coseData(logger.logger(message(1)), 0, 'gateway')),
  ],
]

for (const [name, code, write] of lies)
  test(`a record that is not what was signed breaks the box: ${name}`, async () => {
    const logger = new Signer()
    const shop = shopWith(logger)
    write(shop, logger)
    shop.anchor()
    const result = await check(shop, withDevices(shop, logger))
    assert.equal(result.verdict, 'broken')
    assert.deepEqual(
      result.reasons.map((reason) => reason.code),
      [code],
    )
    assert.equal(result.records.at(-1)?.code, code)
    assert.equal(result.signatures.sensor, result.records.length - 2)
  })

test('a record says when it was in the words that were signed, and in no others', async () => {
  const text = await readFile(new URL('../../vectors/signed.json', import.meta.url), 'utf8')
  const { key, keyId, records } = JSON.parse(text)
  const entry = { id: keyId, key, level: 'gateway', name: 'Logger', validFrom: LONG_AGO, revokedAt: null }
  for (const { at, data, finding } of records) {
    const shop = new Shop()
    shop.append(SIGNED_BOX, 'registration')
    shop.append(registerBoxOf(keyId), 'device', entry)
    shop.anchor()
    const record = shop.append(SIGNED_BOX, 'tracking', data)
    shop.histories.set(SIGNED_BOX, [
      ...(shop.histories.get(SIGNED_BOX) ?? []).slice(0, -1),
      { ...record, at },
    ])
    shop.anchor()
    const bundle = { ...shop.bundleOf(SIGNED_BOX), devices: [shop.bundleOf(registerBoxOf(keyId))] }
    const { verdict, records: found } = await check(shop, bundle)
    const last = found.at(-1)
    assert.deepEqual(
      [verdict, last?.code],
      finding === null ? ['verified', 'anchored'] : ['broken', finding],
      at,
    )
    assert.equal(last?.signature?.state, finding === null ? 'good' : undefined)
  }
})

test('a key counts from its first day until the anchor that holds its revocation', async () => {
  const [early, late] = [new Signer(), new Signer()]
  const shop = shopWith(early, 'sensor', '2026-11-30T00:00:00Z')
  shop.append(registerBoxOf(late.id), 'device', late.entry('sensor', LONG_AGO))
  shop.append(BOX, 'tracking', coseData(late.logger(message(1))))
  shop.append(registerBoxOf(late.id), 'device', late.entry('sensor', LONG_AGO, '2026-11-21T01:00:00Z'))
  shop.anchor()
  const before = await check(shop, withDevices(shop, late))
  assert.deepEqual([before.verdict, before.signatures.sensor], ['verified', 1])
  shop.append(BOX, 'tracking', coseData(late.logger(message(2))))
  shop.append(BOX, 'tracking', coseData(early.logger(message(1))))
  shop.anchor()
  const { records, verdict } = await check(shop, withDevices(shop, late, early))
  assert.equal(verdict, 'broken')
  assert.deepEqual(
    records.slice(1).map(({ code }) => code),
    ['anchored', 'key_not_valid', 'key_not_valid'],
  )
})

test('a register that is not the ledger’s, or is another’s, proves nothing', async () => {
  const [logger, other] = [new Signer(), new Signer()]
  const shop = shopWith(logger)
  shop.append(BOX, 'tracking', coseData(logger.logger(message(1))))
  shop.anchor()
  const { devices: [register] = [], ...bundle } = withDevices(shop, logger)
  assert.ok(register)
  const forged = { ...register, records: [{ ...register.records[0], data: other.entry('sensor', LONG_AGO) }] }
  const { verdict, reasons } = await check(shop, { ...bundle, devices: [forged] })
  assert.deepEqual([verdict, reasons[0]?.code], ['broken', 'key_not_valid'])
  const twice = await check(shop, { ...bundle, devices: [register, register] })
  assert.equal(twice.reasons[0]?.code, 'malformed')
  const nested = await check(shop, { ...bundle, devices: [{ ...register, devices: [register] }] })
  assert.equal(nested.reasons[0]?.code, 'malformed')
})

test('registers beside records of which none is signed are refused', async () => {
  const logger = new Signer()
  const shop = shopWith(logger)
  const { reasons } = await check(shop, withDevices(shop, logger))
  assert.deepEqual(
    [reasons[0]?.code, reasons[0]?.detail],
    ['malformed', '$.devices: must not stand where nothing is signed'],
  )
})
