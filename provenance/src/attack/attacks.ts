import { attacksOnProofs } from './on-proofs.ts'
import { attacksOnRecords } from './on-records.ts'

/**
 * What a thief, or a shop that lies, can do to a proof and to those who vouch for it, by name. Each makes another scene of
 * one, and computes every hash that it can, as its author would.
 */
export const attacks = { ...attacksOnRecords, ...attacksOnProofs }

export type AttackName = keyof typeof attacks
