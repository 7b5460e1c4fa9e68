import { sameDigest } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { readBuilds } from '../log/builds.ts'
import type { Checkpoint } from '../log/checkpoint.ts'
import type { ShownLog } from '../log/read-log.ts'
import type { Judge, Judgement } from './witness.ts'

/*
 * What a witness reads of a log of builds: that each entry is a build or a checker, written as the format says, and nothing
 * else. Whether a build is an honest one is for whoever compares it with the sources.
 */

type State = Pick<Checkpoint, 'size' | 'root'>

export class BuildsJudge implements Judge {
  readonly #tell: (words: string) => void
  /** The newest state of which every entry was read. */
  #read: State | undefined
  /** The newest state that holds what is no build, and what, in words. */
  #failed: (State & { words: string }) | undefined

  constructor(tell: (words: string) => void) {
    this.#tell = tell
  }

  get failed(): string | undefined {
    return this.#failed?.words
  }

  judge({ size, root }: State): Judgement {
    if (size === 0) return 'audited'
    const isSame = (other: State | undefined): boolean =>
      other !== undefined && other.size === size && sameDigest(other.root, root)
    if (isSame(this.#read)) return 'audited'
    if (isSame(this.#failed)) return 'failed'
    return 'not yet'
  }

  /** Reads all entries of a log up to its checkpoint. Rejects when the log does not show them. */
  async advance(log: ShownLog): Promise<void> {
    const { size, root } = log.opened.checkpoint
    if (this.judge({ size, root }) !== 'not yet') return
    try {
      await readBuilds(log.opened, log)
      this.#read = { size, root }
      this.#failed = undefined
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      this.#failed = { size, root, words: error.message }
      this.#tell(`the log of builds holds what is none: ${error.message}`)
    }
  }
}
