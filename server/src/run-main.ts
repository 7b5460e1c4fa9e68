import type { Logger } from 'pino'
import { type Config, readConfig } from './config/config.ts'
import { restrictUmask } from './config/data-dir.ts'
import { openLog } from './config/log.ts'
import type { Running } from './start-process.ts'
import { reportTelemetryTo, startTelemetry } from './tracing/telemetry.ts'

/** On PostgreSQL there is usually a load balancer, which polls `/readyz` every second or two. */
const ROLLING_DRAIN_S = 5

type Program = (config: Config, log: Logger, print: (text: string) => void) => Promise<Running>

const print = (text: string): void => void process.stderr.write(`${text}\n`)

/** Reads the settings and starts a program. SIGINT and SIGTERM stop it cleanly; a failed start prints the reason. */
export function runMain(start: Program, ready: (config: Config) => string): void {
  const began = performance.now()
  restrictUmask()
  const run = async (): Promise<void> => {
    const config = readConfig(process.env)
    const log = openLog(config.LOG_LEVEL, undefined, await startTelemetry(config))
    reportTelemetryTo(log)
    surviveStrayRejections(log)
    const running = await start(config, log, print)
    endOnSignal(running, config.DRAIN_S ?? (config.DATABASE_URL === undefined ? 0 : ROLLING_DRAIN_S))
    log.info({ url: config.PUBLIC_URL, ms: Math.round(performance.now() - began) }, 'ready to serve')
    print(`\n${ready(config)}\n`)
  }
  run().catch((error: unknown) => {
    print(error instanceof Error ? [error.message, error.cause].filter(Boolean).join('\n') : String(error))
    process.exit(1)
  })
}

/**
 * Logs unhandled rejections instead of exiting: nothing depends on the result of a promise that nobody awaits, and no
 * visitor may be able to stop the process. Source: docs/decisions/0019-stray-rejections.md.
 */
function surviveStrayRejections(log: Logger): void {
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'))
}

/**
 * Stops once; further signals are ignored. SIGTERM comes from an orchestrator that replaces processes under load, so
 * the load balancer is given time to notice; SIGINT comes from a person at a terminal, who waits.
 */
function endOnSignal(running: Running, drainS: number): void {
  let ending = false
  const end = (seconds: number): void => {
    if (ending) return
    ending = true
    running.stop(seconds).then(
      () => process.exit(0),
      (error: unknown) => {
        print(`Could not stop cleanly. ${error instanceof Error ? error.message : error}`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', () => end(0)).on('SIGTERM', () => end(drainS))
}
