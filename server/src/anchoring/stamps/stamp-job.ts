import { createHash } from 'node:crypto'
import { HOUR_MS } from '@befaqt/domain/durations'
import type { Config } from '#server/config/config.ts'
import type { Recurring } from '#server/jobs/recurring.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import type { StampDeps } from './stamp-newest.ts'

/** The queue of stamps of the log of anchors. */
export const STAMP_QUEUE = 'log.stamp'

type Settings = Pick<Config, 'TIMESTAMP_URL' | 'OPENTIMESTAMPS_URLS' | 'PUBLIC_URL'>

const isAsked = ({ TIMESTAMP_URL, OPENTIMESTAMPS_URLS }: Omit<Settings, 'PUBLIC_URL'>): boolean =>
  TIMESTAMP_URL !== undefined || OPENTIMESTAMPS_URLS !== undefined

/**
 * Each hour, where anybody is to be asked: what is there is not asked for again, so a failure is tried again in an hour. At a
 * minute of the shop's own, so that not all shops ask at once.
 */
export function hourlyStamps(config: Settings): Recurring[] {
  if (!isAsked(config)) return []
  const minute = (createHash('sha256').update(config.PUBLIC_URL).digest()[0] ?? 0) % 60
  const offset = minute * 60_000
  const next = (now: Date): Date =>
    new Date((Math.floor((now.getTime() - offset) / HOUR_MS) + 1) * HOUR_MS + offset)
  return [{ queue: STAMP_QUEUE, next }]
}

/** The job. What it needs is loaded once somebody is asked. */
export const stampJob =
  (deps: StampDeps): JobHandler =>
  async (_payload, signal) => {
    if (!isAsked(deps.config)) return // the setting was taken away since it was queued
    const { stampNewest } = await import('./stamp-newest.ts')
    await stampNewest(deps, signal)
  }
