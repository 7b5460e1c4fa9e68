import type { Hex } from 'viem'
import type { Chain } from '#server/chain/port.ts'
import type { Db, Tx } from '#server/db/client.ts'

/** What anchoring needs of the world. */
export type AnchoringDeps = {
  db: Db
  chain: Chain
  now: () => Date
  log: AnchoringLog
  /** Rejects, inside the transaction of what is to be written, when this process no longer leads. */
  checkLead: (tx: Tx) => Promise<void>
  /** Contract to use instead of deploying one (CHAIN_CONTRACT). */
  contract?: Hex
  /** Seconds after which a transaction that no block took is signed anew with a higher fee. */
  feeBumpAfterS: number
}

export type AnchoringLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * Seconds that have passed since `at` by this process's clock. A moment that is still to come was written by a clock
 * that was ahead: then nobody knows, and for ever is answered, so that nothing waits for that clock.
 */
export function secondsSince(at: Date, now: Date): number {
  const passed = (now.getTime() - at.getTime()) / 1000
  return passed < 0 ? Number.POSITIVE_INFINITY : passed
}

/** Seconds since 1970, as block times are. */
export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)
