import type { Logger } from 'pino'
import { accountRetention } from './accounts/retention.ts'
import { linkedPictureRetention } from './catalogue/index.ts'
import type { Db } from './db/client.ts'
import { eventRetention } from './db/events.ts'
import { purge, type Retention } from './db/retention.ts'
import { deskRetention } from './desk/retention.ts'
import { fieldRetention } from './field/retention.ts'
import { enqueue } from './jobs/queue.ts'
import type { JobHandler } from './jobs/run.ts'
import { noticeRetention } from './notices/retention.ts'
import { orderRetention } from './orders/retention.ts'
import { siteRetention } from './site/retention.ts'
import { webhookRetention } from './webhooks/retention.ts'

/** The queue of the purge, by the name that jobs of earlier versions wait under. */
export const PURGE_QUEUE = 'account.forget-old'

/** How long rows live: what each feature says of its own tables. */
export const retentions: readonly Retention[] = [
  ...accountRetention,
  ...deskRetention,
  ...fieldRetention,
  ...orderRetention,
  ...noticeRetention,
  ...siteRetention,
  ...eventRetention,
  ...webhookRetention,
  ...linkedPictureRetention,
]

/** Has it purged at `when`, beside each night: once a day for all processes. */
export const schedulePurge = (db: Db, when: Date): Promise<void> =>
  enqueue(db, PURGE_QUEUE, {}, { runAt: when, uniqueKey: when.toISOString().slice(0, 10) })

type Deps = { db: Db; now: () => Date; log: Pick<Logger, 'info'> }

/** The job: ends the rows that have had their time. */
export const purgeJob =
  ({ db, now, log }: Deps): JobHandler =>
  async (_payload, signal) => {
    const counts = await purge(db, now(), retentions, { signal })
    log.info({ rows: counts }, 'deleted rows that had their time')
  }
