import type { BundleAnchor, ProofBundle } from '../bundle.ts'
import { isWithheld } from '../bundle-parts.ts'
import { type Digest, fromHex, toHex } from '../digest.ts'
import { genesisHead, headAfter } from '../head.ts'
import { anchorLeaf } from '../leaf.ts'
import { leafHash, nodeHash } from '../merkle.ts'
import { type BoxRecord, recordHash, recordKinds } from '../record.ts'
import { blockTimeText } from '../timestamps.ts'
import type { Sample } from './samples.ts'
import type { Chance } from './world.ts'

type Shown = ProofBundle['records'][number]

/** Makes another bundle of a true one; null where there is nothing to take hold of. May happen to change nothing. */
export type Mutation = (sample: Sample, chance: Chance) => ProofBundle | null

const flipHex = (hex: string, chance: Chance): string => {
  const at = hex.length - 1 - chance(32)
  const flipped = (Number.parseInt(hex.charAt(at), 16) ^ (1 << chance(4))).toString(16)
  return hex.slice(0, at) + flipped + hex.slice(at + 1)
}

const pick = <T>(items: readonly T[], chance: Chance): T | undefined => items[chance(items.length)]
const other = (value: number, chance: Chance): number =>
  Math.max(0, value + (chance(2) === 0 ? 1 : -1) * (1 + chance(3)))
const renumbered = (records: readonly Shown[]): Shown[] =>
  records.map((record, i) => ({ ...record, seq: i + 1 }))

/** Changes one record, chosen by chance. */
const onRecord =
  (change: (record: BoxRecord, chance: Chance) => object): Mutation =>
  ({ bundle }, chance) => {
    const at = chance(bundle.records.length)
    const record = bundle.records[at]
    if (record === undefined || isWithheld(record)) return null
    return { ...bundle, records: bundle.records.with(at, { ...record, ...change(record, chance) }) }
  }

/** Changes one anchor, chosen by chance. */
const onAnchor =
  (change: (anchor: BundleAnchor, chance: Chance, sample: Sample) => object): Mutation =>
  (sample, chance) => {
    const at = chance(sample.bundle.anchors.length)
    const anchor = sample.bundle.anchors[at]
    if (anchor === undefined) return null
    const anchors = sample.bundle.anchors.with(at, { ...anchor, ...change(anchor, chance, sample) })
    return { ...sample.bundle, anchors }
  }

/** Rearranges the records. */
const onRecords =
  (change: (records: readonly Shown[], chance: Chance, sample: Sample) => readonly Shown[]): Mutation =>
  (sample, chance) => ({ ...sample.bundle, records: change(sample.bundle.records, chance, sample) })

function swapped<T>(items: readonly T[], chance: Chance): T[] {
  const [a, b] = [chance(items.length), chance(items.length)]
  const [left, right] = [items[a], items[b]]
  return left === undefined || right === undefined ? [...items] : items.with(a, right).with(b, left)
}

/** What a careful forger does: changes a record and makes heads, leaves and roots fit it again. */
function forgeRebuilt(sample: Sample, chance: Chance): ProofBundle | null {
  const forged = onRecord((record) => ({ data: { ...record.data, forged: chance(1000) } }))(sample, chance)
  if (forged === null) return null
  const heads: Digest[] = [genesisHead(forged.box)]
  for (const record of forged.records) {
    const hash = isWithheld(record) ? fromHex(record.recordHash) : recordHash(record)
    heads.push(headAfter(heads.at(-1) ?? hash, hash))
  }
  const anchors = forged.anchors.map((anchor) => {
    const leaf = { ...anchor.leaf, head: toHex(heads[anchor.leaf.count] ?? fromHex(anchor.leaf.head)) }
    return { ...anchor, leaf, root: rootOf({ ...anchor, leaf }) }
  })
  return { ...forged, anchors }
}

/** The root that an anchor's leaf and path lead to. */
function rootOf({ leaf, leafIndex, treeSize, path }: BundleAnchor): string {
  let [at, last] = [leafIndex, treeSize - 1]
  let hash = leafHash(anchorLeaf(leaf))
  for (const sibling of path.map(fromHex)) {
    while (at % 2 === 0 && at === last) [at, last] = [at / 2, Math.floor(last / 2)]
    hash = at % 2 === 1 ? nodeHash(sibling, hash) : nodeHash(hash, sibling)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return toHex(hash)
}

const later = (time: string, seconds: number) => blockTimeText(Date.parse(time) / 1000 + seconds)

/** Every way in which a bundle is spoilt, by name. None of them makes another true bundle. */
export const mutations: { readonly [name: string]: Mutation } = {
  'record removed': onRecords((records, chance) => records.toSpliced(chance(records.length), 1)),
  'record removed, rest renumbered': onRecords((records, chance) =>
    renumbered(records.toSpliced(chance(records.length), 1)),
  ),
  'newest records removed': onRecords((records, chance) => records.slice(0, chance(records.length))),
  'record inserted': onRecords((records, chance, { neighbour }) =>
    records.toSpliced(chance(records.length + 1), 0, ...neighbour.records.slice(0, 1)),
  ),
  'record inserted, rest renumbered': onRecords((records, chance, { bundle, neighbour }) => {
    const record = pick(neighbour.records, chance)
    if (record === undefined || isWithheld(record)) return []
    return renumbered(records.toSpliced(chance(records.length), 0, { ...record, box: bundle.box }))
  }),
  'record replayed': onRecords((records, chance) => {
    const record = pick(records, chance)
    return record === undefined ? [] : records.toSpliced(chance(records.length + 1), 0, record)
  }),
  'record replayed under a new number': onRecords((records, chance) => {
    const record = pick(records, chance)
    return record === undefined ? [] : [...records, { ...record, seq: records.length + 1 }]
  }),
  'records swapped': onRecords(swapped),
  'records swapped and renumbered': onRecords((records, chance) => renumbered(swapped(records, chance))),
  'records of another box': onRecords((_records, _chance, { neighbour }) => neighbour.records),
  're-dated': onRecord((_record, chance) => ({ at: blockTimeText(1_700_000_000 + chance(1e8)) })),
  'value changed': onRecord((record, chance) => ({
    data: { ...record.data, temperature: chance(1000) / 7 },
  })),
  'value removed': onRecord(({ data }, chance) => {
    const gone = pick(Object.keys(data), chance)
    return { data: Object.fromEntries(Object.entries(data).filter(([name]) => name !== gone)) }
  }),
  'value of another type': onRecord((record) => ({ data: { ...record.data, temperature: '1.5' } })),
  'other kind': onRecord((_record, chance) => ({ kind: pick(recordKinds, chance) })),
  'other device': onRecord((_record, chance) => ({ by: `device-${2 + chance(9)}` })),
  'other salt': onRecord(({ salt }, chance) => ({ salt: flipHex(salt, chance) })),
  'other restricted part': onRecord(({ restricted = '0'.repeat(64) }, chance) => ({
    restricted: flipHex(restricted, chance),
  })),
  'other seq': onRecord(({ seq }, chance) => ({ seq: other(seq, chance) })),
  'record of another box': onRecord((_record, _chance) => ({ box: 'another' })),
  'withheld with another hash': ({ bundle }, chance) => {
    const seq = 1 + chance(bundle.records.length)
    const forged = { seq, recordHash: flipHex('00'.repeat(32), chance), withheld: true } as const
    return { ...bundle, records: bundle.records.with(seq - 1, forged) }
  },
  'changed and rebuilt': forgeRebuilt,
  'leaf: count': onAnchor(({ leaf }, chance) => ({ leaf: { ...leaf, count: other(leaf.count, chance) } })),
  'leaf: head': onAnchor(({ leaf }, chance) => ({ leaf: { ...leaf, head: flipHex(leaf.head, chance) } })),
  'leaf: sealed': onAnchor(({ leaf }) => ({ leaf: { ...leaf, sealed: !leaf.sealed } })),
  'leaf: box': onAnchor(({ leaf }) => ({ leaf: { ...leaf, box: `${leaf.box}x` } })),
  'leaf of another anchor': onAnchor((_anchor, chance, { bundle }) => ({
    leaf: pick(bundle.anchors, chance)?.leaf,
  })),
  'path: bit': onAnchor(({ path }, chance) => {
    const at = chance(path.length)
    return { path: path.map((hash, i) => (i === at ? flipHex(hash, chance) : hash)) }
  }),
  'path: shorter': onAnchor(({ path }, chance) => ({ path: path.toSpliced(chance(path.length), 1) })),
  'path: longer': onAnchor(({ path, root }, chance) => ({
    path: path.toSpliced(chance(path.length + 1), 0, root),
  })),
  'path: swapped': onAnchor(({ path }, chance) => ({ path: swapped(path, chance) })),
  'leaf index': onAnchor(({ leafIndex }, chance) => ({ leafIndex: other(leafIndex, chance) })),
  'tree size': onAnchor(({ treeSize }, chance) => ({ treeSize: other(treeSize, chance) })),
  'anchor index': onAnchor(({ index }, chance) => ({ index: other(index, chance) })),
  root: onAnchor(({ root }, chance) => ({ root: flipHex(root, chance) })),
  'transaction: bit': onAnchor(({ txHash }, chance) => ({ txHash: flipHex(txHash, chance) })),
  'transaction of another anchor': onAnchor((_anchor, chance, { bundle }) => ({
    txHash: pick(bundle.anchors, chance)?.txHash,
  })),
  'block number': onAnchor(({ blockNumber }, chance) => ({ blockNumber: other(blockNumber, chance) })),
  time: onAnchor(({ time }, chance) => ({ time: later(time, 1 + chance(1e6)) })),
  'anchors swapped': ({ bundle }, chance) => ({ ...bundle, anchors: swapped(bundle.anchors, chance) }),
  'anchor repeated': ({ bundle }, chance) => {
    const at = chance(bundle.anchors.length)
    return { ...bundle, anchors: bundle.anchors.toSpliced(at, 0, ...bundle.anchors.slice(at, at + 1)) }
  },
  'newest anchors removed': ({ bundle }, chance) => ({
    ...bundle,
    anchors: bundle.anchors.slice(0, chance(bundle.anchors.length)),
  }),
  'newest anchors and records removed': ({ bundle }, chance) => {
    const anchors = bundle.anchors.slice(0, chance(bundle.anchors.length))
    return { ...bundle, anchors, records: bundle.records.slice(0, anchors.at(-1)?.leaf.count ?? 1) }
  },
  'anchors of another box': ({ bundle, neighbour }) => ({ ...bundle, anchors: neighbour.anchors }),
  'anchor of another box': ({ bundle, neighbour }, chance) => ({
    ...bundle,
    anchors: bundle.anchors.toSpliced(chance(bundle.anchors.length + 1), 0, ...neighbour.anchors.slice(-1)),
  }),
  'box name': ({ bundle }) => ({ ...bundle, box: `${bundle.box}x` }),
  'chain id': ({ bundle }, chance) => ({
    ...bundle,
    ledger: { ...bundle.ledger, chainId: other(bundle.ledger.chainId, chance) },
  }),
  contract: ({ bundle }, chance) => ({
    ...bundle,
    ledger: { ...bundle.ledger, contract: flipHex(bundle.ledger.contract, chance) },
  }),
}
