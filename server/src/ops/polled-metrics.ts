import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { chainHealth, type HealthDeps } from '#server/anchoring/index.ts'
import { lastDrill } from '#server/backup/last-drill.ts'
import type { Config } from '#server/config/config.ts'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import { type Database, rows } from '#server/db/client.ts'
import { type ConsumerState, consumerStates } from '#server/db/consume.ts'
import { NO_STANDBYS } from '#server/db/standbys.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { byLabel, gauge, type Metric } from './prometheus.ts'
import type { Ready } from './readiness.ts'
import { freeBytes } from './readiness-checks.ts'

const REFRESH_MS = 5_000
/** The next poll begins after this, even if the one before is still pending. */
const TIMEOUT_MS = 10_000

/** Metrics of database, disk and chain, as of the last poll. */
export type PolledMetrics = { read(): readonly Metric[]; stop(): void }

export type PolledMetricsDeps = HealthDeps & { config: Pick<Config, 'DATA_DIR'>; database: Database }

/** Polls every few seconds, beginning with the first read; reading never waits. */
export function polledMetrics(deps: PolledMetricsDeps, ready: Ready): PolledMetrics {
  const stopping = new AbortController()
  const { signal } = stopping
  const groups = [
    () => componentMetrics(ready),
    () => diskMetrics(deps),
    () => drillMetrics(deps),
    () => jobMetrics(deps),
    () => watchMetrics(deps),
    () => eventMetrics(deps),
    () => chainMetrics(deps),
    () => standbyMetrics(deps),
  ]
  const known: (readonly Metric[])[] = groups.map(() => [])
  let isRunning = false
  let polledAt = 0
  const poll = async (group: () => Promise<Metric[]>, i: number): Promise<void> => {
    const metrics = await group().catch(() => undefined) // readiness reports what is unreachable
    if (metrics !== undefined) known[i] = metrics
  }
  const run = async (): Promise<void> => {
    const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false })
    while (!signal.aborted) {
      await Promise.race([Promise.all(groups.map(poll)), pause(TIMEOUT_MS)])
      polledAt = Date.now()
      await pause(REFRESH_MS)
    }
  }
  return {
    read: () => {
      if (!isRunning) run().catch(() => undefined) // rejects only when stopped
      isRunning = true
      const age = polledAt === 0 ? Number.NaN : (Date.now() - polledAt) / 1000
      const aged = gauge('befaqt_figures_age_seconds', 'Age of the metrics of database, disk and chain.', age)
      return [aged, ...known.flat()]
    },
    stop: () => stopping.abort(),
  }
}

async function componentMetrics(ready: Ready): Promise<Metric[]> {
  const { ok, ...parts } = await ready()
  const up = Object.entries(parts).map(([part, state]) => [part, state === 'ok' ? 1 : 0])
  return [
    gauge('befaqt_ready', '1 when this process can serve.', ok ? 1 : 0),
    byLabel('gauge', 'befaqt_part_up', '1 when this part works.', 'part', Object.fromEntries(up)),
  ]
}

async function diskMetrics({ config }: PolledMetricsDeps): Promise<Metric[]> {
  const free = await freeBytes(config.DATA_DIR)
  return [gauge('befaqt_data_dir_free_bytes', 'Free space in DATA_DIR.', free)]
}

/** NaN: there was none. */
async function drillMetrics({ config }: PolledMetricsDeps): Promise<Metric[]> {
  const last = await lastDrill(config.DATA_DIR)
  const seconds = (at: string | null | undefined): number => (at == null ? Number.NaN : Date.parse(at) / 1000)
  const ok = last === undefined ? Number.NaN : Number(last.ok)
  return [
    gauge('befaqt_drill_ok', '1 when a shop came of the backup at the last drill; NaN: none.', ok),
    gauge('befaqt_drill_last_good_timestamp_seconds', 'When a drill was good last.', seconds(last?.goodAt)),
    gauge('befaqt_drill_backup_timestamp_seconds', 'When its backup was made.', seconds(last?.goodMadeAt)),
  ]
}

type Jobs = {
  waiting: number
  failed: number
  oldest: number
  mail: number
  retried: number
  undelivered: number
}

async function jobMetrics({ db }: PolledMetricsDeps): Promise<Metric[]> {
  const isMail = sql`queue = ${MAIL_QUEUE}`
  const [jobs] = await rows<Jobs>(
    db,
    sql`select count(*) filter (where failed_at is null)::int as waiting,
          count(*) filter (where failed_at is not null)::int as failed,
          coalesce(extract(epoch from now() - min(run_at) filter (where failed_at is null and run_at <= now())), 0)::float as oldest,
          count(*) filter (where ${isMail} and failed_at is null)::int as mail,
          count(*) filter (where ${isMail} and failed_at is null and last_error is not null)::int as retried,
          count(*) filter (where ${isMail} and failed_at is not null)::int as undelivered
        from jobs`,
  )
  if (jobs === undefined) return []
  return [
    gauge('befaqt_jobs_waiting', 'Jobs that are not done.', jobs.waiting),
    gauge('befaqt_jobs_failed', 'Jobs that failed for good; an operator should check them.', jobs.failed),
    gauge('befaqt_jobs_oldest_due_seconds', 'How long the oldest due job waits.', jobs.oldest),
    byLabel('gauge', 'befaqt_mails', 'Emails that are not sent, by state.', 'state', {
      waiting: jobs.mail - jobs.retried,
      retried: jobs.retried,
      failed: jobs.undelivered,
    }),
  ]
}

async function watchMetrics({ db }: PolledMetricsDeps): Promise<Metric[]> {
  const [queue] = await rows<{ waiting: number; oldest: number }>(
    db,
    sql`select count(*)::int as waiting, coalesce(extract(epoch from now() - min(due_at)), 0)::float as oldest
        from watch_queue where due_at <= now()`,
  )
  if (queue === undefined) return []
  return [
    gauge('befaqt_watch_waiting', 'Boxes that are to be followed for excursions.', queue.waiting),
    gauge('befaqt_watch_oldest_seconds', 'How long the oldest of them waits.', queue.oldest),
  ]
}

async function eventMetrics({ db }: PolledMetricsDeps): Promise<Metric[]> {
  const [waiting] = await rows<{ oldest: number }>(
    db,
    sql`select coalesce(extract(epoch from now() - min(at)), 0)::float as oldest from events where number is null`,
  )
  if (waiting === undefined) return []
  const consumers = await consumerStates(db)
  const byConsumer = (of: (state: ConsumerState) => number): Record<string, number> =>
    Object.fromEntries(consumers.map((state) => [state.name, of(state)]))
  const metric = (
    name: string,
    help: string,
    of: (state: ConsumerState) => number,
    kind: 'gauge' | 'counter',
  ) => byLabel(kind, name, help, 'consumer', byConsumer(of))
  return [
    metric('befaqt_consumer_behind', 'Events that it has not come to.', (c) => c.behind, 'gauge'),
    metric('befaqt_consumer_lag_seconds', 'How long the oldest of them waits.', (c) => c.lagS, 'gauge'),
    metric('befaqt_consumer_failing_seconds', 'How long its next event fails.', (c) => c.failingS, 'gauge'),
    metric('befaqt_consumer_skipped_total', 'Events it knew nothing of.', (c) => c.skipped, 'counter'),
    metric('befaqt_consumer_lost_total', 'How often events were gone.', (c) => c.lost, 'counter'),
    gauge(
      'befaqt_events_untold_seconds',
      'How long the oldest committed event of the outbox waits for its number.',
      waiting.oldest,
    ),
  ]
}

async function standbyMetrics({ database }: PolledMetricsDeps): Promise<Metric[]> {
  const { reads } = (await database.replica?.look()) ?? { reads: { replica: 0, primary: 0 } }
  const { atRisk, ...standbys } = (await database.standbys?.look()) ?? NO_STANDBYS
  const { following, synchronous, wanted } = standbys
  const forS = atRisk === null ? 0 : (Date.now() - atRisk.since.getTime()) / 1000
  return [
    byLabel(
      'gauge',
      'befaqt_standbys',
      'Standbys that follow, those that commits wait for, and how many of these there should be.',
      'kind',
      { following, synchronous, wanted },
    ),
    gauge('befaqt_at_risk_seconds', 'For how long no standby has had all.', Math.max(0, forS)),
    gauge('befaqt_at_risk_orders', 'Orders of that time.', atRisk?.orders ?? 0),
    gauge('befaqt_at_risk_anchors', 'Anchors of that time.', atRisk?.anchors ?? 0),
    byLabel(
      'counter',
      'befaqt_replica_reads_total',
      'Reads that may be answered by a replica, by who answered.',
      'by',
      reads,
    ),
  ]
}

async function chainMetrics(deps: PolledMetricsDeps): Promise<Metric[]> {
  const [health, silence] = await Promise.all([
    chainHealth(deps),
    deps.database.leaderSilence(advisoryLocks.anchoring),
  ])
  const last = health.lastAnchorAt === null ? 0 : health.lastAnchorAt.getTime() / 1000
  return [
    gauge('befaqt_chain_reachable', '1 when the chain answers.', health.reachable ? 1 : 0),
    byLabel(
      'gauge',
      'befaqt_chain_node_up',
      '1 when this node of CHAIN_RPC_URL, by its place there, answers as others do. With one address: none.',
      'node',
      Object.fromEntries(
        (deps.chain.nodes?.() ?? []).map(({ fault }, i) => [`${i + 1}`, fault === null ? 1 : 0]),
      ),
    ),
    gauge('befaqt_chain_fault', '1 when anchoring waits for an operator.', health.fault === null ? 0 : 1),
    gauge('befaqt_records_pending', 'Records that no confirmed anchor covers.', health.pendingRecords),
    gauge('befaqt_anchor_lag_seconds', 'How long the oldest pending record waits.', health.lagS),
    gauge('befaqt_anchor_last_timestamp_seconds', 'Block time of the newest confirmed anchor.', last),
    gauge(
      'befaqt_leader_silence_seconds',
      'Since the last heartbeat of the process that anchors; NaN: there is none.',
      silence ?? Number.NaN,
    ),
  ]
}
