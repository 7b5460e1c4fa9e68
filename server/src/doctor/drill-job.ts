import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { marketTime } from '@befaqt/domain/market-time'
import type { Config } from '#server/config/config.ts'
import { nightly, type Recurring } from '#server/jobs/recurring.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import type { LeaseOptions } from '#server/jobs/run-with-lease.ts'

/** The queue of drills, which a worker of its own works on: nothing else waits for one that takes hours. */
export const DRILL_QUEUE = 'backup.drill'
/** A drill of a million records takes minutes. */
export const drillLease: LeaseOptions = { leaseS: 120, timeoutS: 6 * 3_600 }

/** What a drill in a process of its own is given. The policy of witnesses can't be sent, and isn't asked. */
export type DrillOrder = { config: Omit<Config, 'WITNESSES'>; from: string; passphrase: string | undefined }
/** What it says at its end. */
export type DrillSaid =
  | { ok: boolean; problems: string[]; backup: string | null; tookS: number | null }
  | { notHeld: string }

const PROGRAM = fileURLToPath(new URL('./drill-program.ts', import.meta.url))
const NICE = 15
/** How long one that is to stop is waited for; it ends itself before. */
const END_MS = 25_000
const SUNDAY = 0

/** Each Sunday night of the market, where there is a folder of backups that an operator named. */
export const weeklyDrill = ({ BACKUP_DIR }: Pick<Config, 'BACKUP_DIR'>, timeZone: string): Recurring[] =>
  BACKUP_DIR === undefined ? [] : [{ queue: DRILL_QUEUE, next: nextSunday(timeZone) }]

function nextSunday(timeZone: string): (now: Date) => Date {
  const next = nightly(timeZone)
  return (now) => {
    let night = next(now)
    while (new Date(marketTime(night.getTime(), timeZone).slice(0, 10)).getUTCDay() !== SUNDAY)
      night = next(night)
    return night
  }
}

type Log = { info(details: object, message: string): void; error(details: object, message: string): void }

/**
 * Tries the newest backup of BACKUP_DIR that its passphrase opens. That no shop comes of it is no failure of the job: it is
 * written down for metrics, readiness and the desk. One that could not be held is tried again.
 */
export function drillJob({ config, log }: { config: Config; log: Log }): JobHandler {
  return async (_payload, signal) => {
    const { BACKUP_DIR: from, BACKUP_PASSPHRASE: passphrase } = config
    if (from === undefined) return undefined // the setting was taken away since it was queued
    const { WITNESSES: _, ...sent } = config
    const said = await inOwnProcess({ config: sent, from, passphrase }, signal)
    signal.throwIfAborted()
    if ('notHeld' in said) throw new Error(said.notHeld)
    if (said.ok) log.info(said, 'the newest backup was tried: it would be the shop again')
    else log.error(said, 'the newest backup was tried: no shop came of it')
    return undefined
  }
}

/** Holds it where its memory is given back at the end, and where it can be ended whatever it waits for. */
async function inOwnProcess(order: DrillOrder, signal: AbortSignal): Promise<DrillSaid> {
  const child = fork(PROGRAM, {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { promise, resolve } = Promise.withResolvers<DrillSaid>()
  let said: DrillSaid = { notHeld: 'The process of the drill ended before it was over.' }
  child.on('message', (words: DrillSaid) => {
    said = words
  })
  child.once('error', ({ message }) => resolve({ notHeld: message }))
  child.once('exit', () => resolve(said))
  let late: NodeJS.Timeout | undefined
  const stop = (): void => {
    if (child.connected) child.disconnect()
    late = setTimeout(() => child.kill('SIGKILL'), END_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICE)
    child.send(order)
    if (signal.aborted) stop()
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(late)
  }
}
