import { bundleFields, type ProofBundle } from './bundle.ts'
import { FormatError } from './format-error.ts'
import { type Fields, fields, integer, literal } from './validate.ts'

/** The `kept` of the news of a bundle: how many items of a former one precede those of their lists. */
export interface FormerLengths {
  readonly records: number
  readonly anchors: number
}

/**
 * How far a bundle goes: its records, and the last anchor at which the box had grown, as `12-4`, or `12-none` before
 * the first. The last anchor of a bundle may be one that only repeats the state before it.
 */
export function positionOf({ records, anchors }: ProofBundle): string {
  const grown = anchors.findLast(({ leaf }, i) => leaf.count > (anchors[i - 1]?.leaf.count ?? 0))
  return `${records.length}-${grown?.index ?? 'none'}`
}

/**
 * The bundle that a former one and its news make: a bundle whose lists lack what is `kept`. It is checked like any
 * other, by `verifyBundle`: whoever made the news could have sent it whole, so nothing is believed that would not be
 * believed then.
 * @param former one that was verified
 * @throws FormatError when these are no news of that box, on that ledger, or go on from where it does not reach
 */
export function withNews(former: ProofBundle, news: unknown): unknown {
  const from = fields(news, '$', [...bundleFields, 'kept'], ['devices'])
  const { kept: part, records, anchors, ...others } = from.of
  const kept = fields(part, '$.kept', ['records', 'anchors'])
  literal(from, 'box', former.box)
  const ledger = fields(from.of.ledger, '$.ledger', ['chainId', 'contract', 'rpc'])
  for (const name of ['chainId', 'contract', 'rpc'] as const) literal(ledger, name, former.ledger[name])
  return {
    ...others,
    records: joined(former.records, records, kept, 'records'),
    anchors: joined(former.anchors, anchors, kept, 'anchors'),
  }
}

function joined(
  former: readonly unknown[],
  added: unknown,
  kept: Fields,
  name: keyof FormerLengths,
): unknown[] {
  if (!Array.isArray(added)) throw new FormatError(`$.${name}`, 'must be a list')
  return [...former.slice(0, integer(kept, name, [0, former.length])), ...added]
}
