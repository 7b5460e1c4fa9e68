import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { verifyEd25519 } from '#signatures'
import type { JsonObject } from '../canonical.ts'
import { Shop } from '../testing/shop.ts'
import { coseData, THREE_DAYS_BEFORE_S as START_S } from '../testing/signed-histories.ts'
import { verifyBundle } from '../verify.ts'
import { readCoseStatement } from './cose-statement.ts'
import { registerBoxOf } from './device-register.ts'
import { type Message, Signer } from './signer.ts'
import { FIRST, readJcsStatement } from './statement.ts'

const BOX = 'A-1'
const MINUTES = 10

/** A logger's message: the i-th, ten minutes after the one before. */
const message = (i: number, counter = i): Message => ({
  box: BOX,
  counter,
  readings: [{ timeS: START_S + i * MINUTES * 60, temperature: 1.5 }],
})

/** What is found of a box with these readings; `end`: what comes after them. */
async function found(
  signers: readonly Signer[],
  readings: readonly JsonObject[],
  end: (shop: Shop) => void = () => {},
) {
  const shop = new Shop()
  shop.append(BOX, 'registration')
  for (const signer of signers)
    shop.append(registerBoxOf(signer.id), 'device', signer.entry('sensor', '2020-01-01T00:00:00Z'))
  shop.anchor()
  for (const data of readings) shop.append(BOX, 'tracking', data)
  end(shop)
  shop.anchor()
  const devices = signers.map(({ id }) => shop.bundleOf(registerBoxOf(id)))
  return verifyBundle({ ...shop.bundleOf(BOX), devices }, shop.ledger())
}

/** Ten statements of one logger, as records. */
function ten(logger = new Signer()) {
  return { logger, data: Array.from({ length: 10 }, (_, i) => coseData(logger.chained(message(i + 1)))) }
}

test('a chain that is whole says nothing of itself, in whatever order it came', async () => {
  const { logger, data } = ten()
  for (const order of [data, data.toReversed(), [...data.slice(4), ...data.slice(0, 4)]]) {
    const { verdict, signatures, statements } = await found([logger], order)
    assert.deepEqual([verdict, signatures.sensor, statements], ['verified', 10, undefined])
  }
})

test('what is left out in the middle is named, with how many and between when', async () => {
  const { logger, data } = ten()
  const { verdict, statements } = await found([logger], [...data.slice(0, 2), ...data.slice(8)])
  assert.equal(verdict, 'verified')
  const [after, before] = [data[1]?.time, data[8]?.time]
  assert.deepEqual(statements?.missing, [{ key: logger.id, level: 'sensor', count: 6, after, before }])
  assert.equal(
    statements?.words,
    '6 statements of this sensor are missing between 8:20 and 9:30 am on 18 Nov.',
  )
  const first = await found([logger], data.slice(1))
  assert.equal(first.statements?.words, 'Statements of this sensor are missing before 8:20 am on 18 Nov.')
  const one = await found([logger], [...data.slice(0, 3), ...data.slice(4)])
  assert.match(one.statements?.words ?? '', /^1 statement of this sensor is missing between 8:30 and 8:50 am/)
})

test('what may still come is named after 24 hours, or when the box is sealed', async () => {
  const { logger, data } = ten()
  const lately = (i: number) => ({
    ...message(i),
    readings: [{ timeS: START_S + (71 + i / 6) * 3600, temperature: 1 }],
  })
  const late = [11, 12, 13].map((i) => coseData(logger.chained(lately(i))))
  const [eleventh, , last] = late
  assert.ok(eleventh && last)
  const shown = [...data, eleventh, last]
  assert.equal((await found([logger], shown)).statements, undefined)
  const sealed = await found([logger], shown, (shop) => shop.append(BOX, 'seal'))
  assert.deepEqual(
    sealed.statements?.missing.map(({ count }) => count),
    [1],
  )
})

test('a device that counts otherwise has what is missing named without a number', async () => {
  const logger = new Signer()
  const data = [3, 8, 20, 21].map((counter, i) => coseData(logger.chained(message(i + 1, counter))))
  const { statements } = await found([logger], data.toSpliced(2, 1))
  assert.equal(statements?.missing[0]?.count, null)
  assert.match(statements?.words ?? '', /^Statements of this sensor are missing between 8:20 and 8:40 am/)
})

test('a device that lost its state begins anew, which is said; with its state it goes on', async () => {
  const secret = new Signer()
  const before = [1, 2].map((i) => coseData(secret.chained(message(i))))
  const lost = coseData(secret.logger({ ...message(3), prev: FIRST }))
  const { verdict, statements } = await found([secret], [...before, lost])
  assert.deepEqual(
    [verdict, statements?.anew],
    ['verified', [{ key: secret.id, level: 'sensor', at: lost.time }]],
  )
  assert.match(statements?.words ?? '', /^This sensor began anew at 8:30 am on 18 Nov/)
  const kept = coseData(secret.chained(message(3)))
  assert.equal((await found([secret], [...before, kept])).statements, undefined)
})

test('statements of the older form are verified and said to be so; a chain may begin behind them', async () => {
  const logger = new Signer()
  const older = [1, 2].map((i) => coseData(logger.logger(message(i))))
  const chained = [3, 4].map((i) => coseData(logger.chained(message(i))))
  const { verdict, signatures, statements } = await found([logger], [...older, ...chained])
  assert.deepEqual([verdict, signatures.sensor, statements?.older], ['verified', 4, 2])
  assert.deepEqual([statements?.missing, statements?.anew], [[], []])
  assert.equal(
    statements?.words,
    '2 statements are of an older form, which does not show whether one was left out.',
  )
})

test('two statements that go on from one break the box; that two are first does not', async () => {
  const { logger, data } = ten()
  const prev = logger.heads.get(BOX) ?? ''
  const fork = [11, 12].map((i) => coseData(logger.logger({ ...message(i), prev })))
  const forked = await found([logger], [...data, ...fork])
  assert.deepEqual([forked.verdict, forked.reasons.map(({ code }) => code)], ['broken', ['chain_forked']])
  assert.deepEqual([forked.records.at(-1)?.code, forked.statements], ['chain_forked', undefined])
  const first = [11, 12].map((i) => coseData(logger.logger({ ...message(i), prev: FIRST })))
  assert.equal((await found([logger], [...data, ...first])).verdict, 'verified')
})

test('a statement that names one of a higher counter is a gap, and makes no fork of the true one', async () => {
  const logger = new Signer()
  const later = logger.chained(message(7))
  const prev = logger.heads.get(BOX) ?? ''
  const backward = logger.logger({ ...message(5), prev })
  const { verdict, statements } = await found(
    [logger],
    [later, backward, logger.chained(message(8))].map((bytes) => coseData(bytes)),
  )
  assert.deepEqual(
    [verdict, statements?.missing.length, statements?.missing[0]?.after],
    ['verified', 1, null],
  )
})

test('a reading that a shown statement holds and no record shows is counted', async () => {
  const logger = new Signer()
  const readings = [0, 60, 120].map((more) => ({ timeS: START_S + more, temperature: 2 + more }))
  const bytes = logger.chained({
    box: BOX,
    counter: 1,
    readings: readings.map((one) => ({ ...one, temperature: 2 })),
  })
  const { statements } = await found([logger], [coseData(bytes, 0), coseData(bytes, 2)])
  assert.deepEqual(
    [statements?.unshown, statements?.words],
    [1, '1 reading is missing of statements that are shown.'],
  )
})

test('chains of two devices are followed apart, and named apart', async () => {
  const [one, other] = [ten(), ten()]
  const mixed = one.data.flatMap((data, i) => [data, other.data[i] ?? {}])
  assert.equal((await found([one.logger, other.logger], mixed)).statements, undefined)
  const lacking = mixed.filter((data) => data !== other.data[4])
  const { statements } = await found([one.logger, other.logger], lacking)
  assert.deepEqual(
    statements?.missing.map(({ key, count }) => [key, count]),
    [[other.logger.id, 1]],
  )
  assert.match(statements?.words ?? '', new RegExp(`of the sensor ${other.logger.id.slice(0, 8)} is missing`))
})

test('a phone’s text names the one before by the hash of that text', () => {
  const phone = new Signer()
  const reading = { time: '2026-11-21 12:00:00', latitude: 0, longitude: 0, iotID: 'P', temperature: 1.5 }
  const first = phone.jcsMark(reading, { box: BOX, counter: 1, prev: FIRST })
  assert.ok(first.form === 'jcs')
  const { hash, prev } = readJcsStatement(first.text, Buffer.from(first.signature, 'hex'))
  assert.equal(prev, FIRST)
  const next = phone.jcsMark(reading, { box: BOX, counter: 2, prev: hash })
  assert.ok(next.form === 'jcs' && next.text.includes(`"prev":"${hash}"`))
  for (const wrong of ['', hash.slice(2), hash.toUpperCase(), `${hash}00`]) {
    const text = next.text.replace(hash, wrong)
    assert.throws(() => readJcsStatement(text, new Uint8Array(64)), /prev: must be 64 lower-case hex/)
  }
})

test('a logger’s header holds 32 bytes under −70001, or nothing there', () => {
  const logger = new Signer()
  const { prev, hash } = readCoseStatement(logger.chained(message(1)))
  assert.deepEqual([prev, hash], [FIRST, logger.heads.get(BOX)])
  assert.equal(readCoseStatement(logger.logger(message(1))).prev, null)
  for (const wrong of ['', '00', FIRST.slice(2), `${FIRST}00`])
    assert.throws(
      () => readCoseStatement(logger.logger({ ...message(1), prev: wrong })),
      /32 bytes under -70001/,
    )
})

test('chains that another program signed are read, each with the hash of the one before', async () => {
  const known = JSON.parse(readFileSync(new URL('../../vectors/signed.json', import.meta.url), 'utf8'))
  const unhex = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
  const { cose, jcs } = known.chains
  const chains = [
    cose.map(({ bytes }: { bytes: string }) => readCoseStatement(unhex(bytes))),
    jcs.map(({ text, signature }: Record<string, string>) =>
      readJcsStatement(text ?? '', unhex(signature ?? '')),
    ),
  ]
  for (const [i, chain] of chains.entries()) {
    const hashes: string[] = [cose, jcs][i].map(({ hash }: { hash: string }) => hash)
    assert.deepEqual(
      chain.map(({ prev, hash }: { prev: string; hash: string }) => [prev, hash]),
      [
        [FIRST, hashes[0]],
        [hashes[0], hashes[1]],
      ],
    )
    for (const { message, signature } of chain)
      assert.equal(await verifyEd25519(unhex(known.key), message, signature), true)
  }
})

test('the changed bit of a prev, in either form, is not believed', async () => {
  const signer = new Signer()
  const bytes = signer.chained(message(1))
  const at = Buffer.from(bytes).indexOf(Buffer.from(FIRST, 'hex'))
  for (let bit = 0; bit < 256; bit++) {
    const other = bytes.with(at + (bit >> 3), 1 << (bit & 7))
    const read = readCoseStatement(other)
    assert.notEqual(read.prev, FIRST)
    assert.equal(await verifyEd25519(signer.publicKey, read.message, read.signature), false)
  }
})
