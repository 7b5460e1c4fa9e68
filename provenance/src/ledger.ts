import { canonicalize } from './canonical.ts'

/** What the contract stores for one anchor, as returned by `anchorOf`. Source: protocol §4. */
export interface LedgerAnchor {
  /** 64 lower-case hex characters, no `0x`. */
  readonly root: string
  /** Block time, whole seconds since 1970. */
  readonly time: number
  /** Leaves in the tree. */
  readonly boxes: number
  /** New records since the anchor before. */
  readonly records: number
}

/** One `Anchored` event of the contract, with the block that holds it. */
export interface AnchorEvent {
  readonly index: number
  readonly root: string
  readonly boxes: number
  readonly records: number
  readonly blockNumber: number
  readonly blockTime: number
}

/** Which contract a reader reads. `contract` is `0x` and 40 lower-case hex characters. */
export interface LedgerIdentity {
  readonly chainId: number
  readonly contract: string
}

/**
 * The only interface of the verifier to the outside. Every method rejects (with LedgerError, or anything) when the ledger
 * can't be reached or its response is invalid; it never guesses. Whoever supplies the reader chooses the ledger to trust.
 */
export interface LedgerReader {
  /** false: a copy that ends at `count()`; what the ledger holds beyond is not known to it. */
  readonly live: boolean
  identity(): Promise<LedgerIdentity>
  /** How many anchors the contract holds. */
  count(): Promise<number>
  /** One result for each index, in order. Only called with indexes below `count()`. */
  anchorsOf(indexes: readonly number[]): Promise<readonly LedgerAnchor[]>
  /** For each transaction the `Anchored` events that this contract emitted in it; none when it is not on the chain. */
  eventsOf(txHashes: readonly string[]): Promise<readonly (readonly AnchorEvent[])[]>
}

/** The ledger could not be read. `message` says why, for operators; shoppers get the verdict's words. */
export class LedgerError extends Error {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.name = 'LedgerError'
  }
}

/** Anchors by the transaction that made them. */
export function byTransaction<A extends { readonly txHash: string }>(
  anchors: readonly A[],
): Map<string, A[]> {
  const found = new Map<string, A[]>()
  for (const anchor of anchors) {
    const same = found.get(anchor.txHash)
    if (same === undefined) found.set(anchor.txHash, [anchor])
    else same.push(anchor)
  }
  return found
}

/**
 * Several nodes as one ledger: what they say of a chain, an anchor or a transaction must be the same, and of the number
 * of anchors the highest counts, since none is ever taken away and a node may lag. Rejects when they do not agree.
 * @throws RangeError without any reader
 */
export function agreeingLedger(readers: readonly LedgerReader[]): LedgerReader {
  const [first] = readers
  if (first === undefined) throw new RangeError('no ledger was given')
  if (readers.length === 1) return first
  const all = async <T>(what: string, ask: (reader: LedgerReader) => Promise<T>): Promise<T> => {
    const [one, ...others] = await Promise.all(readers.map(ask))
    const text = canonicalize(one)
    if (one === undefined || others.some((other) => canonicalize(other) !== text))
      throw new LedgerError(`the ledger servers that were asked do not agree on ${what}`)
    return one
  }
  return {
    live: readers.every(({ live }) => live),
    identity: () => all('their chain', (reader) => reader.identity()),
    count: async () => Math.max(...(await Promise.all(readers.map((reader) => reader.count())))),
    anchorsOf: (indexes) => all('the anchors', (reader) => reader.anchorsOf(indexes)),
    eventsOf: (txHashes) => all('the transactions', (reader) => reader.eventsOf(txHashes)),
  }
}
