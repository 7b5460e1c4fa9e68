import { LedgerError } from './ledger.ts'

/** First four bytes of keccak256('count()'). The test beside this file recomputes all three. */
export const COUNT_SELECTOR = '0x06661abd'
/** First four bytes of keccak256('anchorOf(uint64)'). */
export const ANCHOR_OF_SELECTOR = '0x34defa7c'
/** keccak256('Anchored(uint64,bytes32,uint32,uint32)'): the first topic of every such event. */
export const ANCHORED_TOPIC = '0xfe4d009d4cabf2c95b0c58f5010c59da49239a0e27c431517393afbfe34f3a30'

/** The call data of `anchorOf(index)`. Source: Solidity ABI, static types: 32 bytes each, big end first. */
export const anchorOfCall = (index: number): string =>
  ANCHOR_OF_SELECTOR + index.toString(16).padStart(64, '0')

/** The 32-byte words of ABI data, as 64 lower-case hex characters each. @throws LedgerError unless exactly `count` */
export function abiWords(data: unknown, count: number): string[] {
  if (typeof data !== 'string' || !/^0x[0-9a-fA-F]*$/.test(data) || data.length !== 2 + 64 * count)
    throw new LedgerError('the ledger answered with data of another shape; is the contract really there?')
  return data.slice(2).toLowerCase().match(/.{64}/g) ?? []
}

/** A whole number written in hex, with or without `0x`. @throws LedgerError for anything else, and beyond 2^53 - 1 */
export function numberFromHex(hex: unknown): number {
  const digits = typeof hex === 'string' ? hex.replace(/^0x/, '') : ''
  const value = /^[0-9a-fA-F]{1,64}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
  if (!Number.isSafeInteger(value))
    throw new LedgerError('the ledger answered with something that is no number')
  return value
}
