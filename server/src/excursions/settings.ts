import { randomUUID } from 'node:crypto'
import type {
  ExcursionSettings,
  MadeNoticeTarget,
  NewNoticeTarget,
  WarmLimitInput,
} from '@befaqt/domain/api/excursion-api'
import { ShopError } from '@befaqt/domain/errors'
import { DEFAULT_WARM_LIMIT, limitKey } from '@befaqt/domain/excursions'
import { Email } from '@befaqt/domain/fields'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import {
  noticeDeliveries,
  noticeTargets,
  warmLimitPeriods,
  warmLimits,
} from '#server/db/schema/excursions.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { newWebhookSecret, webhookTargetError } from '#server/webhooks/webhook-request.ts'
import { secretContext, type WebhookDeps } from './send-webhook.ts'

/** Targets that are notified of each excursion: of more nobody would read the messages. */
const MAX_TARGETS = 20

/** Limits, the shop's first, and who is notified, with failed deliveries. */
export async function readSettings(db: Db): Promise<ExcursionSettings> {
  const limits = await db.select().from(warmLimits).orderBy(asc(warmLimits.species))
  const ofShop = limits.some(({ species }) => species === '') ? [] : [{ species: '', ...DEFAULT_WARM_LIMIT }]
  const failed = sql`from ${noticeDeliveries} where ${noticeDeliveries.targetId} = ${noticeTargets.id} and ${noticeDeliveries.failedAt} is not null`
  const targets = await db
    .select({
      target: noticeTargets,
      failed: sql<number>`(select count(*)::int ${failed})`,
      lastError: sql<string | null>`(select ${noticeDeliveries.lastError} from ${noticeDeliveries}
        where ${noticeDeliveries.targetId} = ${noticeTargets.id} order by ${noticeDeliveries.createdAt} desc limit 1)`,
    })
    .from(noticeTargets)
    .where(isNull(noticeTargets.revokedAt))
    .orderBy(asc(noticeTargets.createdAt))
  return {
    limits: [...ofShop, ...limits],
    targets: targets.map(({ target: { id, kind, address, createdAt }, ...rest }) => ({
      id,
      kind,
      address,
      createdAt: createdAt.toISOString(),
      ...rest,
    })),
  }
}

type LimitDeps = { db: Db; now: () => Date }

/** The newest of those set at one moment counts. */
const insertPeriod = (tx: Tx, { species, since, ...limit }: typeof warmLimitPeriods.$inferSelect) =>
  tx
    .insert(warmLimitPeriods)
    .values({ species, since, ...limit })
    .onConflictDoUpdate({ target: [warmLimitPeriods.species, warmLimitPeriods.since], set: limit })

/** Sets the limit of a species, or the shop's. It counts for readings from now on, whenever these come. */
export async function setWarmLimit(
  { db, now }: LimitDeps,
  principal: Principal,
  input: WarmLimitInput,
): Promise<void> {
  const { degrees, minutes } = input
  const species = limitKey(input.species)
  await db.transaction(async (tx) => {
    await tx
      .insert(warmLimits)
      .values({ species, degrees, minutes })
      .onConflictDoUpdate({ target: warmLimits.species, set: { degrees, minutes } })
    await insertPeriod(tx, { species, since: now(), degrees, minutes })
    await writeAuditEntry(tx, principal, 'box', `limit:${species}`, {
      before: {},
      after: { degrees, minutes },
    })
  })
}

/** @throws ShopError `not_found` */
export async function removeWarmLimit(
  { db, now }: LimitDeps,
  principal: Principal,
  name: string,
): Promise<void> {
  const species = limitKey(name)
  await db.transaction(async (tx) => {
    const [gone] = await tx.delete(warmLimits).where(eq(warmLimits.species, species)).returning()
    if (gone === undefined) throw new ShopError('not_found', 'There is no such limit.')
    await insertPeriod(tx, { species, since: now(), degrees: null, minutes: null })
    await writeAuditEntry(tx, principal, 'box', `limit:${species}`, { before: gone, after: null })
  })
}

/** Adds a notification target. Returns the secret of a webhook, only now. @throws ShopError `input.invalid`, `conflict` */
export async function addTarget(
  deps: WebhookDeps,
  principal: Principal,
  input: NewNoticeTarget,
): Promise<MadeNoticeTarget> {
  const { kind, address } = input
  const problem =
    kind === 'email'
      ? Email.safeParse(address).error?.issues[0]?.message
      : await webhookTargetError(address, deps.config.WEBHOOK_PRIVATE_HOSTS)
  if (problem !== undefined) throw fieldError('address', problem)
  const id = randomUUID()
  const secret = kind === 'webhook' ? newWebhookSecret() : null
  const sealed = secret && deps.secrets.encrypt(secret, secretContext(id))
  await deps.db.transaction(async (tx) => {
    if ((await tx.$count(noticeTargets, isNull(noticeTargets.revokedAt))) >= MAX_TARGETS)
      throw new ShopError('conflict', `At most ${MAX_TARGETS} addresses can be notified. Remove one first.`)
    await tx
      .insert(noticeTargets)
      .values({ id, kind, address, secret: sealed, createdBy: actorId(principal) })
    await writeAuditEntry(tx, principal, 'mail', id, { before: null, after: { kind, address } })
  })
  return { id, secret }
}

/** Stops notifying a target, and deletes its secret. @throws ShopError `not_found` */
export async function removeTarget(
  deps: { db: Db; now: () => Date },
  principal: Principal,
  id: string,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [gone] = await tx
      .update(noticeTargets)
      .set({ revokedAt: deps.now(), secret: null })
      .where(and(eq(noticeTargets.id, id), isNull(noticeTargets.revokedAt)))
      .returning()
    if (gone === undefined) throw new ShopError('not_found', 'There is no such target.')
    const { kind, address } = gone
    await writeAuditEntry(tx, principal, 'mail', id, { before: { kind, address }, after: null })
  })
}
