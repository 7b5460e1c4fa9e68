import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromHex, hexOf, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import {
  type Checkpoint,
  checkpointText,
  digest,
  parseCheckpoint,
  parseProofFile,
  proofFileText,
} from './checkpoint.ts'
import {
  fromBase64,
  keyTypes,
  MAX_NOTE,
  noteOf,
  parseNote,
  parseVerifierKey,
  signatureLine,
  toBase64,
  verifierKey,
  verifierKeyText,
} from './note.ts'
import { keysOf, parsePolicy, witnessed } from './policy.ts'
import { cosign, openCheckpoint, type Signer, signCheckpoint } from './signed-checkpoint.ts'
import { parseEntryBundle, parseTilePath, tilePath } from './tree.ts'

const known: { keys: string[]; note: string; proof: string; policy: string } = JSON.parse(
  readFileSync(new URL('../../vectors/log.json', import.meta.url), 'utf8'),
)
const ORIGIN = 'fish.example/befaqt/log'

/** A key of its own, of this kind. */
function signer(name: string, type: number = keyTypes.ed25519): Signer {
  const ed = type !== keyTypes.mlDsa44Cosigner
  const { privateKey, publicKey } = ed ? generateKeyPairSync('ed25519') : generateKeyPairSync('ml-dsa-44')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(ed ? -32 : -1312)
  return { key: verifierKey(name, type, new Uint8Array(raw)), sign: (bytes) => sign(null, bytes, privateKey) }
}

/** These bytes with one bit changed, for each of them. */
function* flippedBytes(bytes: Uint8Array): Generator<[Uint8Array, string, at: number]> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const at = bit >> 3
    yield [bytes.with(at, (bytes[at] ?? 0) ^ (1 << (bit & 7))), `bit ${bit & 7} of byte ${at}`, at]
  }
}

/** The same of a text, where UTF-8 comes of it. */
function* flipped(text: string): Generator<[string, string]> {
  for (const [bytes, where] of flippedBytes(utf8(text))) {
    const other = Buffer.from(bytes).toString()
    if (!other.includes('\ufffd')) yield [other, where]
  }
}

/** Every so-many-th: of what is long. */
const someOf = <T>(all: Iterable<T>, step: number): T[] => [...all].filter((_, i) => i % step === 0)

const refused = (parse: () => unknown): boolean => {
  try {
    parse()
    return false
  } catch (error) {
    assert.ok(error instanceof FormatError, String(error))
    return true
  }
}

test('base64 is Node’s, and nothing else is read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      assert.equal(toBase64(bytes), text)
      assert.deepEqual(fromBase64(text), new Uint8Array(bytes))
    }),
  )
  for (const text of [
    'A',
    'AA',
    'AAA',
    'AB==',
    'AAB=',
    'AA=A',
    '====',
    'AA==\n',
    ' AA==',
    'AA-_',
    'AA==AA==',
    'AAA=AAAA',
  ])
    assert.ok(
      refused(() => fromBase64(text)),
      text,
    )
})

test('a hash has 32 bytes: 33 and 31 in as many letters are none', () => {
  for (const [bytes, holds] of [
    [32, true],
    [33, false],
    [31, false],
  ] as const) {
    const text = toBase64(new Uint8Array(bytes))
    assert.equal(text.length, 44)
    assert.equal(
      refused(() => digest(text, '$')),
      !holds,
      `${bytes}`,
    )
  }
})

test('no changed bit leaves a key, a checkpoint, or a tile’s path as it is', () => {
  for (const key of known.keys)
    for (const [other, where] of flipped(key))
      assert.ok(
        refused(() => parseVerifierKey(other)),
        where,
      )
  const text = known.note.slice(0, known.note.indexOf('\n\n') + 1)
  for (const [other, where] of flipped(text))
    assert.ok(
      refused(() => parseCheckpoint(other)) || checkpointText(parseCheckpoint(other)) === other,
      where,
    )
  for (const [other, where] of flipped('tile/0/x001/x234/067.p/8')) {
    const tile = parseTilePath(other)
    assert.ok(tile === undefined || tilePath(tile) === other, where)
  }
})

test('no changed bit of a policy leaves its keys and its quorum as they are', () => {
  const bytes = utf8(known.policy)
  const said = (policy: Uint8Array): string => {
    const { logs, witnesses, groups, quorum } = parsePolicy(policy)
    const keys = [...logs, ...witnesses.values()].map(({ key }) => verifierKeyText(key))
    return JSON.stringify([keys, [...witnesses.keys()], [...groups], quorum])
  }
  const unsaid = [' of nobody', 'https://market.example/w/'].map((words) => {
    const start = known.policy.indexOf(words)
    return [start, start + words.length] as const
  })
  for (const [other, where, at] of someOf(flippedBytes(bytes), 7))
    if (!unsaid.some(([start, end]) => at >= start && at < end))
      assert.ok(refused(() => parsePolicy(other)) || said(other) !== said(bytes), where)
})

/** The known note and proof but for the signature of ML-DSA-44, which is long: of that some bits are changed. */
const lines = known.note.split('\n')
const longLine = `${lines.at(-2)}\n`
const shortNote = known.note.slice(0, -longLine.length)
const shortProof = known.proof.slice(0, -longLine.length)

test('no changed bit of a note leaves it with its log’s signature and all of its witnesses', async () => {
  const policy = parsePolicy(utf8(known.policy))
  const { logs, cosigners } = keysOf(policy)
  const stands = async (note: string): Promise<number> => {
    try {
      return witnessed(await openCheckpoint(note, logs, cosigners), policy).by.length
    } catch (error) {
      assert.ok(error instanceof FormatError, String(error))
      return 0
    }
  }
  assert.equal(await stands(known.note), 3)
  for (const [other, where] of flipped(shortNote)) assert.ok((await stands(other)) < 2, where)
  for (const [other, where] of someOf(flipped(longLine), 97))
    assert.ok((await stands(shortNote + other)) < 3, where)
})

test('no changed bit of a proof file leaves it a proof of its entry', () => {
  const { index, path } = parseProofFile(shortProof)
  const end = shortProof.indexOf('\n\n') + 2
  for (const [head, where] of flipped(shortProof.slice(0, end))) {
    const other = head + shortProof.slice(end)
    if (refused(() => parseProofFile(other))) continue
    const file = parseProofFile(other)
    assert.ok(
      file.index !== index || file.path.some((hash, i) => hexOf(hash) !== hexOf(path[i] ?? hash)),
      where,
    )
    assert.equal(proofFileText(file), other)
  }
})

const root = fromHex('ab'.repeat(32))
const checkpoint: Checkpoint = { origin: ORIGIN, size: 7, root }

test('what is no note, checkpoint, proof or key is refused with the place', () => {
  const log = signer(ORIGIN)
  const note = signCheckpoint(checkpoint, log)
  const bad: [string, () => unknown, RegExp][] = [
    ['no signature', () => parseNote(`${checkpointText(checkpoint)}\n`), /signatures/],
    ['no empty line', () => parseNote(note.replace('\n\n', '\n')), /empty line/],
    ['no last newline', () => parseNote(note.slice(0, -1)), /newline/],
    ['control character', () => parseNote(`\r${note}`), /control/],
    ['lone surrogate', () => parseNote(`\ud800${note}`), /control/],
    ['other dash', () => parseNote(note.replace('—', '–')), /dash/],
    ['two spaces', () => parseNote(note.replace('— ', '—  ')), /dash/],
    ['short signature', () => parseNote(noteOf('a\n', ['— a AAAA\n'])), /short/],
    ['plus in a name', () => parseNote(noteOf('a\n', ['— a+b AAAAAAAA\n'])), /name/],
    ['white space in a name', () => parseNote(noteOf('a\n', ['— a\u2003b AAAAAAAA\n'])), /name/],
    ['too long', () => parseNote(`${'a'.repeat(MAX_NOTE)}\n\n— a AAAAAAAA\n`), /over/],
    ['too many', () => parseNote(noteOf('a\n', Array(65).fill('— a AAAAAAAA\n'))), /at most/],
    ['extension line', () => parseCheckpoint(`${checkpointText(checkpoint)}more\n`), /origin, size/],
    ['leading zero', () => parseCheckpoint(`a\n07\n${toBase64(root)}\n`), /size/],
    ['size too large', () => parseCheckpoint(`a\n${2 ** 48 + 1}\n${toBase64(root)}\n`), /size/],
    ['short root', () => parseCheckpoint('a\n7\nAAAA\n'), /\$\.root/],
    ['root of no leaves', () => parseCheckpoint(`a\n0\n${toBase64(root)}\n`), /\$\.root/],
    ['no origin', () => parseCheckpoint(`\n7\n${toBase64(root)}\n`), /origin/],
    [
      'upper-case id',
      () => parseVerifierKey(verifierKeyText(log.key).replace(log.key.id, 'ABCDEF01')),
      /key/,
    ],
    ['unknown kind', () => verifierKey('a', 2, new Uint8Array(32)), /kind/],
    ['short key', () => verifierKey('a', 1, new Uint8Array(31)), /length/],
    ['long name', () => verifierKey('a'.repeat(256), 1, new Uint8Array(32)), /255/],
    ['no index', () => parseProofFile(`c2sp.org/tlog-proof@v1\n\n${note}`), /index/],
    [
      'many hashes',
      () => parseProofFile(proofFileText({ index: 0, path: Array(64).fill(root), checkpoint: note })),
      /63/,
    ],
    ['other version', () => parseProofFile(known.proof.replace('@v1', '@v2')), /begin/],
    ['no empty line', () => parseProofFile('c2sp.org/tlog-proof@v1'), /begin/],
    ['bundle cut short', () => parseEntryBundle(Uint8Array.of(0, 2, 1), 1), /short/],
    ['bundle with more', () => parseEntryBundle(Uint8Array.of(0, 0, 0, 0), 1), /1 entries/],
  ]
  for (const [what, parse, words] of bad)
    assert.throws(parse, (error) => error instanceof FormatError && words.test(error.message), what)
})

test('keys that are not known are passed over; a known one that fails refuses the note', async () => {
  const log = signer(ORIGIN)
  const witness = signer('w.example', keyTypes.ed25519Cosigner)
  const ml = signer('w.example', keyTypes.mlDsa44Cosigner)
  const lines = [witness, ml].map((one) => cosign(checkpoint, one, 1_000))
  const note = signCheckpoint(checkpoint, log) + lines.join('')
  const cosigners = [witness.key, ml.key]
  const whole = await openCheckpoint(note, [log.key], cosigners)
  assert.deepEqual(
    whole.cosignatures.map(({ key, timeS }) => [key.type, timeS]),
    [
      [4, 1_000],
      [6, 1_000],
    ],
  )
  assert.equal((await openCheckpoint(note, [log.key], [])).cosignatures.length, 0)

  const newer = await openCheckpoint(note + cosign(checkpoint, witness, 2_000), [log.key], cosigners)
  assert.equal(newer.cosignatures[0]?.timeS, 2_000)

  const other = cosign({ ...checkpoint, size: 8 }, witness, 1_000)
  await assert.rejects(
    openCheckpoint(note + other, [log.key], cosigners),
    /signatures\[3\]: is not by the key/,
  )
  const otherMl = cosign({ ...checkpoint, size: 8 }, ml, 1_000)
  await assert.rejects(openCheckpoint(note + otherMl, [log.key], cosigners), /is not by the key/)
  await assert.rejects(openCheckpoint(note, [signer(ORIGIN).key], cosigners), /must hold the log’s/)
  await assert.rejects(
    openCheckpoint(note, [{ ...log.key, name: 'other' }], cosigners),
    /must hold the log’s/,
  )

  const asLog = signatureLine(witness.key, witness.sign(utf8(checkpointText(checkpoint))))
  await assert.rejects(
    openCheckpoint(noteOf(checkpointText(checkpoint), [asLog]), [witness.key], []),
    /the log’s/,
  )
  const noTime = signatureLine(witness.key, new Uint8Array(3))
  await assert.rejects(openCheckpoint(note + noTime, [log.key], cosigners), /too short/)
  const never = signatureLine(witness.key, new Uint8Array(72).fill(255))
  await assert.rejects(openCheckpoint(note + never, [log.key], cosigners), /no clock/)
  assert.throws(() => signCheckpoint(checkpoint, signer('other')), RangeError)
  assert.throws(() => signCheckpoint(checkpoint, witness), RangeError)
})
