import { sha256 as hash } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

// SHA-256 as `digest.ts` needs it, for every place without Node. `sha256-node.ts` is the same with Node's own.

/** SHA-256 of some bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => hash(bytes)

/** SHA-256 of the bytes that are written in hex, in hex. */
export const sha256OfHex = (hex: string): string => bytesToHex(hash(hexToBytes(hex)))
