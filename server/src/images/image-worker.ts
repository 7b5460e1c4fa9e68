import { type ChildProcess, fork } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { VariantFormat } from './port.ts'

/** A task for the worker process. */
export type ImageTask =
  | { kind: 'normalize'; path: string }
  | { kind: 'resize'; bytes: Uint8Array; width: number; format: VariantFormat }

/** Its result, with the id of the task. */
export type ImageResult = { id: number; made: unknown } | { id: number; failed: string }

const PROGRAM = fileURLToPath(new URL('./image-worker-program.ts', import.meta.url))

type Waiting = { resolve(made: unknown): void; reject(error: Error): void }
type Options = { nice: number; idleMs: number; timeoutMs: number }
type Run = { child: ChildProcess; waiting: Map<number, Waiting>; ended: Promise<void> }

/** Runs image tasks in a child process, which the first task starts and which is ended when it has been idle. */
export class ImageWorker {
  readonly #nice: number
  readonly #idleMs: number
  readonly #timeoutMs: number
  #stuck = 0
  /** The current process, and all that have not exited yet. */
  #run: Run | undefined
  readonly #runs = new Set<Run>()
  #idleTimer: NodeJS.Timeout | undefined
  #closed = false
  #lastId = 0

  /**
   * @param options `nice`: 0 for our own priority, up to 19 for the lowest; `idleMs`: how long a process may be idle;
   * `timeoutMs`: a process that has not finished a task for so long is killed
   */
  constructor({ nice, idleMs, timeoutMs }: Options) {
    this.#nice = nice
    this.#idleMs = idleMs
    this.#timeoutMs = timeoutMs
  }

  /** Processes killed by the timeout since the start. */
  get stuck(): number {
    return this.#stuck
  }

  /** Tasks that are not finished yet. */
  get pending(): number {
    return [...this.#runs].reduce((sum, { waiting }) => sum + waiting.size, 0)
  }

  /** Of the current process; undefined: none runs. */
  get pid(): number | undefined {
    return this.#run?.child.pid
  }

  /** Runs one task. @throws Error when it failed, timed out, or the process exited. */
  async run(order: ImageTask): Promise<unknown> {
    if (this.#closed) throw new Error('the picture process has been closed')
    clearTimeout(this.#idleTimer)
    this.#run ??= this.#start()
    const run = this.#run
    const { child, waiting } = run
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++this.#lastId
    waiting.set(id, { resolve, reject })
    child.send({ id, order }, (error) => error && reject(error))
    const limit = setTimeout(() => this.#kill(run), this.#timeoutMs)
    try {
      return await promise
    } finally {
      clearTimeout(limit)
      waiting.delete(id)
      if (this.#run?.waiting.size === 0) this.#idleTimer = setTimeout(() => this.#end(), this.#idleMs).unref()
    }
  }

  /** Ends the process. Unfinished tasks fail. */
  async close(): Promise<void> {
    this.#closed = true
    this.#end()
    await Promise.all([...this.#runs].map(({ ended }) => ended))
  }

  #start(): Run {
    // Our environment holds passwords, which a decoder of untrusted files must not see.
    const child = fork(PROGRAM, {
      serialization: 'advanced',
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    if (child.pid !== undefined && this.#nice > getPriority()) setPriority(child.pid, this.#nice)
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const run: Run = { child, waiting: new Map(), ended }
    this.#runs.add(run)
    const onExit = (error: Error): void => {
      if (this.#run === run) this.#run = undefined
      this.#runs.delete(run)
      for (const { reject } of run.waiting.values()) reject(error)
      resolve()
    }
    child.on('error', onExit)
    child.on('exit', (code, signal) => onExit(new Error(`the picture process ended with ${signal ?? code}`)))
    child.on('message', (message) => settle(run, message as ImageResult))
    return run
  }

  /** Kills a stuck process, so that the next task starts another. Its pending tasks fail. */
  #kill(run: Run): void {
    this.#stuck++
    if (this.#run === run) this.#run = undefined
    run.child.kill('SIGKILL')
    const error = new Error(`the picture process did not answer within ${this.#timeoutMs / 1_000} s`)
    for (const { reject } of run.waiting.values()) reject(error)
    run.waiting.clear()
  }

  #end(): void {
    clearTimeout(this.#idleTimer)
    this.#run?.child.kill('SIGKILL')
    this.#run = undefined
  }
}

function settle({ waiting }: Run, answer: ImageResult): void {
  if ('made' in answer) waiting.get(answer.id)?.resolve(answer.made)
  else waiting.get(answer.id)?.reject(new Error(answer.failed))
}
