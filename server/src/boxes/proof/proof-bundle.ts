import { ShopError } from '@befaqt/domain/errors'
import { type BoxProof, proveBox } from '@befaqt/provenance/box-map'
import { type AbsenceBundle, type BundleAnchor, MAX_DEVICES } from '@befaqt/provenance/bundle'
import type { LedgerAddress } from '@befaqt/provenance/bundle-parts'
import { loadPaths } from '@befaqt/provenance/load-paths'
import { registerBoxOf } from '@befaqt/provenance/signed/device-register'
import { type AnchorRow, factsOf, newestAnchor } from '#server/anchoring/anchor-facts.ts'
import { nodesIn } from '#server/anchoring/box-map/map-nodes.ts'
import { type RecordRow, readBox, shownRecord } from '#server/boxes/records/read-records.ts'
import type { LedgerLocation } from '#server/chain/ledger-location.ts'
import { type Db, ONE_MOMENT, type Tx } from '#server/db/client.ts'
import { type ProvenAnchor, provenAnchorsOfBox } from './anchor-states.ts'

/** What a proof is made of. */
export type ProofDeps = { db: Db; ledger: LedgerLocation }

/**
 * All that a stranger needs to check one box: a `ProofBundle` as JSON text. Records stand in it as they are kept,
 * which is their canonical text. Source: protocol §5.
 * @throws ShopError `box.not_found`, `unavailable` while the newest anchors are written to the ledger again
 */
export async function proofBundle({ db, ledger }: ProofDeps, boxID: string): Promise<string> {
  const address = await ledgerAddress(ledger)
  const { box, devices } = await db.transaction(async (tx) => {
    const box = await readHistory(tx, boxID)
    const devices: History[] = []
    for (const key of keysOf(box.rows)) devices.push(await readHistory(tx, registerBoxOf(key)))
    return { box, devices }
  }, ONE_MOMENT)
  const fields = fieldsOf(box, address)
  if (devices.length === 0) return `{${fields}}`
  return `{${fields},"devices":[${devices.map((device) => `{${fieldsOf(device, address)}}`).join(',')}]}`
}

type History = { boxID: string; rows: readonly RecordRow[]; shown: readonly BundleAnchor[] }

async function readHistory(tx: Tx, boxID: string): Promise<History> {
  const { box, rows } = await readBox(tx, boxID)
  const grown = (await provenAnchorsOfBox(tx, boxID)).map((proven) => grownAnchor(boxID, proven))
  const newest = box.heldBack ? undefined : await newestState(tx, boxID, grown.at(-1))
  return { boxID, rows, shown: newest === undefined ? grown : [...grown, newest] }
}

function fieldsOf({ boxID, rows, shown }: History, address: LedgerAddress): string {
  const records = rows.map(shownRecord).join(',')
  const [box, where, anchors] = [boxID, address, shown].map((part) => JSON.stringify(part))
  return `"v":2,"box":${box},"records":[${records}],"ledger":${where},"anchors":${anchors}`
}

/** The first fields of a mark in canonical text. No string holds them: its quotes would be escaped. */
const SIGNED_WITH = /"signed":\{(?:"bytes":"[0-9a-f]*",)?"form":"[a-z]+","key":"([0-9a-f]{32})"/

/** The keys that signed these records. A row that was tampered with names none that the verifier would not see. */
function keysOf(rows: readonly RecordRow[]): string[] {
  const found = new Set<string>()
  for (const { kind, body } of rows) {
    const key = kind === 'tracking' ? SIGNED_WITH.exec(body ?? '')?.[1] : undefined
    if (key !== undefined) found.add(key)
  }
  return [...found].slice(0, MAX_DEVICES)
}

/**
 * Proof that the newest map does not hold a box: an `AbsenceBundle`. Source: protocol §4 and §5.
 * @throws ShopError `conflict` when it holds it, `unavailable` while there is no anchor
 */
export async function absenceBundle({ db, ledger }: ProofDeps, boxID: string): Promise<AbsenceBundle> {
  const address = await ledgerAddress(ledger)
  const { newest, proof } = await db.transaction(async (tx) => {
    const newest = await newestAnchor(tx)
    if (newest === undefined) throw new ShopError('unavailable', 'Nothing is anchored yet. Please try again.')
    return { newest, proof: await proofIn(tx, newest, boxID) }
  }, ONE_MOMENT)
  if (proof.leaf !== null) throw new ShopError('conflict', 'There is such a box: ask for its proof.')
  const { other, path } = proof
  return { v: 2, box: boxID, ledger: address, anchor: factsOf(newest), other, path }
}

async function ledgerAddress(ledger: LedgerLocation): Promise<LedgerAddress> {
  const { chainId, contract, rpc } = await ledger.locate()
  return { chainId, contract: contract ?? `0x${'0'.repeat(40)}`, rpc }
}

function grownAnchor(box: string, { anchor, leaf }: ProvenAnchor): BundleAnchor {
  const { count, head, sealed, path, before } = leaf
  return {
    ...factsOf(anchor),
    leaf: { box, count, head, sealed },
    path: path.match(/.{64}/g) ?? [],
    before: before === null ? null : JSON.parse(before),
  }
}

/** The box in the newest anchor; undefined: it has grown there, or never. */
async function newestState(
  tx: Tx,
  boxID: string,
  grown: BundleAnchor | undefined,
): Promise<BundleAnchor | undefined> {
  const newest = await newestAnchor(tx)
  if (newest === undefined || grown === undefined || newest.index === grown.index) return undefined
  const { leaf, path } = await proofIn(tx, newest, boxID)
  return leaf === null ? undefined : { ...factsOf(newest), leaf, path, before: null }
}

/** What the map of an anchor says of a box. */
async function proofIn(tx: Tx, { root }: AnchorRow, boxID: string): Promise<BoxProof> {
  try {
    const nodes = await loadPaths(nodesIn(tx), root, [boxID])
    return proveBox(nodes, root, boxID)
  } catch (cause) {
    // A reorganisation took more anchors back than maps are kept.
    if (!(cause instanceof RangeError)) throw cause
    const message = 'The newest anchors are being written to the ledger again. Please try again.'
    throw new ShopError('unavailable', message, { cause })
  }
}
