import * as endpoints from '@befaqt/domain/api/endpoints/boxes'
import { ShopError } from '@befaqt/domain/errors'
import type { BoxState as State } from '@befaqt/provenance'
import type { AnchorChanges, AnchorFacts, GrownState } from '@befaqt/provenance/bundle-parts'
import { MAX_COUNT } from '@befaqt/provenance/record'
import { blockTimeText } from '@befaqt/provenance/validate'
import { and, asc, desc, eq, gte, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import { sendJson } from '#server/http/caching/cached-response.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'

const { index, root, txHash, blockNumber, blockTime } = anchors

/** The columns of an anchor that documents tell. */
export const anchorColumns = { index, root, txHash, blockNumber, blockTime }
export type AnchorRow = Pick<typeof anchors.$inferSelect, keyof typeof anchorColumns>

/** What documents say of an anchor, for the API's document. Source: protocol §5. */
export const anchorFactsSchema = {
  index: z.int(),
  root: z.string(),
  txHash: z.string(),
  blockNumber: z.int(),
  time: z.string(),
}

/** A box's state, for the API's document. Source: protocol §4. */
export const BoxState = z.strictObject({
  box: z.string(),
  count: z.int(),
  head: z.string(),
  sealed: z.boolean(),
})

/** Anchors, or leaves of one, in a response. */
const PAGE = 1_000
/** Hashes of records in a response. */
const HASHES = 10_000

const MAX_INDEX = 2_147_483_647
const Index = z.coerce.number().int('must be a whole number').min(0).max(MAX_INDEX)
const Seq = z.coerce.number().int('must be a whole number').min(1).max(MAX_COUNT)
const read = { access: 'public', limits: 'history', anyOrigin: true } as const

const anchorOperations = defineRoutes(endpoints, {
  listAnchors: {
    ...read,
    summary: 'Anchors that the ledger holds, oldest first.',
    query: z.object({ from: Index.default(0).describe('the first index') }),
    responses: {
      200: z.strictObject({
        anchors: z.array(z.strictObject(anchorFactsSchema)),
        next: z.int().exactOptional().describe('more follow from this index on'),
      }),
    },
  },
  readAnchor: {
    ...read,
    summary: 'What changed at an anchor, for whoever follows the box map.',
    query: z.object({
      after: z.string().max(200).default('').describe('the box after which to begin'),
      record: Seq.exactOptional().describe('begin within that box, after this record'),
    }),
    responses: {
      200: z.strictObject({
        ...anchorFactsSchema,
        leaves: z.array(
          BoxState.extend({ records: z.array(z.string()).describe('hashes of its new records') }),
        ),
        next: z.string().exactOptional().describe('the last box, when more follow'),
        nextRecord: z.int().exactOptional().describe('its last record, when more of that box follow'),
      }),
    },
  },
})

/** Anchors for auditors: with the changes of all, anybody can build the box map anew. Source: protocol §5. */
export function anchorRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  registerRoute(app, anchorOperations.listAnchors, async ({ query, request, reply }) =>
    sendJson(request, reply, JSON.stringify(await anchorsFrom(db, query.from))),
  )
  registerRoute(app, anchorOperations.readAnchor, async ({ params, query, request, reply }) => {
    const which = Index.safeParse(params.index)
    const changes = which.success ? await changesOf(db, which.data, query) : undefined
    if (changes === undefined) throw new ShopError('not_found', 'There is no such anchor.')
    return sendJson(request, reply, JSON.stringify(changes))
  })
}

async function anchorsFrom(db: Db, from: number): Promise<{ anchors: AnchorFacts[]; next?: number }> {
  const found = await db
    .select(anchorColumns)
    .from(anchors)
    .where(and(eq(anchors.state, 'confirmed'), gte(anchors.index, from)))
    .orderBy(asc(anchors.index))
    .limit(PAGE + 1)
  const beyond = found[PAGE]
  const page = { anchors: found.slice(0, PAGE).map(factsOf) }
  return beyond === undefined ? page : { ...page, next: beyond.index }
}

type Place = { after: string; record?: number }

async function changesOf(db: Db, anchorIndex: number, place: Place): Promise<AnchorChanges | undefined> {
  const [anchor] = await db
    .select(anchorColumns)
    .from(anchors)
    .where(and(eq(anchors.state, 'confirmed'), eq(anchors.index, anchorIndex)))
  if (anchor === undefined) return undefined
  const found = await grownFrom(db, anchorIndex, place)
  const page = fitting(found)
  const leaves = await withRecords(db, page)
  const [last, behind] = [page.at(-1), found[page.length]]
  const changes = { ...factsOf(anchor), leaves }
  if (last === undefined || (behind === undefined && last.until === last.count)) return changes
  const more = { ...changes, next: last.box }
  return last.until === last.count ? more : { ...more, nextRecord: last.until }
}

/** A leaf, and which of its box's records a page shows: those after `from`, up to `until`. */
type Shown = State & { from: number; until: number }

/** Leaves of an anchor from a place on, each with all records that are new there; one more than a page has. */
async function grownFrom(db: Db, anchorIndex: number, { after, record }: Place): Promise<Shown[]> {
  const within = record === undefined ? sql`false` : sql`l.box_id = ${after}`
  const found = await rows<{ [name in keyof State]: State[name] } & { before: number }>(
    db,
    sql`select l.box_id as box, l.count, l.head, l.sealed, coalesce(p.count, 0) as before
        from anchor_leaves l left join lateral (
          select count from anchor_leaves where box_id = l.box_id and anchor_index < l.anchor_index
          order by anchor_index desc limit 1) p on true
        where l.anchor_index = ${anchorIndex} and (l.box_id collate "C" > ${after} or ${within})
        order by l.box_id collate "C" limit ${PAGE + 1}`,
  )
  return found.map(({ before, ...state }) => {
    const from = record !== undefined && state.box === after ? Math.max(before, record) : before
    return { ...state, from, until: state.count }
  })
}

/** As many of them as a page holds; the records of the last may go on in the next one. */
function fitting(found: readonly Shown[]): Shown[] {
  const page: Shown[] = []
  let left = HASHES
  for (const leaf of found.slice(0, PAGE)) {
    if (left === 0) break
    const until = Math.min(leaf.count, leaf.from + left)
    page.push({ ...leaf, until })
    left -= Math.max(0, until - leaf.from)
  }
  return page
}

async function withRecords(db: Db, page: readonly Shown[]): Promise<GrownState[]> {
  const ranges = page.map(({ box, from, until }) => ({ box, first: from + 1, last: until }))
  const found = await rows<{ box: string; hash: string }>(
    db,
    // A fence: joined, the view would be read from end to end.
    sql`select l.box, r.record_hash as hash
        from json_to_recordset(${JSON.stringify(ranges)}::json) as l(box text, first int, last int)
        cross join lateral (
          select seq, record_hash from known_records
          where box_id = l.box and seq between l.first and l.last offset 0) r
        order by l.box, r.seq`,
  )
  const hashes = Map.groupBy(found, ({ box }) => box)
  return page.map(({ box, count, head, sealed }) => {
    const records = (hashes.get(box) ?? []).map(({ hash }) => hash)
    return { box, count, head, sealed, records }
  })
}

/** An anchor as documents name it. */
export const factsOf = ({ index, root, txHash, blockNumber, blockTime }: AnchorRow): AnchorFacts => ({
  index,
  root,
  txHash: txHash ?? '',
  blockNumber: blockNumber ?? 0,
  time: blockTimeText(blockTime ?? 0),
})

/** The newest confirmed anchor; undefined: there is none. */
export async function newestAnchor(db: Db | Tx): Promise<AnchorRow | undefined> {
  const [newest] = await db
    .select(anchorColumns)
    .from(anchors)
    .where(eq(anchors.state, 'confirmed'))
    .orderBy(desc(index))
    .limit(1)
  return newest
}
