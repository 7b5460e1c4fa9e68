import { sha256 } from '#sha256'

// Of its own, beside `sha256.ts`: so the page, which hashes few, has the same file of that as its worker, and fetches it once.

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
