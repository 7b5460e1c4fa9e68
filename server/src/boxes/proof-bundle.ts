import { ShopError } from '@befaqt/domain/errors'
import { schemaNames } from '@befaqt/domain/fields'
import { type BoxProof, loadPaths, proveBox } from '@befaqt/provenance/box-map'
import type { AbsenceBundle, BundleAnchor, FormerLengths } from '@befaqt/provenance/bundle'
import type { BundleLog } from '@befaqt/provenance/bundle-log'
import type { LedgerAddress } from '@befaqt/provenance/bundle-parts'
import { registerBoxOf } from '@befaqt/provenance/signed/device-register'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  type AnchorRow,
  anchorFactsSchema,
  BoxState,
  factsOf,
  newestAnchor,
  nodesIn,
} from '#server/anchoring/index.ts'
import { type HistoryDeps, withArchive } from '#server/boxes/archive/read-archive.ts'
import type { Position } from '#server/boxes/events/news.ts'
import { type Archived, type RecordRow, readBox, shownRecord } from '#server/boxes/read-records.ts'
import type { LedgerLocation } from '#server/chain/port.ts'
import { FROM_REPLICA, rows, type Tx } from '#server/db/client.ts'
import { withLog } from './proof-log.ts'
import { allKeysOf, keysOf } from './signing-keys.ts'
import { type ProvenAnchor, provenAnchorsOfBox } from './whole-box.ts'

/** What a proof may have beside what every verifier reads. */
export type ProofParts = { log?: boolean; scales?: boolean }

/** What a proof is made of. */
export type ProofDeps = HistoryDeps & { ledger: LedgerLocation }

/**
 * All that a stranger needs to check one box: a `ProofBundle` as JSON text. Its records are the stored canonical texts.
 * Source: protocol §5.
 * @param parts also with the log of anchors, where it is signed, and with the registers of scales (`keysOf`)
 * @throws ShopError `box.not_found`, `unavailable` while the newest anchors are written to the ledger again
 */
export async function proofBundle(
  deps: ProofDeps,
  boxID: string,
  { log: isLogged = false, scales = false }: ProofParts = {},
): Promise<string> {
  const address = await ledgerAddress(deps.ledger)
  const { box, devices, log } = await withArchive(deps, (archived) =>
    deps.db.transaction(async (tx) => {
      const box = await readHistory(tx, boxID, BEGINNING, archived)
      const devices = await registersOf(tx, keysOf(box.rows, scales))
      return (isLogged ? await withLog(tx, box, devices) : undefined) ?? { box, devices, log: undefined }
    }, FROM_REPLICA),
  )
  return bundleText(box, devices, address, { ...(log !== undefined && { log }) })
}

/**
 * What a proof of a box has beyond one that went as far as `after`, for `withNews`, as JSON text. If that is unknown,
 * nothing is kept and everything is new: a position that never was, and a box with a record that was withheld, perhaps
 * since. The registers of devices are whole in it.
 * @throws as `proofBundle`
 */
export async function proofNews(
  deps: ProofDeps,
  boxID: string,
  after: Position,
  { scales = false }: Pick<ProofParts, 'scales'> = {},
): Promise<string> {
  const address = await ledgerAddress(deps.ledger)
  const { box, devices, kept } = await withArchive(deps, (archived) =>
    deps.db.transaction(async (tx) => {
      const known = await partsBefore(tx, boxID, after)
      const box = await readHistory(tx, boxID, known ? after : undefined, archived)
      const kept = known ?? { records: 0, anchors: 0 }
      const keys = await allKeysOf(tx, boxID, scales, archived)
      return { box, devices: await registersOf(tx, keys), kept }
    }, FROM_REPLICA),
  )
  return bundleText(box, devices, address, { kept })
}

/** What a proof that went so far held, if it is the beginning of one that is made now. */
async function partsBefore(
  tx: Tx,
  boxID: string,
  { seq, anchor }: Position,
): Promise<FormerLengths | undefined> {
  const [found] = await rows<{ records: number; withheld: boolean; anchors: number; newest: number | null }>(
    tx,
    sql`select b.count as records,
          exists (select from records where box_id = b.id and seq <= ${seq}::int and body is null) as withheld,
          a.count::int as anchors, a.newest
        from boxes b, lateral (
          select count(*), max(l.anchor_index) as newest
          from anchor_leaves l join anchors a on a.index = l.anchor_index and a.state = 'confirmed'
          where l.box_id = b.id and l.anchor_index <= ${anchor}::int) a
        where b.id = ${boxID}`,
  )
  const isKnown = found && seq <= found.records && !found.withheld && (found.newest ?? -1) === anchor
  return isKnown ? { records: seq, anchors: found.anchors } : undefined
}

/** What is shown of a box: its rows and anchors, all or those after a position. */
type History = { boxID: string; rows: readonly RecordRow[]; shown: readonly BundleAnchor[] }

const BEGINNING: Position = { seq: 0, anchor: -1 }

async function readHistory(tx: Tx, boxID: string, after = BEGINNING, archived?: Archived): Promise<History> {
  const { box, rows } = await readBox(tx, boxID, after.seq, archived)
  const proven = await provenAnchorsOfBox(tx, boxID, after.anchor)
  const grown = proven.map((one) => grownAnchor(boxID, one))
  const newest = box.heldBack ? undefined : await newestState(tx, boxID, grown.at(-1)?.index ?? after.anchor)
  return { boxID, rows, shown: newest === undefined ? grown : [...grown, newest] }
}

async function registersOf(tx: Tx, keys: readonly string[]): Promise<History[]> {
  const devices: History[] = []
  for (const key of keys) devices.push(await readHistory(tx, registerBoxOf(key)))
  return devices
}

function bundleText(
  box: History,
  devices: readonly History[],
  address: LedgerAddress,
  more: { kept?: FormerLengths; log?: BundleLog },
): string {
  const parts = [fieldsOf(box, address)]
  if (devices.length > 0)
    parts.push(`"devices":[${devices.map((device) => `{${fieldsOf(device, address)}}`).join(',')}]`)
  for (const [name, part] of Object.entries(more)) parts.push(`"${name}":${JSON.stringify(part)}`)
  return `{${parts.join(',')}}`
}

function fieldsOf({ boxID, rows, shown }: History, address: LedgerAddress): string {
  const records = rows.map(shownRecord).join(',')
  const [box, where, anchors] = [boxID, address, shown].map((part) => JSON.stringify(part))
  return `"v":2,"box":${box},"records":[${records}],"ledger":${where},"anchors":${anchors}`
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
  }, FROM_REPLICA)
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

/**
 * The box in the newest anchor; undefined: it has grown there, or never. `lastGrowth`: the index of the anchor, or -1.
 */
async function newestState(tx: Tx, boxID: string, lastGrowth: number): Promise<BundleAnchor | undefined> {
  const newest = await newestAnchor(tx)
  if (newest === undefined || lastGrowth < 0 || newest.index === lastGrowth) return undefined
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

const path = z.array(z.string())
const counts = { boxes: z.int(), records: z.int() }
const countsOfLog = {
  boxes: z.int().exactOptional().describe('where the log of the proof covers the anchor'),
  records: z.int().exactOptional(),
}
const ledger = z.strictObject({ chainId: z.int(), contract: z.string(), rpc: z.string() })

const bundle = {
  v: z.literal(2),
  box: z.string(),
  records: z.array(z.unknown().describe('a record as it is kept, also one that was tampered with')),
  ledger,
  anchors: z.array(
    z.strictObject({
      ...anchorFactsSchema,
      ...countsOfLog,
      leaf: BoxState,
      path,
      before: z
        .strictObject({
          root: z.string(),
          leaf: BoxState.nullable(),
          other: BoxState.nullable(),
          path,
          time: z.string().exactOptional(),
          ...countsOfLog,
        })
        .nullable()
        .describe('the box in the anchor with the index before'),
    }),
  ),
}

/** A proof bundle in outline, for the API's document: its truth is for a verifier to see. Source: protocol §5. */
export const Proof = z
  .strictObject({
    ...bundle,
    devices: z
      .array(z.strictObject(bundle))
      .exactOptional()
      .describe('proofs of the register boxes of keys that signed its readings and weights'),
    log: z
      .strictObject({
        checkpoint: z.string().describe('a note that the log and its witnesses signed'),
        inclusion: z.record(z.string(), path).describe('the way of each anchor up to its root, by index'),
        state: z
          .strictObject({
            index: z.int(),
            root: z.string(),
            time: z.string(),
            ...counts,
            leaf: BoxState,
            path,
          })
          .exactOptional()
          .describe('the box in the newest anchor that it covers, where no other place shows it'),
      })
      .exactOptional()
      .describe('that the log of anchors holds these, where it was asked for and is signed'),
  })
  .register(schemaNames, { id: 'ProofBundle' })

/** What a proof has beyond an older one: its lists without the items that the older one has. */
export const ProofNews = Proof.omit({ log: true })
  .extend({
    kept: z.strictObject({ records: z.int(), anchors: z.int() }),
  })
  .register(schemaNames, { id: 'ProofNews' })

/** Proof that the box map does not hold a box. Source: protocol §4 and §5. */
export const Absence = z
  .strictObject({
    v: z.literal(2),
    box: z.string(),
    ledger,
    anchor: z.strictObject(anchorFactsSchema),
    other: BoxState.nullable().describe('the leaf at which the way to the box ends'),
    path,
  })
  .register(schemaNames, { id: 'AbsenceBundle' })
