import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import { collectorOf } from '#server/config/telemetry-settings.ts'
import type { Telemetry } from './open-telemetry.ts'
import type { Outcome } from './reporting.ts'

/** What waits to be sent when a process stops may take so long. */
const FLUSH_MS = 3_000
/** An outage that was told is not told again so soon. */
const QUIET_MS = 600_000

let running: { telemetry: Telemetry; log: Pick<Logger, 'warn' | 'info'> | undefined } | undefined
const lost = { traces: 0, logs: 0 }

/** Spans and lines that no collector took, since the start. */
export const lostTelemetry = (): Readonly<typeof lost> => lost

/**
 * Starts to send traces and lines of the log where the settings name a collector, and loads the packages for it only then.
 * @returns what the log needs of it; undefined: nothing is sent
 */
export async function startTelemetry(config: Config): Promise<Pick<Telemetry, 'ids' | 'lines'> | undefined> {
  const to = collectorOf(config)
  if (to === undefined) return undefined
  const { startOpenTelemetry } = await import('./open-telemetry.ts')
  const telemetry = startOpenTelemetry(config, to, reporter())
  running = { telemetry, log: undefined }
  return telemetry
}

/** Has outages of the collector told in this log. */
export function reportTelemetryTo(log: Pick<Logger, 'warn' | 'info'>): void {
  if (running !== undefined) running.log = log
}

/** Sends what waits, for no longer than a moment: a collector that hangs holds up no process that stops. */
export async function stopTelemetry(limitMs = FLUSH_MS): Promise<void> {
  const stopping = running?.telemetry.stop().catch(() => undefined)
  running = undefined
  if (stopping !== undefined) await Promise.race([stopping, sleep(limitMs, undefined, { ref: false })])
}

/** Tells that the collector takes nothing, once for an outage, and how much is lost when it is over. */
function reporter(): Outcome {
  const since = { traces: 0, logs: 0 }
  const toldAt = { traces: Number.NEGATIVE_INFINITY, logs: Number.NEGATIVE_INFINITY }
  const isTold = { traces: false, logs: false }
  return (what, count, error) => {
    if (error !== undefined) {
      lost[what] += count
      since[what] += count
      if (isTold[what] || performance.now() - toldAt[what] < QUIET_MS) return
      isTold[what] = true
      toldAt[what] = performance.now()
      running?.log?.warn({ what, reason: reasonOf(error) }, 'the collector takes no telemetry')
    } else if (isTold[what]) {
      isTold[what] = false
      running?.log?.info({ what, lost: since[what] }, 'the collector takes telemetry again')
      since[what] = 0
    }
  }
}

/** What it answered, or why it was not reached. */
function reasonOf(error: Error): string {
  const code = 'code' in error && error.code !== undefined ? String(error.code) : ''
  return [code, error.message].filter(Boolean).join(' ').slice(0, 200)
}
