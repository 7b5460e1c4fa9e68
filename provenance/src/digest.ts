import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { sha256, sha256OfAll, sha256OfHex } from '#sha256'
import { FormatError } from './format-error.ts'

/** The 32 bytes of a SHA-256. Work with these; turn them into hex only for JSON, tables and screens. */
export type Digest = Uint8Array & { readonly unit: 'sha256' }

/** Browsers and Node have it; the types of the language alone, without theirs, don't. */
declare const TextDecoder: new (
  label: 'utf-8',
  options: { fatal: true },
) => { decode(bytes: Uint8Array): string }
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

const HEX_DIGEST = /^[0-9a-f]{64}$/

/** SHA-256 of the parts, one after the other. */
export const hashOf = (...parts: readonly Uint8Array[]): Digest => sha256(concatBytes(...parts)) as Digest

/** SHA-256 of each, in their order. */
export const hashesOf = (all: readonly Uint8Array[]): Promise<Digest[]> =>
  sha256OfAll(all) as Promise<Digest[]>

/** SHA-256 of the bytes that are written in hex, in hex. */
export const hexHashOf = (hex: string): string => sha256OfHex(hex)

/** 64 lower-case hex characters, no `0x`. */
export const toHex = (digest: Digest): string => bytesToHex(digest)

/** Is this text a hash as the protocol writes it: 64 lower-case hex characters, no `0x`? */
export const isHexDigest = (text: string): boolean => HEX_DIGEST.test(text)

/** The bytes of a hash written in hex. @throws FormatError unless it is 64 lower-case hex characters. */
export function fromHex(text: string): Digest {
  if (!isHexDigest(text)) throw new FormatError('$', 'must be 64 lower-case hex characters')
  return hexToBytes(text) as Digest
}

/** Are the bytes the same? */
export const sameDigest = (a: Digest, b: Digest): boolean => a.every((byte, i) => byte === b[i])

let encoder: InstanceType<typeof TextEncoder> | undefined

/** UTF-8 bytes. @throws FormatError for a lone surrogate, which has no UTF-8 form. */
export function utf8(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new FormatError('$', 'must not hold a lone surrogate')
  encoder ??= new TextEncoder() // made with the module, it would keep that in every page that imports from it
  return encoder.encode(text)
}

/** The text of UTF-8 bytes. @throws TypeError for bytes that are no UTF-8 */
export const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

/** Bytes in hex, and back: of what is no hash. */
export const hexOf = (bytes: Uint8Array): string => bytesToHex(bytes)
export const unhexed = (hex: string): Uint8Array => hexToBytes(hex)
