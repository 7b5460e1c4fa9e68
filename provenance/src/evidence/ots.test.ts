import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { hashOf, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { Calendar } from '../testing/calendar.ts'
import {
  attestationsIn,
  otsFile,
  parseBlocks,
  parseCalendarAnswer,
  parseHeader,
  parseOts,
  proofBytes,
  together,
  upgraded,
} from './ots.ts'

const DIGEST = hashOf(utf8('fish.example/befaqt/log\n3\n'))

/** Two promises of one hash, and what became of the first. */
function proofs() {
  const [first, second] = [new Calendar(), new Calendar()]
  first.url = 'https://one.example'
  second.url = 'https://two.example/calendar'
  const pending = together(first.promise(DIGEST), second.promise(DIGEST))
  const twin = new Calendar()
  twin.url = first.url
  twin.names = 'https://twin.example'
  const alike = together(pending, twin.promise(DIGEST))
  first.mine(358_391)
  const [at] = attestationsIn(pending)
  assert.ok(at)
  return { first, pending, alike, at: at.message }
}

/** The genesis block of Bitcoin, and its hash, as everybody knows them. */
const GENESIS = `0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c`
const GENESIS_HASH = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'

/** What a calendar answers of a message that is in a block. */
const answerOf = (calendar: Calendar, message: Uint8Array): Uint8Array => proofBytes(calendar.done(message))

test('a proof is read as it was written, a promise is replaced by a block, and the other stays', () => {
  const { first, pending, at } = proofs()
  const file = otsFile(pending)
  assert.deepEqual(parseOts(file), pending)
  const now = parseCalendarAnswer(answerOf(first, at), at)
  const complete = upgraded(pending, first.url, now)
  assert.deepEqual(
    attestationsIn(parseOts(otsFile(complete))).map(({ attestation }) => attestation),
    [
      { kind: 'bitcoin', height: 358_391 },
      { kind: 'pending', uri: 'https://two.example/calendar' },
    ],
  )
  const header = parseHeader(first.blocks.get(358_391) ?? '')
  assert.deepEqual([...(attestationsIn(complete)[0]?.message ?? [])], [...header.merkleRoot])
  assert.deepEqual(upgraded(pending, 'https://three.example', now), pending, 'a promise that nobody made')
})

test('two proofs that begin alike have what they share once', () => {
  const { alike } = proofs()
  assert.equal(alike.steps.length, 2)
  assert.equal(attestationsIn(alike).length, 3)
  assert.deepEqual(parseOts(otsFile(alike)), alike)
  const twice = { ...alike, steps: [...alike.steps, ...alike.steps] }
  assert.throws(() => parseOts(otsFile(twice)), /has one operation twice/)
})

test('a header of a block is read as everybody knows it, and a file of them strictly', () => {
  const { hash, timeS } = parseHeader(GENESIS)
  assert.deepEqual([hash, timeS], [GENESIS_HASH, 1_231_006_505])
  assert.deepEqual([...parseBlocks(Buffer.from(`0 ${GENESIS}\n`)).keys()], [0])
  for (const wrong of [GENESIS, `x ${GENESIS}`, `0 ${GENESIS.slice(2)}`, `0 ${GENESIS.replace('01', 'zz')}`])
    assert.throws(() => parseBlocks(Buffer.from(wrong)), FormatError, wrong)
})

test('no changed bit of a proof leads to the block that attests it', () => {
  const { first, pending, at } = proofs()
  const file = otsFile(upgraded(pending, first.url, parseCalendarAnswer(answerOf(first, at), at)))
  const blocks = new Map([...first.blocks].map(([height, hex]) => [height, parseHeader(hex)]))
  const isProven = (bytes: Uint8Array): boolean => {
    const proof = parseOts(bytes)
    if (Buffer.compare(proof.message, DIGEST) !== 0) return false
    return attestationsIn(proof).some(
      ({ message, attestation }) =>
        attestation.kind === 'bitcoin' &&
        Buffer.compare(blocks.get(attestation.height)?.merkleRoot ?? new Uint8Array(), message) === 0,
    )
  }
  assert.equal(isProven(file), true)
  // What another calendar only promised is no part of the proof
  const end = file.length - proofBytes({ ...pending, attestations: [], steps: pending.steps.slice(1) }).length
  let read = 0
  for (let bit = 0; bit < end * 8; bit++) {
    const changed = Uint8Array.from(file)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    try {
      assert.equal(isProven(changed), false, `bit ${bit}`)
      read += 1
    } catch (error) {
      assert.ok(error instanceof FormatError, `bit ${bit}: ${error}`)
    }
  }
  assert.ok(read > 0, 'some are read, and prove nothing')
  for (let length = 0; length < file.length; length++)
    assert.throws(() => parseOts(file.subarray(0, length)), FormatError)
  assert.throws(() => parseOts(Uint8Array.of(...file, 0)), /followed by something else/)
})

test('what has no end, is too deep or too long, or is not known is refused', () => {
  const read =
    (...bytes: number[]) =>
    () =>
      parseCalendarAnswer(Uint8Array.from(bytes), DIGEST)
  const deep = Array.from({ length: 300 }, () => 0x08)
  for (const [bytes, words] of [
    [deep, /more than 256 operations in a row/],
    [
      Array.from({ length: 5_000 }, () => [0xff, 0x00, ...Array.from({ length: 8 }, () => 1), 0]).flat(),
      /over 10000/,
    ],
    [[0xf0, 0x00], /nothing where something/],
    [[0xf0, 0x81, 0x00, 1], /could be shorter/],
    [[0xf0, 0xff, 0xff, 0xff, 0xff, 0xff], /a number over 4096/],
    [[0x67], /not known: 103/],
    [[0xff], /ends too early/],
    [[0x00, ...Buffer.from('83dfe30d2ef90c8e', 'hex'), 0x05, 0x04, ...Buffer.from('a://')], /by no address/],
    [[0x00, ...Buffer.from('0588960d73d71901', 'hex'), 0x02, 0x01, 0x01], /followed by something else/],
  ] as const)
    assert.throws(read(...bytes), (error: Error) => error instanceof FormatError && words.test(error.message))
})

/** The implementation that the format comes from, as Debian has it. */
const PYTHON = `
import sys
from opentimestamps.core.timestamp import DetachedTimestampFile
from opentimestamps.core.serialize import BytesDeserializationContext, BytesSerializationContext
for line in sys.stdin:
    one = DetachedTimestampFile.deserialize(BytesDeserializationContext(bytes.fromhex(line)))
    print(one.file_digest.hex(), ' '.join(sorted(repr(a) + '@' + m.hex() for m, a in one.timestamp.all_attestations())), sep='|')
`
const python = '/usr/bin/python3'
const hasReference = spawnSync(python, ['-c', 'import opentimestamps']).status === 0

test('the reference implementation reads the same in what we write', {
  skip: hasReference ? false : 'python3-opentimestamps is not here',
}, () => {
  const { first, pending, alike, at } = proofs()
  const complete = upgraded(pending, first.url, parseCalendarAnswer(answerOf(first, at), at))
  const input = [pending, alike, complete]
    .map((proof) => `${Buffer.from(otsFile(proof)).toString('hex')}\n`)
    .join('')
  const { stdout, stderr } = spawnSync(python, ['-c', PYTHON], { input, encoding: 'utf8' })
  assert.equal(stderr, '')
  const expected = [pending, alike, complete].map((proof) => {
    const all = attestationsIn(proof).map(({ message, attestation }) => {
      const shown =
        attestation.kind === 'bitcoin'
          ? `BitcoinBlockHeaderAttestation(${attestation.height})`
          : `PendingAttestation('${attestation.kind === 'pending' ? attestation.uri : ''}')`
      return `${shown}@${Buffer.from(message).toString('hex')}`
    })
    return `${Buffer.from(DIGEST).toString('hex')}|${all.toSorted().join(' ')}\n`
  })
  assert.equal(stdout, expected.join(''))
})
