import { X509Certificate } from 'node:crypto'
import { FormatError } from '../format-error.ts'
import { isStrongSignature } from './algorithms.ts'
import { booleanOf, DerParts, type DerValue, numbered, oidText, readDer, smallNumber, tags } from './der.ts'

/*
 * Certificates of authorities that stamp times, and the way from one to an authority that somebody names. Keys and
 * signatures are OpenSSL's, by Node. Source: RFC 5280 §4.1, §4.2 and §6.1, RFC 3161 §2.3.
 */

/** A certificate that does not hold, in a sentence. */
export class CertificateFault extends Error {}

/** A certificate, with what Node does not tell of it. */
export interface Certificate {
  readonly x509: X509Certificate
  /** Issuer and serial number as bytes, by which signatures name it. */
  readonly issuer: Uint8Array
  readonly serial: Uint8Array
  /** What it may be used for: object identifiers; undefined: not limited. */
  readonly usages: readonly string[] | undefined
  /** Is the limit one that nobody may pass over? */
  readonly isUsageCritical: boolean
  /** May its key sign what is no certificate, and do nothing else? */
  readonly isForSignatures: boolean
  /** Most certificates of authorities between it and the last one. */
  readonly pathLength: number
  /** What is critical in it and not known here. */
  readonly unknown: readonly string[]
  readonly isStrong: boolean
}

const CONSTRAINTS = '2.5.29.19'
const USAGES = '2.5.29.37'
/** What the key is for: of authorities Node looks at it, as it finds who issued a certificate. */
const KEY_USAGE = '2.5.29.15'
/** Bits of it: signatures, and such that nobody can deny. */
const SIGNATURES = 0xc0
/** Policies, of which any does. */
const POLICIES = '2.5.29.32'
/** Tag of a string of bits, which begins with how many of its last byte are not used. */
const BITS = 0x03
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const ANY_USAGE = '2.5.29.37.0'
/** Longest certificate that is read, in bytes. */
const MAX_CERTIFICATE = 16_384
/** Most certificates of a file of authorities: what operating systems come with has some 150. */
const MAX_IN_FILE = 500
/** Most certificates on the way from a signature to an authority. */
const MAX_PATH = 8

/** @throws FormatError */
export function parseCertificate(bytes: Uint8Array, path: string): Certificate {
  if (bytes.length > MAX_CERTIFICATE) throw new FormatError(path, `is over ${MAX_CERTIFICATE} bytes`)
  const whole = new DerParts(readDer(bytes, tags.sequence, path), path)
  const parts = new DerParts(whole.take(tags.sequence, 'certificate'), path)
  parts.optional(numbered(0))
  const serial = parts.take(tags.integer, 'serial').whole
  const algorithm = new DerParts(parts.take(tags.sequence, 'algorithm'), path).take(tags.oid, 'algorithm')
  const issuer = parts.take(tags.sequence, 'issuer').whole
  for (const name of ['validity', 'subject', 'key']) parts.take(tags.sequence, name)
  const extensions = extensionsIn(parts.optional(numbered(3)), path)
  const usages = extensions.get(USAGES)
  return {
    x509: opened(bytes, path),
    issuer,
    serial,
    usages: usages && usagesIn(usages.value, path),
    isUsageCritical: usages?.isCritical ?? false,
    isForSignatures: isForSignatures(extensions.get(KEY_USAGE)?.value, path),
    pathLength: pathLengthIn(extensions.get(CONSTRAINTS)?.value, path),
    unknown: [...extensions].flatMap(([oid, { isCritical }]) =>
      isCritical && ![CONSTRAINTS, USAGES, KEY_USAGE, POLICIES].includes(oid) ? [oid] : [],
    ),
    isStrong: isStrongSignature(oidText(algorithm, path)),
  }
}

function opened(bytes: Uint8Array, path: string): X509Certificate {
  try {
    const certificate = new X509Certificate(bytes)
    if (certificate.publicKey.asymmetricKeyType !== undefined) return certificate
  } catch {
    // OpenSSL's words say nothing to whoever has the file
  }
  throw new FormatError(path, 'is no certificate')
}

type Extension = { readonly value: Uint8Array; readonly isCritical: boolean }

function extensionsIn(part: DerValue | undefined, path: string): Map<string, Extension> {
  const found = new Map<string, Extension>()
  if (part === undefined) return found
  const list = new DerParts(part, path).take(tags.sequence, 'extensions')
  for (const one of new DerParts(list, path).rest(tags.sequence, 'extension')) {
    const parts = new DerParts(one, path)
    const oid = oidText(parts.take(tags.oid, 'extension'), path)
    const critical = parts.optional(tags.boolean)
    if (found.has(oid)) throw new FormatError(path, 'has an extension twice')
    found.set(oid, {
      isCritical: critical !== undefined && booleanOf(critical, path),
      value: parts.take(tags.octets, 'extension').content,
    })
  }
  return found
}

const usagesIn = (value: Uint8Array, path: string): string[] =>
  new DerParts(readDer(value, tags.sequence, path), path)
    .rest(tags.oid, 'usage')
    .map((usage) => oidText(usage, path))

/** Source: RFC 5280 §4.2.1.3; OpenSSL asks the same of whoever stamps times. */
function isForSignatures(value: Uint8Array | undefined, path: string): boolean {
  if (value === undefined) return true
  const [, first = 0, ...more] = readDer(value, BITS, path).content
  return (first & SIGNATURES) !== 0 && [first & ~SIGNATURES, ...more].every((bits) => bits === 0)
}

function pathLengthIn(value: Uint8Array | undefined, path: string): number {
  if (value === undefined) return MAX_PATH
  const parts = new DerParts(readDer(value, tags.sequence, path), path)
  parts.optional(tags.boolean)
  const length = parts.optional(tags.integer)
  return length === undefined ? MAX_PATH : smallNumber(length, path)
}

const END = '-----END CERTIFICATE-----'
const BEGIN = '-----BEGIN CERTIFICATE-----'

/** The certificates of a PEM file, at least one. @throws FormatError */
export function certificatesIn(pem: string): Certificate[] {
  const texts = pem.split(END).slice(0, -1)
  if (texts.length === 0) throw new FormatError('$', 'must hold a certificate in PEM')
  if (texts.length > MAX_IN_FILE) throw new FormatError('$', `must hold ${MAX_IN_FILE} certificates at most`)
  return texts.map((text, i) => {
    const from = text.lastIndexOf(BEGIN)
    if (from === -1) throw new FormatError(`$[${i}]`, 'must be a certificate in PEM')
    return parseCertificate(Buffer.from(text.slice(from + BEGIN.length), 'base64'), `$[${i}]`)
  })
}

/** Whose it is: the common name, else all that it says. */
export function nameOf({ x509 }: Certificate): string {
  const lines = x509.subject.split('\n')
  return lines.find((line) => line.startsWith('CN='))?.slice(3) ?? lines.join(', ')
}

/** @throws CertificateFault unless it may stamp times, and did at this time. Source: RFC 3161 §2.3 */
export function requireStamping(certificate: Certificate, timeMs: number): void {
  const name = nameOf(certificate)
  const [usage, ...more] = certificate.usages ?? []
  if (usage !== TIME_STAMPING || more.length > 0 || !certificate.isUsageCritical)
    throw new CertificateFault(`The certificate of ${name} is not one for time stamps alone.`)
  if (!certificate.isForSignatures)
    throw new CertificateFault(`The key of ${name} is not one for signatures alone.`)
  requireSound(certificate, timeMs)
}

function requireSound(certificate: Certificate, timeMs: number): void {
  const { x509, unknown, isStrong } = certificate
  const name = nameOf(certificate)
  if (timeMs < x509.validFromDate.getTime() || timeMs > x509.validToDate.getTime())
    throw new CertificateFault(
      `The certificate of ${name} was not valid at that time: it is from ${x509.validFrom} to ${x509.validTo}.`,
    )
  if (unknown.length > 0)
    throw new CertificateFault(`The certificate of ${name} has conditions that are not known: ${unknown}.`)
  if (!isStrong)
    throw new CertificateFault(`The certificate of ${name} is signed in a way that does not count any more.`)
}

/**
 * The authority, of those that are named, that vouches for a certificate at a time, by way of others that came with it.
 * @throws CertificateFault where there is none, with why the nearest does not do
 */
export function authorityOf(
  certificate: Certificate,
  others: readonly Certificate[],
  trusted: readonly Certificate[],
  timeMs: number,
): Certificate {
  let fault: CertificateFault | undefined
  const seen = new Set<Certificate>()
  const climb = (from: Certificate, below: number): Certificate | undefined => {
    const same = trusted.find(({ x509 }) => x509.raw.equals(from.x509.raw))
    if (same !== undefined) return same
    for (const [isTrusted, list] of [
      [true, trusted],
      [false, others],
    ] as const)
      for (const issuer of list) {
        if (seen.has(issuer) || issuer === from || !hasIssued(issuer, from)) continue
        if (!isTrusted) seen.add(issuer)
        try {
          requireAuthority(issuer, below, timeMs, isTrusted)
        } catch (error) {
          if (!(error instanceof CertificateFault)) throw error
          fault ??= error
          continue
        }
        const found = isTrusted ? issuer : below + 1 < MAX_PATH ? climb(issuer, below + 1) : undefined
        if (found !== undefined) return found
      }
    return undefined
  }
  const found = climb(certificate, 0)
  if (found !== undefined) return found
  throw (
    fault ??
    new CertificateFault(
      `The certificate of ${nameOf(certificate)} is vouched for by none of the authorities that are named.`,
    )
  )
}

function hasIssued(issuer: Certificate, { x509 }: Certificate): boolean {
  return x509.checkIssued(issuer.x509) && x509.verify(issuer.x509.publicKey)
}

/** How one that is named was signed itself, and what for, does not matter: its namer knew. */
function requireAuthority(certificate: Certificate, below: number, timeMs: number, isTrusted: boolean): void {
  const name = nameOf(certificate)
  if (!certificate.x509.ca) throw new CertificateFault(`The certificate of ${name} is not of an authority.`)
  if (certificate.pathLength < below)
    throw new CertificateFault(`The certificate of ${name} vouches for no authorities below it.`)
  const { usages = [ANY_USAGE] } = certificate
  if (!isTrusted && !usages.includes(TIME_STAMPING) && !usages.includes(ANY_USAGE))
    throw new CertificateFault(`The certificate of ${name} vouches for other uses than time stamps.`)
  requireSound(isTrusted ? { ...certificate, isStrong: true } : certificate, timeMs)
}
