import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { LedgerHealth } from '@befaqt/domain/api/manage-api'
import { desc, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Chain } from '#server/chain/port.ts'
import { type Db, rows } from '#server/db/client.ts'
import { anchors, ledgers } from '#server/db/schema/ledger.ts'
import { defineRoutes, type Reads, registerReads } from '#server/http/route.ts'

export const ledgerOperations = defineRoutes(endpoints, {
  readLedgerHealth: {
    summary: 'State of anchoring.',
    access: 'staff',
    limits: 'manage-read',
    responses: { 200: LedgerHealth },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const ledgerReads = {
  readLedgerHealth: ledgerHealth,
} satisfies Reads<typeof ledgerOperations, HealthDeps>

/** The state of the ledger, for managers. Public access to it is in `chain/rpc-proxy.ts`. */
export function ledgerRoutes(app: FastifyInstance, deps: HealthDeps): void {
  registerReads(app, ledgerOperations, ledgerReads, deps)
}

export type HealthDeps = { db: Db; chain: Chain; now: () => Date }

/** How anchoring is doing, for metrics, probes and managers. */
type ChainHealth = {
  reachable: boolean
  /** Newest block, null when the chain can't be reached. */
  blockNumber: number | null
  /** Records that no confirmed anchor covers. */
  pendingRecords: number
  /** Block time of the newest confirmed anchor, null before the first. */
  lastAnchorAt: Date | null
  /** Seconds that the oldest pending record (or the anchor that holds it) has waited; 0 when none is pending. */
  lagS: number
  /** Why anchoring stopped until an operator decides, in a sentence. */
  fault: string | null
}

type Seen = Awaited<ReturnType<typeof lookAt>>

/** What is being looked at now, by the database: whoever asks meanwhile, as two parts of one page do, gets the same answer. */
const looking = new WeakMap<Db, Promise<Seen>>()

function seenNow(deps: HealthDeps): Promise<Seen> {
  const begun = looking.get(deps.db)
  if (begun !== undefined) return begun
  const look = lookAt(deps).finally(() => looking.delete(deps.db))
  looking.set(deps.db, look)
  return look
}

const lookAt = ({ db, chain }: HealthDeps) =>
  Promise.all([
    chain.blockNumber().catch(() => null),
    pendingRecords(db),
    db.select().from(anchors).where(eq(anchors.state, 'confirmed')).orderBy(desc(anchors.index)).limit(1),
    db.select({ fault: ledgers.fault }).from(ledgers).where(sql`fault is not null`).limit(1),
  ])

/**
 * Queries chain and database, once for all who ask at the same time. Reads every box that waits for its anchor: call it every
 * few seconds, not on every request.
 */
export async function chainHealth(deps: HealthDeps): Promise<ChainHealth> {
  const [blockNumber, pending, newest, ledger] = await seenNow(deps)
  const time = newest[0]?.blockTime
  return {
    reachable: blockNumber !== null,
    blockNumber,
    pendingRecords: pending.records,
    lastAnchorAt: time == null ? null : new Date(time * 1000),
    lagS: pending.since === null ? 0 : Math.max(0, (deps.now().getTime() - Date.parse(pending.since)) / 1000),
    fault: ledger[0]?.fault ?? null,
  }
}

/** The same for managers, with times as in responses. */
async function ledgerHealth(deps: HealthDeps): Promise<LedgerHealth> {
  const { lastAnchorAt, ...health } = await chainHealth(deps)
  return { ...health, lastAnchorAt: lastAnchorAt?.toISOString() ?? null }
}

type Pending = { records: number; since: string | null }

/** Records in unconfirmed anchors, and those after the newest collected one. */
export async function pendingRecords(db: Db): Promise<Pending> {
  const [pending] = await rows<Pending>(
    db,
    sql`with grown as (
          select b.id, b.count - coalesce(l.count, 0) as records, coalesce(l.count, 0) + 1 as first
          from boxes b left join lateral (select count from anchor_leaves where box_id = b.id
            order by anchor_index desc limit 1) l on true
          where b.id in (select box_id from grown_boxes) and not b.held_back and b.count > coalesce(l.count, 0)),
        parts as (
          select records, r.recorded_at as since from grown
            left join records r on r.box_id = grown.id and r.seq = grown.first
          union all select records, created_at from anchors where state <> 'confirmed')
        select least(coalesce(sum(records), 0), 2147483647)::int as records,
          to_char(min(since) filter (where isfinite(since)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
        from parts`,
  )
  return pending ?? { records: 0, since: null }
}
