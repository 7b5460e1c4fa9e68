import { type ChildProcess, fork } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type FieldError, ShopError } from '@befaqt/domain/errors'
import type { UploadedFile } from '#server/http/multipart-form.ts'

/** Formats of variants. WebP first: it takes a tenth of AVIF's time, so every image soon has a small variant. */
export const variantFormats = ['webp', 'avif'] as const
export type VariantFormat = (typeof variantFormats)[number]

/** An image as it is stored: re-encoded as WebP, upright, without metadata. Sizes in px. */
export type NormalizedImage = { bytes: Uint8Array; width: number; height: number }

/** Decodes and encodes images. */
export type ImageProcessor = {
  /**
   * Normalizes the untrusted upload at `path`; returns the reason when it is rejected.
   * @throws ShopError `unavailable` when processing failed
   */
  normalize(path: string): Promise<NormalizedImage | string>
  /** A variant of a normalized image, `width` px wide. Throws when processing failed. */
  resize(bytes: Uint8Array, width: number, format: VariantFormat): Promise<Uint8Array>
  /** For metrics: processes killed by the timeout since the start, and pending tasks. */
  stats(): { stuck: number; inHand: number }
  /** Ends the processes. Pending and later tasks fail. */
  close(): Promise<void>
}

/**
 * Normalizes uploaded images, all or none.
 * @param field the field's name in errors
 * @throws ShopError `input.invalid` with a field error for every file that is no valid image; `unavailable`
 */
export async function normalizeImages(
  pictures: ImageProcessor,
  field: string,
  files: readonly UploadedFile[],
): Promise<NormalizedImage[]> {
  const normalized = await Promise.all(files.map(({ path }) => pictures.normalize(path)))
  const rejected = normalized.flatMap((picture, i): FieldError[] =>
    typeof picture === 'string' ? [{ path: `${field}[${i}]`, message: `${files[i]?.name}: ${picture}` }] : [],
  )
  if (rejected.length > 0)
    throw new ShopError('input.invalid', rejected.map(({ message }) => message).join('; '), {
      fields: rejected,
    })
  return normalized.filter((picture) => typeof picture !== 'string')
}

type Log = { error(details: object, message: string): void }

/** One decoded image may take 200 MB, so at most two are decoded at a time. */
const MAX_CONCURRENT = 2
/** Variants are made at this low system priority, behind everything that somebody waits for. */
const NICE = 10
/** An idle process is ended after this time. */
const IDLE_MS = 10_000
/** The decoder has a shorter timeout (`image-worker-program.ts`); a process that takes longer is stuck. */
const TIMEOUT_MS = 40_000

/** Processes images in two child processes: one for uploads that somebody waits for, one for variants. */
export function imageProcessor(log: Log, timeoutMs = TIMEOUT_MS): ImageProcessor {
  const interactive = new ImageWorker({ nice: 0, idleMs: IDLE_MS, timeoutMs })
  const background = new ImageWorker({ nice: NICE, idleMs: IDLE_MS, timeoutMs })
  const limited = limitConcurrency(MAX_CONCURRENT)
  return {
    normalize: (path) =>
      limited(() => interactive.run({ kind: 'normalize', path })).catch((err: unknown) => {
        log.error({ err }, 'processing an uploaded image failed')
        throw new ShopError('unavailable', 'The picture could not be read right now. Please try again.')
      }) as Promise<NormalizedImage | string>,
    resize: (bytes, width, format) =>
      background.run({ kind: 'resize', bytes, width, format }) as Promise<Uint8Array>,
    stats: () => ({
      stuck: interactive.stuck + background.stuck,
      inHand: interactive.pending + background.pending,
    }),
    close: async () => void (await Promise.all([interactive.close(), background.close()])),
  }
}

/** Runs at most `limit` tasks at a time; the others wait, first in, first out. */
export function limitConcurrency(limit: number): <Made>(work: () => Promise<Made>) => Promise<Made> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= limit) await new Promise<void>((resume) => waiting.push(resume))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

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
