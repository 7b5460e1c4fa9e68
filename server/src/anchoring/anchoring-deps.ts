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
  outbidAfterS: number
}

export type AnchoringLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Seconds since 1970, as block times are. */
export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)
