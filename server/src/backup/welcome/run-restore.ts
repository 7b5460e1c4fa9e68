import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { RestoreProgress } from '@befaqt/domain/restore'
import type { Config } from '#server/config/config.ts'
import type { Owner } from './bare-shop.ts'

/** What is to be done with the file that was sent. */
export type RestoreOrder = {
  what: 'check' | 'restore'
  /** Without what can't be handed to another process. */
  config: Config
  /** It goes over the pipe between the two, never into an environment, an argument, a file or a log. */
  passphrase: string | undefined
  owner: Owner
  /** SHA-256 of what the tab is recognized by that began it. */
  tab: string
}

type Ended = { ok: boolean; words: string[] }

/** What the process says: how far it is, and how it ended. */
export type RestoreSaid = { progress: RestoreProgress } | { ended: Ended }

const PROGRAM = fileURLToPath(new URL('./restore-program.ts', import.meta.url))
/** Behind everything that somebody waits for. */
const NICE = 10

/** One process that checks or restores. Its memory is given back, and it can be ended whatever it waits for. */
export class RestoreProcess {
  readonly #child: ChildProcess
  progress: RestoreProgress | null = null
  /** How it ended, in words for whoever is at the page. */
  readonly ended: Promise<Ended>

  constructor(order: RestoreOrder) {
    this.#child = fork(PROGRAM, {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const { promise, resolve } = Promise.withResolvers<Ended>()
    this.ended = promise
    const over = (words: string): void => resolve({ ok: false, words: [words] })
    this.#child.on('message', (said: RestoreSaid) => {
      if ('ended' in said) resolve(said.ended)
      else this.progress = said.progress
    })
    this.#child.once('error', (error) => over(`It could not be begun: ${error.message}`))
    this.#child.once('exit', () => over('Its process was ended in the middle. Start it again.'))
    if (this.#child.pid !== undefined && order.what === 'check') setPriority(this.#child.pid, NICE)
    this.#child.send({ ...order, config: { ...order.config, WITNESSES: undefined } })
  }

  /** Resolves once the process is gone. */
  async gone(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
  }

  /** Ends it, wherever it is: it is in no state that this harms. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.gone()
  }
}
