import { _SHA256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

// SHA-256 as `digest.ts` needs it, for every place without Node. `sha256-node.ts` is the same with Node's own.

/** SHA-256 of some bytes. The class alone: the function around it brings options that nobody sets. */
export const sha256 = (bytes: Uint8Array): Uint8Array => new _SHA256().update(bytes).digest()

/** Browsers offer it to pages that came over https, or from this machine. */
declare const crypto: {
  readonly subtle?: { digest(algorithm: 'SHA-256', bytes: Uint8Array): Promise<ArrayBuffer> }
}

/** SHA-256 of each, by the browser itself where it offers that: beside this thread, in less than half the time. */
export const sha256OfAll = (all: readonly Uint8Array[]): Promise<Uint8Array[]> =>
  Promise.all(
    all.map(async (bytes) => {
      const hashed = await crypto.subtle?.digest('SHA-256', bytes)
      return hashed ? new Uint8Array(hashed) : sha256(bytes)
    }),
  )

/** SHA-256 of the bytes that are written in hex, in hex. */
export const sha256OfHex = (hex: string): string => bytesToHex(sha256(hexToBytes(hex)))
