import { hash } from 'node:crypto'

// As `sha256.ts`, but several times as fast: a server hashes some hundred thousand nodes for one anchor.

/** SHA-256 of some bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(hash('sha256', bytes, 'buffer'))

/** SHA-256 of each. */
export const sha256OfAll = async (all: readonly Uint8Array[]): Promise<Uint8Array[]> => all.map(sha256)

/** SHA-256 of the bytes that are written in hex, in hex. */
export const sha256OfHex = (hex: string): string => hash('sha256', Buffer.from(hex, 'hex'), 'hex')
