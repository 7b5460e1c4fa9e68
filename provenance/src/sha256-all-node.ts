import { sha256 } from '#sha256'

// Node’s own hash answers at once, before another thread could have been told.

/** SHA-256 of each. */
export const sha256OfAll = async (all: readonly Uint8Array[]): Promise<Uint8Array[]> => all.map(sha256)
