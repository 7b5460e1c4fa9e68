import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { ANCHORING_LOCK } from '#server/anchoring/anchor-loop.ts'
import { chainHealth, type HealthDeps } from '#server/anchoring/chain-health.ts'
import type { Config } from '#server/config/config.ts'
import { type Database, rows } from '#server/db/client.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { byLabel, gauge, type Metric } from './prometheus.ts'
import { freeBytes, type Ready } from './readiness.ts'

const REFRESH_MS = 5_000
/** Another look begins after this, whether or not the one before was answered. */
const GIVE_UP_MS = 10_000

/** Figures that others have to be asked for, as they were when they last answered. */
export type StoredFigures = { read(): readonly Metric[]; stop(): void }

/** What figures are read from. */
export type FiguresDeps = HealthDeps & { config: Pick<Config, 'DATA_DIR'>; database: Database }

/** Looks for itself every few seconds, from the first time that somebody reads on; reading never waits. */
export function storedFigures(deps: FiguresDeps, ready: Ready): StoredFigures {
  const stopping = new AbortController()
  const { signal } = stopping
  const groups = [
    () => partFigures(ready),
    () => diskFigures(deps),
    () => jobFigures(deps),
    () => chainFigures(deps),
  ]
  const known: (readonly Metric[])[] = groups.map(() => [])
  let isRunning = false
  let lookedAt = 0
  const look = async (group: () => Promise<Metric[]>, i: number): Promise<void> => {
    const figures = await group().catch(() => undefined) // readiness says what does not answer
    if (figures !== undefined) known[i] = figures
  }
  const run = async (): Promise<void> => {
    const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false })
    while (!signal.aborted) {
      await Promise.race([Promise.all(groups.map(look)), pause(GIVE_UP_MS)])
      lookedAt = Date.now()
      await pause(REFRESH_MS)
    }
  }
  return {
    read: () => {
      if (!isRunning) run().catch(() => undefined) // only its end rejects
      isRunning = true
      const age = lookedAt === 0 ? Number.NaN : (Date.now() - lookedAt) / 1000
      const aged = gauge('befaqt_figures_age_seconds', 'Age of the figures that others are asked for.', age)
      return [aged, ...known.flat()]
    },
    stop: () => stopping.abort(),
  }
}

async function partFigures(ready: Ready): Promise<Metric[]> {
  const { ok, ...parts } = await ready()
  const up = Object.entries(parts).map(([part, state]) => [part, state === 'ok' ? 1 : 0])
  return [
    gauge('befaqt_ready', '1 when this process can serve.', ok ? 1 : 0),
    byLabel(
      'gauge',
      'befaqt_part_up',
      '1 when this part answers as it should.',
      'part',
      Object.fromEntries(up),
    ),
  ]
}

async function diskFigures({ config }: FiguresDeps): Promise<Metric[]> {
  const free = await freeBytes(config.DATA_DIR)
  return [gauge('befaqt_data_dir_free_bytes', 'Free space in DATA_DIR.', free)]
}

type Jobs = {
  waiting: number
  failed: number
  oldest: number
  mail: number
  retried: number
  undelivered: number
}

async function jobFigures({ db }: FiguresDeps): Promise<Metric[]> {
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
    gauge('befaqt_jobs_failed', 'Jobs given up; an operator should look.', jobs.failed),
    gauge('befaqt_jobs_oldest_due_seconds', 'How long the oldest due job waits.', jobs.oldest),
    byLabel('gauge', 'befaqt_mails', 'Mails that are not sent, by what became of them.', 'state', {
      waiting: jobs.mail - jobs.retried,
      retried: jobs.retried,
      failed: jobs.undelivered,
    }),
  ]
}

async function chainFigures(deps: FiguresDeps): Promise<Metric[]> {
  const [health, silence] = await Promise.all([
    chainHealth(deps),
    deps.database.leaderSilence(ANCHORING_LOCK),
  ])
  const last = health.lastAnchorAt === null ? 0 : health.lastAnchorAt.getTime() / 1000
  return [
    gauge('befaqt_chain_reachable', '1 when the chain answers.', health.reachable ? 1 : 0),
    gauge('befaqt_chain_fault', '1 when anchoring waits for an operator.', health.fault === null ? 0 : 1),
    gauge('befaqt_records_pending', 'Records that no confirmed anchor covers.', health.pendingRecords),
    gauge('befaqt_anchor_lag_seconds', 'How long the oldest pending record waits.', health.lagS),
    gauge('befaqt_anchor_last_timestamp_seconds', 'Block time of the newest confirmed anchor.', last),
    gauge(
      'befaqt_leader_silence_seconds',
      'Since the process that anchors gave a sign of life; NaN: there is none.',
      silence ?? Number.NaN,
    ),
  ]
}
