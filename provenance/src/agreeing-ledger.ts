import { canonicalize } from './canonical.ts'
import { LedgerError, type LedgerReader } from './ledger.ts'

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
