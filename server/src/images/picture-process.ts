import { type ChildProcess, fork } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { CopyFormat } from './port.ts'

/** What the picture program is asked for. */
export type Order =
  | { kind: 'take'; path: string }
  | { kind: 'narrow'; bytes: Uint8Array; width: number; format: CopyFormat }

/** What it answers to the order of the same number: what it made, or why it could not. */
export type Answer = { id: number; made: unknown } | { id: number; failed: string }

const PROGRAM = fileURLToPath(new URL('./picture-program.ts', import.meta.url))

type Waiting = { resolve(made: unknown): void; reject(error: Error): void }
type Options = { nice: number; restMs: number; limitMs: number }
type Run = { child: ChildProcess; waiting: Map<number, Waiting>; ended: Promise<void> }

/** Does picture orders in a process that the first order starts, and that is ended when there have been none for a while. */
export class PictureProcess {
  readonly #nice: number
  readonly #restMs: number
  readonly #limitMs: number
  #stuck = 0
  /** The one that takes orders, and those that are about to be gone. */
  #run: Run | undefined
  readonly #runs = new Set<Run>()
  #rest: NodeJS.Timeout | undefined
  #closed = false
  #lastId = 0

  /**
   * @param options `nice`: 0 for our own priority, up to 19 to leave the processor to everybody else; `restMs`: the
   * while; `limitMs`: a process that has not answered an order for so long is killed
   */
  constructor({ nice, restMs, limitMs }: Options) {
    this.#nice = nice
    this.#restMs = restMs
    this.#limitMs = limitMs
  }

  /** Processes that were killed because they did not answer, since the start. */
  get stuck(): number {
    return this.#stuck
  }

  /** Orders that are not answered yet. */
  get inHand(): number {
    return [...this.#runs].reduce((sum, { waiting }) => sum + waiting.size, 0)
  }

  /** Of the process that takes orders now; undefined: none runs. */
  get pid(): number | undefined {
    return this.#run?.child.pid
  }

  /** Has one order done. @throws Error why it was not: it can't be, it took too long, or the process ended in the middle. */
  async do(order: Order): Promise<unknown> {
    if (this.#closed) throw new Error('the picture process has been closed')
    clearTimeout(this.#rest)
    this.#run ??= this.#start()
    const run = this.#run
    const { child, waiting } = run
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++this.#lastId
    waiting.set(id, { resolve, reject })
    child.send({ id, order }, (error) => error && reject(error))
    const limit = setTimeout(() => this.#giveUp(run), this.#limitMs)
    try {
      return await promise
    } finally {
      clearTimeout(limit)
      waiting.delete(id)
      if (this.#run?.waiting.size === 0) this.#rest = setTimeout(() => this.#end(), this.#restMs).unref()
    }
  }

  /** Ends the process. Orders that it has not done fail. */
  async close(): Promise<void> {
    this.#closed = true
    this.#end()
    await Promise.all([...this.#runs].map(({ ended }) => ended))
  }

  #start(): Run {
    // Our settings hold passwords, and a decoder of strangers' files has no use for them.
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
    const lose = (error: Error): void => {
      if (this.#run === run) this.#run = undefined
      this.#runs.delete(run)
      for (const { reject } of run.waiting.values()) reject(error)
      resolve()
    }
    child.on('error', lose)
    child.on('exit', (code, signal) => lose(new Error(`the picture process ended with ${signal ?? code}`)))
    child.on('message', (message) => hear(run, message as Answer))
    return run
  }

  /** Kills a process that does not answer, so that the next order has another. All that it had in hand fails. */
  #giveUp(run: Run): void {
    this.#stuck++
    if (this.#run === run) this.#run = undefined
    run.child.kill('SIGKILL')
    const error = new Error(`the picture process did not answer within ${this.#limitMs / 1_000} s`)
    for (const { reject } of run.waiting.values()) reject(error)
    run.waiting.clear()
  }

  #end(): void {
    clearTimeout(this.#rest)
    this.#run?.child.kill('SIGKILL')
    this.#run = undefined
  }
}

function hear({ waiting }: Run, answer: Answer): void {
  if ('made' in answer) waiting.get(answer.id)?.resolve(answer.made)
  else waiting.get(answer.id)?.reject(new Error(answer.failed))
}
