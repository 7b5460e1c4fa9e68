import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { encode } from 'cborg'
import { verifyEd25519 } from '#signatures'
import { chanceOf } from '../testing/chance.ts'
import { readCoseStatement } from './cose-statement.ts'
import { enrolMessage, keyIdOf } from './device-register.ts'
import { verifyEd25519 as verifyInBrowser } from './signatures.ts'
import { Signer, senmlOf } from './signer.ts'
import { jcsStatementText, readJcsStatement, type Statement } from './statement.ts'

const logger = new Signer()
const about = {
  box: '0345579444',
  counter: 41,
  battery: 87,
  readings: [
    { timeS: 1_795_222_800, temperature: 1.5 },
    { timeS: 1_795_222_860.25, temperature: -0.25, place: [-33.5, 151.25] as const },
  ],
}

const known = JSON.parse(readFileSync(new URL('../../vectors/signed.json', import.meta.url), 'utf8'))
const unhex = (hex: string): Uint8Array => Buffer.from(hex, 'hex')

test('what another program encoded and signed is read and found good, in Node and as browsers do it', async () => {
  const key = unhex(known.key)
  assert.equal(keyIdOf(key), known.keyId)
  const { message, signature, hash: _, ...said } = readCoseStatement(unhex(known.cose))
  const iotID = 'urn:dev:mac:0024befffe804ff1'
  assert.deepEqual(said, {
    key: known.keyId,
    counter: 41,
    box: '0345579444',
    battery: 87,
    prev: null,
    readings: [
      { time: '2026-11-21T01:00:00.000Z', latitude: 0, longitude: 0, iotID, temperature: 1.5 },
      { time: '2026-11-21T01:01:00.250Z', latitude: -33.5, longitude: 151.25, iotID, temperature: -0.25 },
    ],
  })
  const jcs = readJcsStatement(known.jcs.text, unhex(known.jcs.signature))
  const { nonce, signature: proof } = known.enrolment
  const signed: [Uint8Array, Uint8Array][] = [
    [message, signature],
    [jcs.message, jcs.signature],
    [enrolMessage(unhex(nonce), known.keyId), unhex(proof)],
  ]
  for (const [text, by] of signed) {
    assert.equal(await verifyEd25519(key, text, by), true)
    assert.equal(await verifyInBrowser(key, text, by), true)
    assert.equal(await verifyInBrowser(logger.publicKey, text, by), false)
  }
})

test('browsers read a key once, however much it signed, and one that is none each time', async (t) => {
  const read = t.mock.method(crypto.subtle, 'importKey')
  const signer = new Signer()
  const bytes = Buffer.from('what was signed')
  for (let i = 0; i < 3; i++)
    assert.equal(await verifyInBrowser(signer.publicKey, bytes, signer.sign(bytes)), true)
  assert.equal(read.mock.callCount(), 1)
  for (let i = 0; i < 2; i++)
    assert.equal(await verifyInBrowser(unhex('00'), bytes, signer.sign(bytes)), undefined)
  assert.equal(await verifyInBrowser(new Signer().publicKey, bytes, signer.sign(bytes)), false)
})

test('a time is rounded by the exact value of its double', () => {
  const exactMs = (seconds: number): number => {
    const scale = 2n ** 40n // the fraction of a double of this size has fewer bits
    const scaled = BigInt(Math.floor(seconds)) * scale + BigInt((seconds - Math.floor(seconds)) * 2 ** 40)
    return Number((scaled * 1_000n + scale / 2n) / scale)
  }
  const chance = chanceOf(7)
  const seconds = [1_795_200_000.0005, 1_795_200_000.0015, 1_795_200_000.0025, 300_000_000.0005]
  for (let i = 0; i < 2_000; i++) {
    const whole = 2 ** 28 + chance(4_000_000_000)
    seconds.push(whole + chance(1_000_000) / 1_000_000, whole + (chance(1_000) + 0.5) / 1_000)
  }
  for (const timeS of seconds) {
    const bytes = logger.logger({ ...about, readings: [{ timeS, temperature: 1 }] })
    const [reading] = readCoseStatement(bytes).readings
    assert.equal(reading?.time, new Date(exactMs(timeS)).toISOString(), String(timeS))
  }
})

/** A statement whose signature holds; undefined for anything else. */
async function believed(read: () => Statement): Promise<Statement | undefined> {
  try {
    const statement = read()
    const { message, signature } = statement
    return (await verifyEd25519(logger.publicKey, message, signature)) ? statement : undefined
  } catch {
    return undefined
  }
}

test('10,000 mutations of a logger’s message: none is believed', async () => {
  const chance = chanceOf(11)
  const bytes = logger.logger(about)
  assert.ok(await believed(() => readCoseStatement(bytes)))
  for (let i = 0; i < 10_000; i++) {
    const at = chance(bytes.length)
    const other = [
      () => bytes.with(at, (bytes[at] ?? 0) ^ (1 << chance(8))),
      () => new Uint8Array([...bytes.slice(0, at), ...bytes.slice(at + 1)]),
      () => new Uint8Array([...bytes.slice(0, at), chance(256), ...bytes.slice(at)]),
      () => bytes.slice(0, at),
    ][i % 4]?.()
    assert.ok(other)
    assert.equal(
      await believed(() => readCoseStatement(other)),
      undefined,
      Buffer.from(other).toString('hex'),
    )
  }
})

test('2,000 mutations of a phone’s reading: none is believed', async () => {
  const chance = chanceOf(12)
  const reading = {
    time: '2026-11-21 12:00:00',
    latitude: -33.5,
    longitude: 151.25,
    iotID: 'P',
    temperature: 1.5,
  }
  const text = jcsStatementText(reading, { key: logger.id, counter: 3, box: 'A-1', battery: 60 })
  const signature = logger.sign(Buffer.from(text))
  assert.ok(await believed(() => readJcsStatement(text, signature)))
  for (let i = 0; i < 2_000; i++) {
    const at = chance(text.length)
    const character = String.fromCharCode(32 + chance(95))
    const cut = i % 2
    if (cut === 1 && text[at] === character) continue
    const other = text.slice(0, at) + character + text.slice(at + cut)
    if (other === text) continue
    assert.equal(await believed(() => readJcsStatement(other, signature)), undefined, other)
  }
})

const pack = (change: (records: Map<number, unknown>[]) => unknown): Uint8Array =>
  logger.cose(encode(change(senmlOf(about) as Map<number, unknown>[])))

/** The message with one more entry; and with some labels of its first, which holds the base values and the box. */
const withEntry = (...entry: [number, unknown][]): Uint8Array =>
  pack((records) => [...records, new Map(entry)])
const withFirst = (...more: [number, unknown][]): Uint8Array =>
  pack((records) => records.map((one, i) => (i === 0 ? new Map([...one, ...more]) : one)))

const signedBadly: readonly [name: string, bytes: () => Uint8Array, wanted: RegExp][] = [
  ['too long', () => new Uint8Array(4_097), /too long/],
  ['nothing', () => new Uint8Array(), /CBOR/],
  ['nested 4,000 deep', () => new Uint8Array(4_000).fill(0x81), /CBOR/],
  ['a list said to have 2^32 items', () => new Uint8Array([0x9a, 0xff, 0xff, 0xff, 0xff]), /CBOR/],
  ['bytes said to be 2^53 long', () => Uint8Array.of(0x5b, 0, 0x20, 0, 0, 0, 0, 0, 0), /CBOR/],
  ['no COSE_Sign1', () => encode(senmlOf(about)), /COSE_Sign1/],
  [
    'another algorithm',
    () => logger.cose(encode(senmlOf(about)), [[1, -7], ...logger.header().slice(1)]),
    /EdDSA/,
  ],
  [
    'another content type',
    () => logger.cose(encode(senmlOf(about)), [[1, -8], [3, 60], logger.header()[2] ?? [4, 0]]),
    /SenML/,
  ],
  ['no key id', () => logger.cose(encode(senmlOf(about)), logger.header().slice(0, 2)), /key id/],
  [
    'one more label in the header',
    () => logger.cose(encode(senmlOf(about)), [...logger.header('00'.repeat(32)), [5, 0]]),
    /nothing else/,
  ],
  ['a payload that is no list', () => logger.cose(encode(7)), /list/],
  [
    '17 temperatures',
    () =>
      logger.logger({
        ...about,
        readings: Array.from({ length: 17 }, (_, i) => ({ timeS: 1_795_222_800 + i, temperature: 1 })),
      }),
    /1 to 16/,
  ],
  [
    'two temperatures of one time',
    () =>
      logger.logger({
        ...about,
        readings: [about.readings[0], about.readings[0]].flatMap((one) => one ?? []),
      }),
    /another time/,
  ],
  [
    '−300 °C',
    () => logger.logger({ ...about, readings: [{ timeS: 1_795_222_800, temperature: -300 }] }),
    /from -60 to 60/,
  ],
  [
    'NaN',
    () => logger.logger({ ...about, readings: [{ timeS: 1_795_222_800, temperature: Number.NaN }] }),
    /NaN/,
  ],
  [
    'a time relative to now',
    () => logger.logger({ ...about, readings: [{ timeS: 12, temperature: 1 }] }),
    /since 1970/,
  ],
  [
    'the year 10000',
    () => logger.logger({ ...about, readings: [{ timeS: 253_402_300_800, temperature: 1 }] }),
    /since 1970/,
  ],
  ['a counter below 0', () => logger.logger({ ...about, counter: -1 }), /from 0/],
  ['a counter that is no whole number', () => logger.logger({ ...about, counter: 1.5 }), /whole/],
  ['a name that is no sensor’s', () => logger.logger({ ...about, sensor: 'fridge' }), /named like/],
  [
    'Kelvin',
    () =>
      pack((records) => records.map((one) => (one.get(0) === 'temp' ? new Map([...one, [1, 'K']]) : one))),
    /Cel/,
  ],
  [
    'text for a number',
    () =>
      pack((records) => records.map((one) => (one.get(0) === 'temp' ? new Map([...one, [2, '1.5']]) : one))),
    /number/,
  ],
  ['two boxes', () => withEntry([0, 'box'], [3, 'B']), /box once/],
  ['no box', () => withFirst([0, 'bat']), /box once|must have bat/],
  ['another sensor', () => withEntry([0, 'x_temp']), /named like/],
  ['half a position', () => pack((records) => records.slice(0, -1)), /half/],
  [
    'a position of no temperature',
    () => withEntry([0, 'lat'], [1, 'lat'], [2, 1], [6, 5]),
    /position without/,
  ],
  ['humidity, which nobody shows', () => withEntry([0, 'hum'], [1, '%RH'], [2, 1]), /one of/],
  ['a base value later on', () => withEntry([-4, 'Cel'], [0, 'temp'], [2, 1], [6, 9]), /label/],
  ['null for a unit', () => withEntry([0, 'temp'], [1, null], [2, 1], [6, 9]), /label/],
  ['a box with a number', () => withFirst([2, 1]), /text alone/],
  ['a box with a unit of its own', () => withFirst([1, 'Cel']), /text alone/],
  ['a name in a list', () => withFirst([-2, ['urn:dev:mac:0024befffe804ff1_']]), /named like/],
]

for (const [name, bytes, wanted] of signedBadly)
  test(`a logger’s message is refused with its reason: ${name}`, () => {
    assert.throws(() => readCoseStatement(bytes()), { name: 'FormatError', message: wanted })
  })

test('a phone’s reading is refused when it is not canonical, or holds anything else', () => {
  const reading = { time: '2026-11-21 12:00:00', latitude: 0, longitude: 0, iotID: 'P', temperature: 1.5 }
  const text = jcsStatementText(reading, { key: logger.id, counter: 3, box: 'A-1' })
  const signature = new Uint8Array(64)
  const refused = (other: string, message: RegExp) =>
    assert.throws(() => readJcsStatement(other, signature), { name: 'FormatError', message })
  refused(text.replace('1.5', '1.50'), /canonical/)
  refused(text.replace('{', '{ '), /canonical/)
  refused(text.replace('{', '{"a":1,'), /not known/)
  refused(text.replace('"v":1', '"v":2'), /must be 1/)
  refused(text.replace('1.5', '-300'), /-60 to 60/)
  refused(text.replace('2026-11-21', '2026-11-31'), /RFC 3339/)
  refused(text.replace('"counter":3', '"counter":3.5'), /whole number/)
  refused(`[${'['.repeat(2_000)}`, /JSON/)
  refused(`"${'x'.repeat(5_000)}"`, /too long/)
})
