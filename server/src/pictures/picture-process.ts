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
type Run = { child: ChildProcess; waiting: Map<number, Waiting>; ended: Promise<void> }

/** Does picture orders in a process that the first order starts, and that is ended when there have been none for a while. */
export class PictureProcess {
  readonly #nice: number
  readonly #restMs: number
  /** The one that takes orders, and those that are about to be gone. */
  #run: Run | undefined
  readonly #runs = new Set<Run>()
  #rest: NodeJS.Timeout | undefined
  #closed = false
  #lastId = 0

  /** @param options `nice`: 0 for our own priority, up to 19 to leave the processor to everybody else; `restMs`: the while */
  constructor({ nice, restMs }: { nice: number; restMs: number }) {
    this.#nice = nice
    this.#restMs = restMs
  }

  /** Of the process that takes orders now; undefined: none runs. */
  get pid(): number | undefined {
    return this.#run?.child.pid
  }

  /** Has one order done. @throws Error why it was not: it can't be, or the process ended in the middle. */
  async do(order: Order): Promise<unknown> {
    if (this.#closed) throw new Error('the picture process has been closed')
    clearTimeout(this.#rest)
    this.#run ??= this.#start()
    const { child, waiting } = this.#run
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++this.#lastId
    waiting.set(id, { resolve, reject })
    child.send({ id, order }, (error) => error && reject(error))
    try {
      return await promise
    } finally {
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
