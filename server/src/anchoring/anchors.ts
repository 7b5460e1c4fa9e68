import * as endpoints from '@befaqt/domain/api/endpoints/boxes'
import { ShopError } from '@befaqt/domain/errors'
import type { BoxState as State } from '@befaqt/provenance'
import type { AnchorChanges, AnchorFacts } from '@befaqt/provenance/bundle-parts'
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

const MAX_INDEX = 2_147_483_647
const Index = z.coerce.number().int('must be a whole number').min(0).max(MAX_INDEX)
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
    query: z.object({ after: z.string().max(200).default('').describe('the box after which to begin') }),
    responses: {
      200: z.strictObject({
        ...anchorFactsSchema,
        leaves: z.array(BoxState),
        next: z.string().exactOptional().describe('the last box, when more follow'),
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
    const changes = which.success ? await changesOf(db, which.data, query.after) : undefined
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

async function changesOf(db: Db, anchorIndex: number, after: string): Promise<AnchorChanges | undefined> {
  const [anchor] = await db
    .select(anchorColumns)
    .from(anchors)
    .where(and(eq(anchors.state, 'confirmed'), eq(anchors.index, anchorIndex)))
  if (anchor === undefined) return undefined
  const found = await rows<{ [name in keyof State]: State[name] }>(
    db,
    sql`select box_id as box, count, head, sealed from anchor_leaves
        where anchor_index = ${anchorIndex} and box_id collate "C" > ${after}
        order by box_id collate "C" limit ${PAGE + 1}`,
  )
  const leaves = found.slice(0, PAGE)
  const last = leaves.at(-1)
  const changes = { ...factsOf(anchor), leaves }
  return found.length > PAGE && last !== undefined ? { ...changes, next: last.box } : changes
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
