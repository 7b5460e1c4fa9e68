import { type ChildProcess, spawn } from 'node:child_process'
import { UserError } from '../script.mjs'

export type Ended = { status: number | null; signal: NodeJS.Signals | null; output: string; seconds: number }

type CommandOptions = {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** Called once when the program has run for `limitMs`; it may ask for a reason and must end the program. */
  limitMs?: number
  onLimit?: (child: ChildProcess) => void
}

/** Runs a program in a process group of its own and collects its output, both streams in the order of arrival. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Ended> {
  if (isEnding) throw new UserError('The tests were ended before they were done.')
  const began = performance.now()
  const child = spawn(command, args, {
    detached: true,
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const printed: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk))
  const limit = options.limitMs && setTimeout(() => options.onLimit?.(child), options.limitMs)
  const { promise, resolve, reject } = Promise.withResolvers<Ended>()
  child.once('error', reject)
  child.once('exit', () => endGroup(child, 'SIGKILL'))
  child.once('close', (status, signal) => {
    clearTimeout(limit)
    running.delete(child)
    if (isEnding) reject(new UserError('The tests were ended before they were done.'))
    const seconds = (performance.now() - began) / 1000
    resolve({ status, signal, output: Buffer.concat(printed).toString(), seconds })
  })
  return promise
}

const running = new Set<ChildProcess>()
let isEnding = false

/** Kills a program and everything in its process group. */
export function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Kills every running program and rejects new ones: for our own shutdown. */
export function endAllCommands(): void {
  isEnding = true
  for (const child of running) endGroup(child, 'SIGTERM')
}

/** Runs `work` for each item, at most `width` concurrently, started in order. */
export async function inParallel<T>(
  width: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
