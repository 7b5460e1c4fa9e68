/* Makes one backup into the folder of backups, in a process of its own: see make-kept.ts, which starts it. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupProgress, MadeBackup } from '@befaqt/domain/backup'
import pino from 'pino'
import { restrictUmask } from '#server/config/data-dir.ts'
import { acquireLock } from '#server/db/directory-lock.ts'
import { openFileStore } from '#server/files/file-store.ts'
import { inWords, writeBackup } from '../backup-file.ts'
import { backup } from '../make-backup.ts'
import {
  forgetFailure,
  isToStop,
  sayFailed,
  sayMade,
  sayProgress,
  sweepBackupFolder,
} from './backup-folder.ts'
import type { BackupOrder, BackupSaid } from './make-kept.ts'

const LOOK_MS = 300
const STOP_MS = 2_000
/** Nothing keeps this process longer than that. */
const END_MS = 8_000

const tell = (said: BackupSaid): void => void process.send?.(said)

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function run(order: BackupOrder, stop: AbortController): Promise<void> {
  const { folder, name } = order
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw inWords(error, folder)
  })
  const unlock = await acquireLock(folder).catch((error: unknown) => {
    throw /in use by another process/.test(wordsOf(error))
      ? new Error('Another backup is being made.')
      : inWords(error, folder)
  })
  try {
    await sweepBackupFolder(folder)
    await forgetFailure(folder)
    const progress = { name, since: new Date().toISOString(), ...NOTHING_YET }
    await sayProgress(folder, progress)
    tell({ begun: name })
    const looking = watch(folder, progress, stop)
    try {
      await Promise.race([make(order, progress, stop.signal), givenUp(stop.signal)])
    } catch (error) {
      const words = stop.signal.aborted ? 'It was stopped: nothing of it is left.' : wordsOf(error)
      await sayFailed(folder, { name, at: new Date().toISOString(), words })
    } finally {
      await looking()
    }
  } finally {
    await sweepBackupFolder(folder)
    await unlock()
  }
}

/** Rejects some time after it is to stop: what waits for another, as for a lock on a table, can't be waited for. */
const givenUp = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason), STOP_MS), { once: true })
  })

const NOTHING_YET = { rows: 0, about: 0, objects: 0, bytes: 0, written: 0 }

/** Notes how far it is, and hears whether it is to stop. */
function watch(folder: string, progress: BackupProgress, stop: AbortController): () => Promise<void> {
  const over = new AbortController()
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal: over.signal }).catch(() => undefined)
      if (over.signal.aborted) return
      await sayProgress(folder, progress).catch(() => undefined) // of a disk that is full the backup itself tells
      if (await isToStop(folder)) stop.abort(new Error('stopped'))
    }
  }
  const looking = look()
  return async () => {
    over.abort()
    await looking
  }
}

async function make(order: BackupOrder, progress: BackupProgress, signal: AbortSignal): Promise<void> {
  const { config, folder, name, passphrase, secrets, version } = order
  const store = await openFileStore(config, pino({ level: 'silent' }))
  const made: MadeBackup = {
    ...{ madeAt: progress.since, version, rows: 0, objects: 0, missingCount: 0, missing: [], secrets },
  }
  const bytes = backup({
    ...{ config, store, passphrase, secrets, version },
    progress: ({ rows, about, objects, bytes }) =>
      void Object.assign(progress, { rows, about: Math.round(about), objects, bytes }),
    done: ({ rows, objects, missing, missingCount }) =>
      void Object.assign(made, { rows, objects, missingCount, missing: missing.slice(0, 10) }),
  })
  await writeBackup(join(folder, name), counted(bytes, progress), signal)
  await sayMade(folder, name, made)
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  progress: BackupProgress,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    progress.written += chunk.length
    yield chunk
  }
}

restrictUmask()
const stop = new AbortController()
/** Whoever started it ended, or wants it to: nothing of it stays. */
process.once('disconnect', () => stop.abort(new Error('stopped')))
stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), END_MS).unref())
process.once('message', (order: BackupOrder) => {
  run(order, stop).then(
    () => process.exit(0),
    (error: unknown) => {
      tell({ refused: wordsOf(error) })
      process.exit(1)
    },
  )
})
