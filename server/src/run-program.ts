import type { Logger } from 'pino'
import { type Config, readConfig } from './config/config.ts'
import { keepToOwner } from './config/data-dir.ts'
import { openLog } from './config/log.ts'
import type { Running } from './start-shop.ts'

/** Several processes behind a balancer are usual on PostgreSQL: it asks `/readyz` every second or two. */
const ROLLING_DRAIN_S = 5

type Program = (config: Config, log: Logger, print: (text: string) => void) => Promise<Running>

const print = (text: string): void => void process.stderr.write(`${text}\n`)

/** Reads the settings, starts a program and says so; SIGINT and SIGTERM end it cleanly, a failed start says why. */
export function runProgram(start: Program, ready: (config: Config) => string): void {
  const began = performance.now()
  keepToOwner()
  const run = async (): Promise<void> => {
    const config = readConfig(process.env)
    const log = openLog(config.LOG_LEVEL)
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
 * A promise that is rejected while nobody awaits it is a bug of one place, on whose outcome nothing else rests: it is
 * logged, and no visitor can end the process by it. Source: docs/decisions/0019-stray-rejections.md.
 */
function surviveStrayRejections(log: Logger): void {
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'))
}

/**
 * Ends once; a second signal while ending changes nothing. SIGTERM comes from who replaces processes under load, so
 * that time is left to send requests elsewhere; SIGINT from somebody at a terminal, who waits.
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
