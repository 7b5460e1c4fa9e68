import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../../tools/script.mjs'

/** A process of the shop that can be stopped, frozen and restarted with the same settings. */
export type Program = {
  readonly name: string
  /** Its URL, whether or not it is listening. */
  readonly url: string
  /** Of the run that is under way, or was last. */
  readonly pid: number | undefined
  /** Starts it and waits until /readyz returns 200. `more`: settings for this run only. */
  start(more?: Record<string, string>): Promise<void>
  /** Stops it as an operator does; @throws unless its exit status is 0 */
  stop(): Promise<void>
  /** Kills it, as a power cut would. */
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  /** How it exited, or began again, unexpectedly; undefined if it did not. */
  readonly died: string | undefined
  /** What it logged as errors, one line each. */
  readonly errors: readonly string[]
}

const START_MS = 120_000
const STOP_MS = 60_000

/**
 * @param args what Node runs, with its flags
 * @param env all of its environment
 */
export function program(
  name: string,
  args: readonly string[],
  url: string,
  env: Record<string, string>,
): Program {
  let child: ChildProcess | undefined
  let wanted = false
  let died: string | undefined
  const errors: string[] = []
  const start = async (more: Record<string, string> = {}): Promise<void> => {
    const started = spawn(process.execPath, args, {
      cwd: root,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    wanted = true
    keepErrors(started, errors)
    let begun = 0
    started.stderr.on('data', (text: string) => {
      if (/ is ready/.test(text) && ++begun > 1) died = `${name} began again by itself`
    })
    started.once('exit', (code, signal) => {
      if (wanted) died = `${name} ended with ${signal ?? code}`
    })
    const late = performance.now() + START_MS
    while ((await readiness(url)).status !== 200) {
      if (died !== undefined) throw new Error(`${died}\n${errors.join('\n')}`)
      if (performance.now() > late) throw new Error(`${name} is not ready after ${START_MS} ms`)
      await wait(100)
    }
  }
  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    wanted = false
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => child?.kill('SIGKILL'), STOP_MS)
    const [code, signal] = await ended
    clearTimeout(late)
    if (code !== 0) throw new Error(`${name} was asked to end and ended with ${signal ?? code}`)
  }
  return {
    name,
    url,
    start,
    stop,
    kill: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      wanted = false
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    get pid() {
      return child?.pid
    },
    get died() {
      return died
    },
    errors,
  }
}

/** The response of /readyz; status 0 without one. Takes up to two seconds. */
export async function readiness(url: string): Promise<{ status: number; body: string }> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_500) })
    return { status: answer.status, body: await answer.text() }
  } catch {
    return { status: 0, body: '' }
  }
}

function keepErrors({ stdout, stderr }: ChildProcess, errors: string[]): void {
  let rest = ''
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    errors.push(...lines.filter((line) => /"level":(50|60)/.test(line)))
  })
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (/Error/.test(text)) errors.push(text)
  })
}
