import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ShopError } from '@befaqt/domain/errors'
import type { Config } from '#server/config/config.ts'

/** What is to be made, and where. */
export type BackupOrder = {
  config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'FILES_URL'>
  folder: string
  name: string
  passphrase: string | undefined
  secrets: boolean
  version: string
}

/** What the process that makes it says: once that it began, or why it did not. */
export type BackupSaid = { begun: string } | { refused: string }

const PROGRAM = fileURLToPath(new URL('./backup-program.ts', import.meta.url))
/** Behind everything that somebody waits for. */
const NICE = 10
/** How long it may take to begin. */
const BEGIN_MS = 30_000
/** How long one that is to stop is waited for; it gives itself up before. */
const END_MS = 10_000

/** Makes backups, each in a process of its own: its memory is given back, and it can be ended whatever it waits for. */
export class KeptBackupMaker {
  readonly #running = new Set<ChildProcess>()

  /**
   * Begins one. Resolves once it has begun, with its name.
   * @throws ShopError `conflict` when another is being made, or its folder can't be used
   */
  async make(order: BackupOrder): Promise<string> {
    const child = fork(PROGRAM, {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#running.add(child)
    child.once('exit', () => this.#running.delete(child))
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const refuse = (words: string): void => reject(new ShopError('conflict', words))
    child.once('error', (error) => refuse(`The backup could not be begun: ${error.message}`))
    child.once('exit', () => refuse('The backup could not be begun: its process ended.'))
    child.on('message', (said: BackupSaid) => ('begun' in said ? resolve(said.begun) : refuse(said.refused)))
    const late = setTimeout(() => {
      refuse(`The backup did not begin within ${BEGIN_MS / 1000} s.`)
      child.kill('SIGKILL')
    }, BEGIN_MS)
    try {
      if (child.pid !== undefined) setPriority(child.pid, NICE)
      child.send(order)
      return await promise
    } finally {
      clearTimeout(late)
    }
  }

  /** Stops those that this process began, and waits until nothing is left of them. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#running].map(async (child) => {
        const ended = once(child, 'exit')
        if (child.connected) child.disconnect()
        const late = setTimeout(() => child.kill('SIGKILL'), END_MS)
        await ended
        clearTimeout(late)
      }),
    )
  }
}
