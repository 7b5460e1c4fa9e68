import type { Hex } from 'viem'
import type { Chain } from '#server/chain/port.ts'
import type { Db, Tx } from '#server/db/client.ts'

export type AnchoringDeps = {
  db: Db
  chain: Chain
  now: () => Date
  log: AnchoringLog
  /** Called inside the transaction that writes; rejects when this process is no longer the leader. */
  checkLead: (tx: Tx) => Promise<void>
  /** Contract to use instead of deploying one (CHAIN_CONTRACT). */
  contract?: Hex
  /** Seconds after which the fee of a transaction that is in no block is raised. */
  feeBumpAfterS: number
}

export type AnchoringLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * Seconds since `at` by this process's clock; infinite when `at` is in the future, so that nothing waits for another
 * machine's clock that was ahead.
 */
export function secondsSince(at: Date, now: Date): number {
  const passed = (now.getTime() - at.getTime()) / 1000
  return passed < 0 ? Number.POSITIVE_INFINITY : passed
}

/** Seconds since 1970, as block times are. */
export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)
