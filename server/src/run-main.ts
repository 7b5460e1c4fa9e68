import type { Logger } from 'pino'
import { Replacement } from './backup/welcome/replace-shop.ts'
import { type Config, readConfig } from './config/config.ts'
import { restrictUmask } from './config/data-dir.ts'
import { openLog } from './config/log.ts'
import type { Running, StartOptions } from './start-process.ts'
import { reportTelemetryTo, startTelemetry } from './tracing/telemetry.ts'

/** On PostgreSQL there is usually a load balancer, which polls `/readyz` every second or two. */
const ROLLING_DRAIN_S = 5

type Program = (
  config: Config,
  log: Logger,
  print: (text: string) => void,
  options: StartOptions,
) => Promise<Running>

const print = (text: string): void => void process.stderr.write(`${text}\n`)

/** What a signal stops: the shop, or the restoring of another in its place. */
type Current = { stop(drainS: number): Promise<void> }

/**
 * Reads the settings and starts a program; again, where a backup was restored in its place. SIGINT and SIGTERM stop it
 * cleanly; a failed start prints the reason.
 */
export function runMain(start: Program, ready: (config: Config) => string): void {
  let began = performance.now()
  restrictUmask()
  const run = async (): Promise<void> => {
    const config = readConfig(process.env)
    const current: { is: Current; log?: Logger } = { is: { stop: async () => undefined } }
    for (let former: Replacement | undefined; ; began = performance.now()) {
      const log = openLog(config.LOG_LEVEL, undefined, await startTelemetry(config))
      reportTelemetryTo(log)
      if (former === undefined) surviveStrayRejections(() => current.log ?? log)
      current.log = log
      const replacement = new Replacement()
      const running = await start(config, log, print, { replacement, former })
      current.is = running
      if (former === undefined)
        endOnSignal(current, config.DRAIN_S ?? (config.DATABASE_URL === undefined ? 0 : ROLLING_DRAIN_S))
      log.info({ url: config.PUBLIC_URL, ms: Math.round(performance.now() - began) }, 'ready to serve')
      print(`\n${ready(config)}\n`)
      await replacement.asked
      await running.stop(0)
      current.is = replacement
      await replacement.run(config, log)
      former = replacement
    }
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
function surviveStrayRejections(log: () => Logger): void {
  process.on('unhandledRejection', (err) => log().error({ err }, 'unhandled promise rejection'))
}

/**
 * Stops once; further signals are ignored. SIGTERM comes from an orchestrator that replaces processes under load, so
 * the load balancer is given time to notice; SIGINT comes from a person at a terminal, who waits.
 */
function endOnSignal(current: { is: Current }, drainS: number): void {
  let ending = false
  const end = (seconds: number): void => {
    if (ending) return
    ending = true
    current.is.stop(seconds).then(
      () => process.exit(0),
      (error: unknown) => {
        print(`Could not stop cleanly. ${error instanceof Error ? error.message : error}`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', () => end(0)).on('SIGTERM', () => end(drainS))
}
