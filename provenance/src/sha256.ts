import { _SHA256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

// SHA-256 as `digest.ts` needs it, for every place without Node. `sha256-node.ts` is the same with Node's own.

/** SHA-256 of some bytes. The class alone: the function around it brings options that nobody sets. */
export const sha256 = (bytes: Uint8Array): Uint8Array => new _SHA256().update(bytes).digest()

/** SHA-256 of the bytes that are written in hex, in hex. */
export const sha256OfHex = (hex: string): string => bytesToHex(sha256(hexToBytes(hex)))
