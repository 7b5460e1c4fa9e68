/**
 * Files of loggers are read in a thread of their own, which is ended after some seconds: no file, however it was made,
 * holds up the requests of others. This module is both sides: what asks, and, in the thread, what answers.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { ColumnMap, FilePreview } from '@befaqt/domain/device-formats/logger-file'
import { ShopError } from '@befaqt/domain/errors'
import { previewCsv, type ReadFile, readCsv, type ToldLayout } from './read-csv.ts'

type Task =
  | { kind: 'preview'; bytes: Uint8Array; told: ToldLayout }
  | { kind: 'read'; bytes: Uint8Array; map: ColumnMap; serial: string }
/** `refused`: a sentence for whoever sent the file. */
type Answer = { made: FilePreview | ReadFile } | { refused: string }

/** A file of a megabyte takes less than one second on a busy machine. */
const DEADLINE_MS = 10_000
const TOO_LONG = 'This file takes too much to read. Is it one of a logger?'
/** In MB. A file of a megabyte needs some 30. */
const LIMITS = { maxOldGenerationSizeMb: 256 }

/**
 * What is in a file. Its delimiter and the line of its headings are given, or else guessed as far as possible.
 * @throws ShopError `input.invalid` for a file of something else
 */
export const previewFile = (bytes: Uint8Array, told: ToldLayout): Promise<FilePreview> =>
  inThread<FilePreview>({ kind: 'preview', bytes, told })

/** As `readCsv`. @throws ShopError `input.invalid` */
export const readFile = (bytes: Uint8Array, map: ColumnMap, serial: string): Promise<ReadFile> =>
  inThread<ReadFile>({ kind: 'read', bytes, map, serial })

async function inThread<Made extends FilePreview | ReadFile>(task: Task): Promise<Made> {
  const thread = new Worker(new URL(import.meta.url), { workerData: task, resourceLimits: LIMITS })
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => resolve({ refused: TOO_LONG }), DEADLINE_MS)
  thread.once('message', resolve).once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ refused: TOO_LONG })
    else reject(error)
  })
  try {
    const answer = await promise
    if ('refused' in answer) throw new ShopError('input.invalid', answer.refused)
    return answer.made as Made
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

function answerTo(task: Task): Answer {
  try {
    return {
      made:
        task.kind === 'preview'
          ? previewCsv(task.bytes, task.told)
          : readCsv(task.bytes, task.map, task.serial),
    }
  } catch (error) {
    if (error instanceof ShopError) return { refused: error.message }
    throw error
  }
}

if (!isMainThread && parentPort !== null) parentPort.postMessage(answerTo(workerData))
