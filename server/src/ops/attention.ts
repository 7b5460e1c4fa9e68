import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { Attention } from '@befaqt/domain/api/manage-api'
import type { Right } from '@befaqt/domain/rights'
import { eq, isNotNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { chainHealth, type HealthDeps } from '#server/anchoring/index.ts'
import { drillFault } from '#server/backup/last-drill.ts'
import { countAlerted } from '#server/boxes/index.ts'
import type { Config } from '#server/config/config.ts'
import { type Database, rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { payments } from '#server/db/schema/payments.ts'
import { defineRoutes, type Reads, registerReads } from '#server/http/route.ts'
import { hasRight, isOwner, type Principal } from '#server/identity/principal.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { linesToDecide } from '#server/orders/index.ts'

/** Stock at or below this is low, in the product's unit. */
const LOW_STOCK = 5
/** Anchoring intervals after which a pending record counts as late. */
const LATE_ROUNDS = 5
const LATE_S = 300

type Finding = Attention | undefined

export const attentionOperations = defineRoutes(endpoints, {
  readAttention: {
    summary: 'What needs attention, each with a link.',
    access: 'staff',
    limits: 'manage-read',
    responses: { 200: z.array(Attention) },
  },
})

export type AttentionDeps = HealthDeps & {
  config: Pick<Config, 'ANCHOR_INTERVAL_S' | 'DATA_DIR' | 'BACKUP_DIR'>
  database: Pick<Database, 'standbys'>
}

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const attentionReads = {
  readAttention: (deps, { principal }) => attention(deps, principal),
} satisfies Reads<typeof attentionOperations, AttentionDeps>

/** `GET /api/attention`, for the managers' dashboard. */
export function attentionRoutes(app: FastifyInstance, deps: AttentionDeps): void {
  registerReads(app, attentionOperations, attentionReads, deps)
}

/** What is looked for, with the right that doing something about it takes. */
const looks: readonly [right: Right, look: (deps: AttentionDeps) => Promise<Finding | Finding[]>][] = [
  ['order:read', complaintsToDecide],
  ['order:read', ordersToDecide],
  ['shop:write', shelves],
  ['site:write', mail],
  ['order:read', cards],
  ['box:write', alerts],
  ['box:write', ledger],
  ['box:write', heldBack],
  ['site:write', standbys],
]

/** What needs the attention of whoever asks, as far as their rights go, each with a link. */
export async function attention(deps: AttentionDeps, principal: Principal): Promise<Attention[]> {
  const forOwners = isOwner(principal) ? [drill(deps)] : []
  const own = looks.filter(([right]) => hasRight(principal, right))
  const found = await Promise.all([...own.map(([, look]) => look(deps)), ...forOwners])
  return found.flat().filter((finding): finding is Attention => finding !== undefined && finding.count > 0)
}

/** Complaints about food that others eat, too, at which nobody has looked; and all that nobody has answered. */
async function complaintsToDecide({ db }: HealthDeps): Promise<Finding[]> {
  const [n] = await rows<{ food: number; open: number }>(
    db,
    sql`select (select count(*)::int from complaints where about_boxes and checked_at is null) as food,
          (select count(*)::int from complaints where (status = 'OPEN')) as open`,
  )
  const { food, open } = n ?? { food: 0, open: 0 }
  return [
    {
      kind: 'complaints-food',
      count: food,
      words: `${counted(food, 'complaint says', 'complaints say')} that fish is not fresh or made somebody ill: look at the box`,
      href: '/manage/order?status=complaint-check',
    },
    {
      kind: 'complaints',
      count: open,
      words: `${counted(open, 'complaint waits', 'complaints wait')} for an answer`,
      href: '/manage/order?status=complaint',
    },
  ]
}

/** Orders of which a box is recalled or off sale, or that come short since. */
async function ordersToDecide({ db }: HealthDeps): Promise<Finding> {
  const { size: count } = await linesToDecide(db)
  const words = `${counted(count, 'order waits', 'orders wait')} for a decision, since a box is recalled or off sale`
  return { kind: 'to-decide', count, words, href: '/manage/order?status=decide' }
}

async function shelves({ db }: HealthDeps): Promise<Finding[]> {
  const [n] = await rows<{ gone: number; low: number; bare: number; unstated: number }>(
    db,
    sql`select count(*) filter (where stock = 0)::int as gone,
          count(*) filter (where stock > 0 and stock <= ${LOW_STOCK})::int as low,
          count(*) filter (where not exists (select from product_images i where i.product_id = p.id))::int as bare,
          count(*) filter (where origin = '')::int as unstated
        from products p where status = 'ACTIVE'`,
  )
  const { gone, low, bare, unstated } = n ?? { gone: 0, low: 0, bare: 0, unstated: 0 }
  const byStock = '/manage/product?status=ACTIVE&sort=stock&dir=asc'
  return [
    {
      kind: 'out-of-stock',
      count: gone,
      words: `${counted(gone, 'listed product is', 'listed products are')} out of stock`,
      href: byStock,
    },
    {
      kind: 'low-stock',
      count: low,
      words: `${products(low)} with ${LOW_STOCK} or fewer left`,
      href: byStock,
    },
    {
      kind: 'no-picture',
      count: bare,
      words: `${products(bare)} on sale without a picture`,
      href: '/manage/product?status=ACTIVE',
    },
    {
      kind: 'no-origin',
      count: unstated,
      words: `${products(unstated)} on sale without a country of origin`,
      href: '/manage/product?status=ACTIVE&sort=origin&dir=asc',
    },
  ]
}

const counted = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`
const products = (n: number): string => counted(n, 'product', 'products')

/** Minutes after which an email that is still being retried is reported. */
const LATE_MAIL_MIN = 15

async function mail({ db }: HealthDeps): Promise<Finding> {
  const [n] = await rows<{ failed: number; failing: number }>(
    db,
    sql`select count(*) filter (where failed_at is not null)::int as failed,
          count(*) filter (where failed_at is null and last_error is not null
            and created_at < now() - ${LATE_MAIL_MIN} * interval '1 minute')::int as failing
        from jobs where queue = ${MAIL_QUEUE}`,
  )
  const { failed, failing } = n ?? { failed: 0, failing: 0 }
  const words = [
    failed > 0 ? `${counted(failed, 'email', 'emails')} could not be delivered` : [],
    failing > 0 ? `${counted(failing, 'email keeps', 'emails keep')} failing and will be retried` : [],
  ]
  return {
    kind: 'failed-mail',
    count: failed + failing,
    words: words.flat().join(', '),
    href: '/manage/mail',
  }
}

/** Payments by card whose last step failed at the provider, or that need the order packed. */
async function cards({ db }: HealthDeps): Promise<Finding> {
  const found = await db
    .select({ order: payments.orderId })
    .from(payments)
    .where(isNotNull(payments.problem))
    .limit(1_000)
  const count = found.length
  const words = `${counted(count, 'card payment needs', 'card payments need')} attention`
  return { kind: 'card-payment', count, words, href: `/manage/order/${found[0]?.order}` }
}

/** Boxes with alerts that are counted at most. */
const MAX_COUNTED = 1_000_000

/** Excursions that go on or that nobody closed, with the warmest, and boxes with these or with other alerts. */
async function alerts({ db }: HealthDeps): Promise<Finding[]> {
  const [[n], { total: count }, named] = await Promise.all([
    rows<{ open: number; ended: number }>(
      db,
      sql`select count(*) filter (where ended_at is null)::int as open, count(*) filter (where ended_at is not null)::int as ended
          from excursions where closed_at is null and withdrawn_at is null`,
    ),
    countAlerted(db, MAX_COUNTED),
    warmest(db),
  ])
  const { open, ended } = n ?? { open: 0, ended: 0 }
  const words = `${counted(count, 'box has', 'boxes have')} excursions or alerts`
  return [
    {
      kind: 'excursions',
      count: open,
      words: `${counted(open, 'excursion goes', 'excursions go')} on: ${named}`,
      href: '/manage/excursion?state=open',
    },
    {
      kind: 'excursions-ended',
      count: ended,
      words: `${counted(ended, 'excursion', 'excursions')} ended and ${ended === 1 ? 'waits' : 'wait'} for a review`,
      href: '/manage/excursion?state=ended',
    },
    { kind: 'box-alerts', count, words, href: '/manage/box?stage=alerts' },
  ]
}

/** Those that are named. */
const MAX_NAMED = 3

/** The boxes of the excursions that go on with their peaks, the warmest first. */
async function warmest(db: HealthDeps['db']): Promise<string> {
  const found = await rows<{ boxID: string; peak: number | null }>(
    db,
    sql`select box_id as "boxID", peak from excursions
        where closed_at is null and withdrawn_at is null and ended_at is null
        order by peak desc nulls last, since limit ${MAX_NAMED + 1}`,
  )
  const names = found
    .slice(0, MAX_NAMED)
    .map(({ boxID, peak }) => `box ${boxID} ${peak === null ? 'silent' : `up to ${peak.toFixed(1)} °C`}`)
  return [...names, ...(found.length > MAX_NAMED ? ['…'] : [])].join(', ')
}

async function ledger(deps: AttentionDeps): Promise<Finding[]> {
  const health = await chainHealth(deps)
  const href = '/manage/box'
  if (health.fault !== null) return [{ kind: 'ledger-fault', count: 1, words: health.fault, href }]
  const late = health.lagS > Math.max(LATE_S, LATE_ROUNDS * deps.config.ANCHOR_INTERVAL_S)
  const waiting = `${counted(health.pendingRecords, 'record is', 'records are')} not anchored for longer than expected`
  return [
    health.reachable
      ? undefined
      : { kind: 'ledger-unreachable', count: 1, words: 'The ledger does not answer', href },
    late ? { kind: 'late-anchor', count: health.pendingRecords, words: waiting, href } : undefined,
  ]
}

/** Boxes held back after a restored backup, until `npm run -s ledger:recover` releases them. */
async function heldBack({ db }: HealthDeps): Promise<Finding> {
  const count = await db.$count(boxes, eq(boxes.heldBack, true))
  const words = `${counted(count, 'box', 'boxes')} may lack records since a backup was restored, and ${count === 1 ? 'is' : 'are'} not anchored`
  return { kind: 'held-back', count, words, href: '/manage/box' }
}

/** What the loss of the primary database would cost now. */
async function standbys({ database }: AttentionDeps): Promise<Finding> {
  const state = await database.standbys?.look()
  if (state === undefined || state.fault === null) return undefined
  const { orders = 0, anchors = 0, since } = state.atRisk ?? {}
  const lost = `${counted(orders, 'order', 'orders')} and ${counted(anchors, 'anchor', 'anchors')}`
  const from =
    since === undefined ? '' : `, ${lost} since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return { kind: 'standby', count: 1, words: `Database: ${state.fault}${from}`, href: '/manage' }
}

async function drill({ config }: AttentionDeps): Promise<Finding> {
  const fault = await drillFault(config)
  return fault === null
    ? undefined
    : { kind: 'drill', count: 1, words: `Backups: ${fault}`, href: '/manage/backup' }
}
