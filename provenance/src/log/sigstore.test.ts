import assert from 'node:assert/strict'
import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { toSignedEntity, toTrustMaterial, VerificationError, Verifier } from '@sigstore/verify'
import { verifyTLogInclusion } from '@sigstore/verify/dist/tlog/index.js'
import { type Digest, hashOf, textOf, utf8 } from '../digest.ts'
import { keptAnswer, stampRequest, tokenIn } from '../evidence/ask-stamp.ts'
import { anchorEntry } from '../leaf.ts'
import { Authority, withOpenssl } from '../testing/authority.ts'
import { newSigner, ORIGIN, TestLog } from '../testing/log.ts'
import { parseCheckpoint } from './checkpoint.ts'
import { keyTypes, type NoteSignature, noteOf, parseNote, signatureLine, type VerifierKey } from './note.ts'
import { cosign } from './signed-checkpoint.ts'

/*
 * What Sigstore's verifier makes of our logs and time stamps. It is made for the logs of Rekor: which of our forms it reads,
 * and where that ends, is in decision 0153.
 */

type Entry = Parameters<typeof verifyTLogInclusion>[0]
type Bundle = Parameters<typeof toSignedEntity>[0]
type Root = Parameters<typeof toTrustMaterial>[0]

/** Numbers of its enumerations: SHA-256, and an Ed25519 key as SubjectPublicKeyInfo. */
const [SHA256, ED25519] = [1, 7]

const spkiOf = ({ publicKey }: VerifierKey): Buffer =>
  Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey])
const idOf = ({ id }: VerifierKey) => ({ keyId: Buffer.from(id, 'hex') })

/** What somebody trusts: the key of a log, and authorities of time, each from its own certificate up. */
function trusting(log: VerifierKey, ...authorities: readonly (readonly X509Certificate[])[]) {
  const key = { rawBytes: spkiOf(log), keyDetails: ED25519, validFor: undefined }
  const root: Root = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [
      {
        baseUrl: `https://${log.name}`,
        hashAlgorithm: SHA256,
        publicKey: key,
        logId: idOf(log),
        checkpointKeyId: idOf(log),
        operator: '',
      },
    ],
    certificateAuthorities: [],
    ctlogs: [],
    timestampAuthorities: authorities.map((chain) => ({
      subject: undefined,
      uri: '',
      certChain: { certificates: chain.map(({ raw }) => ({ rawBytes: raw })) },
      validFor: undefined,
      operator: '',
    })),
  }
  return toTrustMaterial(root, { log: key })
}

/** An entry of a log with its way up and the signed checkpoint, as Sigstore writes these. */
function entryOf(log: VerifierKey, { entry, index, size, path, note }: Proof): Entry {
  return {
    logIndex: `${index}`,
    logId: idOf(log),
    kindVersion: { kind: 'befaqt', version: '1' },
    integratedTime: '0',
    inclusionPromise: undefined,
    inclusionProof: {
      logIndex: `${index}`,
      rootHash: Buffer.alloc(0),
      treeSize: `${size}`,
      hashes: path.map((hash) => Buffer.from(hash)),
      checkpoint: { envelope: note },
    },
    canonicalizedBody: Buffer.from(entry),
  }
}

interface Proof {
  readonly entry: Uint8Array
  readonly index: number
  readonly size: number
  readonly path: readonly Digest[]
  readonly note: string
}

const witness = newSigner('market.example/w', keyTypes.ed25519Cosigner)

const anchor = (index: number): Uint8Array =>
  anchorEntry({ boxes: 1, index, records: 1, root: 'a'.repeat(64), time: 1_795_222_800 })

/** What a shop shows of an anchor in a log of that size: the note has a witness’s line too. */
async function proofOf(log: TestLog, index: number, size: number): Promise<Proof> {
  const note = await log.note(size)
  const cosigned = note + cosign(parseCheckpoint(parseNote(note).text), witness, 1_795_222_800)
  return { entry: anchor(index), index, size, path: await log.inclusion(index, size), note: cosigned }
}

const logOf = (size: number): TestLog =>
  new TestLog().append(...Array.from({ length: size }, (_, index) => textOf(anchor(index))))

/** Each change of one bit. */
function* flipped(bytes: Uint8Array): Generator<Uint8Array> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Uint8Array.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    yield changed
  }
}

const isOfProof = (error: unknown): boolean =>
  error instanceof VerificationError && error.code === 'TLOG_INCLUSION_PROOF_ERROR'

test('Sigstore’s verifier takes proofs of our logs of any size with their signed checkpoints', async () => {
  const log = logOf(300)
  const { tlogs } = trusting(log.signer.key)
  for (const size of [1, 2, 3, 4, 7, 8, 255, 256, 257, 300])
    for (const index of new Set([0, 1, size >> 1, size - 2, size - 1]))
      if (index >= 0 && index < size) {
        const entry = entryOf(log.signer.key, await proofOf(log, index, size))
        assert.doesNotThrow(() => verifyTLogInclusion(entry, tlogs), `${index} of ${size}`)
      }
})

test('it takes no changed bit of entry, way, checkpoint or signature, and no other place, size, key or name', async () => {
  const log = logOf(21)
  const { key } = log.signer
  const { tlogs } = trusting(key)
  const proof = await proofOf(log, 18, 21)
  const isTaken = (of: VerifierKey, changed: Partial<Proof>): boolean => {
    try {
      verifyTLogInclusion(entryOf(of, { ...proof, ...changed }), tlogs)
      return true
    } catch (error) {
      assert.ok(isOfProof(error), String(error))
      return false
    }
  }
  assert.equal(isTaken(key, {}), true)
  for (const entry of flipped(proof.entry)) assert.equal(isTaken(key, { entry }), false, 'an entry')
  for (const [i, hash] of proof.path.entries())
    for (const changed of flipped(hash))
      assert.equal(isTaken(key, { path: proof.path.with(i, changed as Digest) }), false, `hash ${i}`)
  const { text, signatures } = parseNote(proof.note)
  const [own] = signatures as [NoteSignature]
  for (const bytes of flipped(own.bytes))
    assert.equal(isTaken(key, { note: noteOf(text, [signatureLine(key, bytes)]) }), false, 'a signature')
  for (const bytes of flipped(utf8(text))) {
    const note = noteOf(Buffer.from(bytes).toString('latin1'), [signatureLine(key, own.bytes)])
    assert.equal(isTaken(key, { note }), false, JSON.stringify(note))
  }
  for (const index of [17, 19, 20, 21, -1]) assert.equal(isTaken(key, { index }), false, `place ${index}`)
  assert.equal(isTaken(key, { path: proof.path.slice(1) }), false, 'a way that is too short')
  assert.equal(isTaken(key, { path: [...proof.path, ...proof.path.slice(0, 1)] }), false, 'too long')
  assert.equal(isTaken(key, { note: await log.note(20) }), false, 'the checkpoint of another size')
  assert.equal(isTaken(key, { note: await logOf(21).note() }), false, 'another key of that name')
  const other = new TestLog(newSigner(`${ORIGIN}/2`)).append(
    ...Array.from({ length: 21 }, (_, index) => textOf(anchor(index))),
  )
  assert.equal(isTaken(other.signer.key, { note: await other.note() }), false, 'a log that nobody trusts')
})

/** What Sigstore checks, of our entries and time stamps. @param stamps answers of an authority */
function bundleOf(signature: Uint8Array, entries: readonly Entry[], stamps: readonly Uint8Array[]): Bundle {
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: {
      content: { $case: 'publicKey', publicKey: { hint: 'log' } },
      tlogEntries: [...entries],
      timestampVerificationData: {
        rfc3161Timestamps: stamps.map((stamp) => ({ signedTimestamp: Buffer.from(stamp) })),
      },
    },
    content: {
      $case: 'messageSignature',
      messageSignature: {
        messageDigest: { algorithm: SHA256, digest: Buffer.alloc(32) },
        signature: Buffer.from(signature),
      },
    },
  }
}

test('its whole check passes our proofs, and ends at what an entry says: it knows entries of Rekor alone', async () => {
  const log = logOf(21)
  const { key } = log.signer
  const verifier = new Verifier(trusting(key), { timestampThreshold: 0 })
  const proof = await proofOf(log, 18, 21)
  const faultOf = (changed: Partial<Proof>): string => {
    try {
      const bundle = bundleOf(utf8(proof.note), [entryOf(key, { ...proof, ...changed })], [])
      verifier.verify(toSignedEntity(bundle, Buffer.from(parseNote(proof.note).text)))
      return 'none'
    } catch (error) {
      assert.ok(error instanceof VerificationError, String(error))
      return error.code
    }
  }
  assert.equal(faultOf({}), 'TLOG_BODY_ERROR')
  assert.equal(faultOf({ entry: anchor(17) }), 'TLOG_INCLUSION_PROOF_ERROR')
  assert.equal(faultOf({ path: [] }), 'TLOG_INCLUSION_PROOF_ERROR')
  assert.equal(faultOf({ note: await logOf(21).note() }), 'TLOG_INCLUSION_PROOF_ERROR')
})

test(
  'its whole check takes the time stamp of a checkpoint as we keep it, by an authority that is named, and no other',
  withOpenssl,
  async () => {
    await using authority = await Authority.make()
    await using stranger = await Authority.make()
    const log = logOf(21)
    const note = await log.note()
    const { text, signatures } = parseNote(note)
    const chains = await Promise.all(
      [authority, stranger].map(async (one) => {
        await one.certificate('ec')
        const files = ['ec.pem', 'below.pem', 'root.pem'].map(
          async (name) => new X509Certificate(await one.read(name)),
        )
        return Promise.all(files)
      }),
    )
    const [own = [], strange = []] = chains
    const kept = keptAnswer(tokenIn(await authority.answer(stampRequest(utf8(note), Uint8Array.of(7)), 'ec')))
    /** The log’s signature of the note is looked at by Node here: Sigstore knows none that stands within a text. */
    const isTaken = (stamp: Uint8Array, of: string, trusted: readonly X509Certificate[]): boolean => {
      const entity = toSignedEntity(bundleOf(utf8(of), [], [stamp]))
      const verifySignature = (key: KeyObject): boolean =>
        verify(null, utf8(text), key, signatures[0]?.bytes ?? new Uint8Array())
      const signature = { ...entity.signature, signature: Buffer.from(of), verifySignature }
      const material = trusting(log.signer.key, trusted)
      const verifier = new Verifier(material, { tlogThreshold: 0, timestampThreshold: 1 })
      return verifier.verify({ ...entity, signature }).key.asymmetricKeyType === 'ed25519'
    }
    assert.equal(isTaken(kept, note, own), true)
    const isOfTime = { code: 'TIMESTAMP_ERROR' }
    const before = await log.note(20)
    assert.throws(() => isTaken(kept, before, own), isOfTime, 'another checkpoint')
    assert.throws(() => isTaken(kept, note, strange), isOfTime, 'another authority')
    // From the hash to the time, which are signed, and the signature
    const from = Buffer.from(kept).indexOf(hashOf(utf8(note)))
    const parts = [kept.subarray(from, from + 52), kept.subarray(-64)]
    for (const part of parts)
      for (const [at, byte] of part.entries()) {
        part[at] = byte ^ (1 << (at % 8))
        assert.throws(() => isTaken(kept, note, own), `byte ${at} of ${part.length}`)
        part[at] = byte
      }
    assert.equal(isTaken(kept, note, own), true, 'as it was')
  },
)
