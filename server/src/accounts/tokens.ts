import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new URL-safe secret of 256 bits: 43 letters, digits, '-' and '_'. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The stored form of a token: SHA-256, hex. Enough for 256 random bits, and it can be looked up. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares two secrets of any length in constant time. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
