import { FormatError } from '../format-error.ts'
import { algorithmIn, type HashName, hashBy, hashNameIn, isSignedBy } from './algorithms.ts'
import { type Certificate, parseCertificate } from './certificates.ts'
import {
  booleanOf,
  DerParts,
  type DerValue,
  integerBytes,
  numbered,
  oidText,
  readDer,
  smallNumber,
  tags,
  timeOf,
} from './der.ts'

/*
 * A time stamp: that an authority saw a hash at a time, signed. What it says is read only where its own certificate has
 * signed it; who vouches for that: certificates.ts. Source: RFC 3161 §2.4, RFC 5652 §5, RFC 5035.
 */

/** What an authority signed. */
export interface TimeStamp {
  /** Of what was stamped. */
  readonly hash: Uint8Array
  readonly hashName: HashName
  /** When, in milliseconds since 1970, and how far off that may be where it says so. */
  readonly timeMs: number
  readonly accuracyMs: number | null
  /** Its number at that authority, in hex. */
  readonly serial: string
  /** Its terms, as an object identifier. */
  readonly policy: string
  /** What the request named, in bytes as it is written. */
  readonly nonce: Uint8Array | null
  readonly signer: Certificate
  /** What came with it. */
  readonly others: readonly Certificate[]
}

/** A time stamp that does not hold, or that nobody gave, in a sentence. */
export class StampFault extends Error {}

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12'
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
/** Longest time stamp that is read, in bytes: with certificates they have 2 to 8 kB. */
export const MAX_TIME_STAMP = 65_536
const MAX_CERTIFICATES = 16

/** @throws FormatError for what is no time stamp, StampFault unless the certificate in it has signed it */
export function openTimeStamp(token: Uint8Array, path = '$'): TimeStamp {
  if (token.length > MAX_TIME_STAMP) throw new FormatError(path, `is over ${MAX_TIME_STAMP} bytes`)
  const outer = new DerParts(readDer(token, tags.sequence, path), path)
  requireOid(outer.take(tags.oid, 'contentType'), SIGNED_DATA, `${path}.contentType`)
  const content = outer.take(numbered(0), 'content')
  outer.end()
  const data = new DerParts(readDer(content.content, tags.sequence, `${path}.content`), `${path}.content`)
  if (smallNumber(data.take(tags.integer, 'version'), `${path}.version`) !== 3)
    throw new FormatError(`${path}.version`, 'must be 3')
  const hashes = new DerParts(data.take(tags.set, 'hashes'), `${path}.hashes`)
  const hashName = hashNameIn(hashes, 'hash', `${path}.hashes`)
  hashes.end()
  const info = infoIn(data.take(tags.sequence, 'info'), `${path}.info`)
  const certificates = certificatesOf(data.optional(numbered(0)), `${path}.certificates`)
  data.optional(numbered(1)) // lists of what was revoked, which nobody vouches for here
  const signers = new DerParts(data.take(tags.set, 'signers'), `${path}.signers`)
  data.end()
  const one = signers.take(tags.sequence, 'signer')
  signers.end()
  const signer = signerOf(one, { info, hashName, certificates }, `${path}.signer`)
  const others = certificates.filter((certificate) => certificate !== signer)
  return { ...readInfo(info, `${path}.info`), signer, others }
}

function requireOid(value: DerValue, oid: string, path: string): void {
  if (oidText(value, path) !== oid) throw new FormatError(path, 'is something else')
}

function infoIn(value: DerValue, path: string): Uint8Array {
  const parts = new DerParts(value, path)
  requireOid(parts.take(tags.oid, 'type'), TST_INFO, path)
  const inside = parts.take(numbered(0), 'content')
  parts.end()
  return readDer(inside.content, tags.octets, path).content
}

function certificatesOf(value: DerValue | undefined, path: string): Certificate[] {
  if (value === undefined) throw new FormatError(path, 'are missing: nobody can tell who signed it')
  const all = new DerParts(value, path).rest(tags.sequence, 'certificate')
  if (all.length > MAX_CERTIFICATES) throw new FormatError(path, `are more than ${MAX_CERTIFICATES}`)
  return all.map(({ whole }, i) => parseCertificate(whole, `${path}[${i}]`))
}

type Signed = { info: Uint8Array; hashName: HashName; certificates: readonly Certificate[] }

/** Whose certificate signed it. @throws StampFault where it has not */
function signerOf(value: DerValue, { info, hashName, certificates }: Signed, path: string): Certificate {
  const parts = new DerParts(value, path)
  if (smallNumber(parts.take(tags.integer, 'version'), path) !== 1) throw new FormatError(path, 'must be 1')
  const named = new DerParts(parts.take(tags.sequence, 'name'), `${path}.name`)
  const [issuer, serial] = [named.take(tags.sequence, 'issuer'), named.take(tags.integer, 'serial')]
  named.end()
  const hash = hashNameIn(parts, 'hash', path)
  if (hash !== hashName) throw new FormatError(`${path}.hash`, 'is not the one that is announced')
  const attributes = parts.take(numbered(0), 'attributes')
  const algorithm = algorithmIn(parts, 'algorithm', path)
  const signature = parts.take(tags.octets, 'signature').content
  parts.optional(numbered(1)) // what is not signed
  parts.end()
  const signer = certificates.find((one) => same(one.issuer, issuer.whole) && same(one.serial, serial.whole))
  if (signer === undefined) throw new FormatError(`${path}.name`, 'is of no certificate that is there')
  const found = attributesIn(attributes, path)
  requireOid(oneOf(found, CONTENT_TYPE, tags.oid, path), TST_INFO, path)
  if (!same(oneOf(found, MESSAGE_DIGEST, tags.octets, path).content, hashBy(hash, info)))
    throw new StampFault('What was signed is not the time that stands there.')
  requireNamed(found, signer, path)
  const signed = Uint8Array.of(tags.set, ...attributes.whole.subarray(1))
  if (!isSignedBy(signer.x509.publicKey, { algorithm, hash, signed, signature }, path))
    throw new StampFault('Its signature is not by the certificate that it names.')
  return signer
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

function attributesIn(value: DerValue, path: string): Map<string, DerValue> {
  const found = new Map<string, DerValue>()
  for (const one of new DerParts(value, path).rest(tags.sequence, 'attribute')) {
    const parts = new DerParts(one, path)
    const oid = oidText(parts.take(tags.oid, 'type'), path)
    if (found.has(oid)) throw new FormatError(path, 'has an attribute twice')
    found.set(oid, parts.take(tags.set, 'values'))
    parts.end()
  }
  return found
}

function oneOf(attributes: Map<string, DerValue>, oid: string, tag: number, path: string): DerValue {
  const values = attributes.get(oid)
  if (values === undefined) throw new FormatError(path, `lacks the attribute ${oid}`)
  return readDer(values.content, tag, path)
}

/** What is signed names the certificate too, by its hash: else another one of the same key could be put in its place. */
function requireNamed(attributes: Map<string, DerValue>, { x509 }: Certificate, path: string): void {
  const versions = [SIGNING_CERTIFICATE_V2, SIGNING_CERTIFICATE].filter((oid) => attributes.has(oid))
  if (versions.length === 0) throw new FormatError(path, 'does not sign which certificate it is by')
  for (const oid of versions) {
    const list = new DerParts(oneOf(attributes, oid, tags.sequence, path), path).take(tags.sequence, 'names')
    const first = new DerParts(new DerParts(list, path).take(tags.sequence, 'name'), path)
    const isSecond = oid === SIGNING_CERTIFICATE_V2
    const hash = isSecond ? hashOfName(first, path) : 'sha1'
    if (!same(first.take(tags.octets, 'hash').content, hashBy(hash, x509.raw)))
      throw new StampFault('It was signed as by another certificate than the one that stands there.')
  }
}

/** SHA-256 where none is said. */
function hashOfName(parts: DerParts, path: string): HashName {
  const said = parts.optional(tags.sequence)
  if (said === undefined) return 'sha256'
  return hashNameIn(new DerParts({ ...said, content: said.whole }, path), 'hash', path)
}

type Info = Omit<TimeStamp, 'signer' | 'others'>

function readInfo(bytes: Uint8Array, path: string): Info {
  const parts = new DerParts(readDer(bytes, tags.sequence, path), path)
  if (smallNumber(parts.take(tags.integer, 'version'), path) !== 1) throw new FormatError(path, 'must be 1')
  const policy = oidText(parts.take(tags.oid, 'policy'), path)
  const imprint = new DerParts(parts.take(tags.sequence, 'imprint'), path)
  const hashName = hashNameIn(imprint, 'hash', path)
  const hash = imprint.take(tags.octets, 'hash').content
  imprint.end()
  const serial = Buffer.from(integerBytes(parts.take(tags.integer, 'serial'), path)).toString('hex')
  const timeMs = timeOf(parts.take(tags.time, 'time'), `${path}.time`)
  const accuracy = parts.optional(tags.sequence)
  const ordering = parts.optional(tags.boolean)
  if (ordering !== undefined) requireYes(ordering, path)
  const nonce = parts.optional(tags.integer)
  parts.optional(numbered(0)) // its own name, which its certificate says
  requireKnown(parts.optional(numbered(1)), `${path}.extensions`)
  parts.end()
  return {
    policy,
    hashName,
    hash,
    serial,
    timeMs,
    accuracyMs: accuracy === undefined ? null : accuracyMs(accuracy, `${path}.accuracy`),
    nonce: nonce === undefined ? null : integerBytes(nonce, path),
  }
}

/** Qualified authorities add that they are; nothing may be there that has to be understood. Source: ETSI EN 319 422. */
function requireKnown(value: DerValue | undefined, path: string): void {
  if (value === undefined) return
  for (const one of new DerParts(value, path).rest(tags.sequence, 'extension')) {
    const parts = new DerParts(one, path)
    const oid = oidText(parts.take(tags.oid, 'type'), path)
    const critical = parts.optional(tags.boolean)
    parts.take(tags.octets, 'value')
    parts.end()
    if (critical === undefined) continue
    requireYes(critical, path)
    throw new FormatError(path, `has a condition that is not known: ${oid}`)
  }
}

/** In DER what is no unless it is said is said only where it is yes. Source: X.690 §11.5. */
function requireYes(value: DerValue, path: string): void {
  if (!booleanOf(value, path)) throw new FormatError(path, 'says no where nothing says it')
}

/** Seconds, thousandths and millionths of one. */
function accuracyMs(value: DerValue, path: string): number {
  const parts = new DerParts(value, path)
  const numbers = [tags.integer, 0x80, 0x81].map((tag) => {
    const part = parts.optional(tag)
    const number = part === undefined ? 0 : smallNumber(part, path)
    if (part !== undefined && tag !== tags.integer && (number < 1 || number > 999))
      throw new FormatError(path, 'must be parts of a second from 1 to 999')
    return number
  })
  parts.end()
  const [seconds = 0, thousandths = 0, millionths = 0] = numbers
  return seconds * 1000 + thousandths + Math.ceil(millionths / 1000)
}
