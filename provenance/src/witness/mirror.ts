import { sameDigest } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import type { Checkpoint } from '../log/checkpoint.ts'
import type { VerifierKey } from '../log/note.ts'
import type { ShownLog } from '../log/read-log.ts'
import { cosign, openCheckpoint, type Signer } from '../log/signed-checkpoint.ts'
import { leafHash, proveConsistency, rootOf, type Tile, verifyConsistency } from '../log/tree.ts'
import type { MirrorStore } from './mirror-store.ts'
import { bareNote, type Memory, type Witness } from './witness.ts'

/*
 * A mirror keeps a copy of a log and signs, with a name and keys of its own, that it has it: so the log can still be read
 * when its shop is gone. It copies what its witness has signed, so there is one history for both, and signs when every entry
 * is on the disk and gives the signed root; never as an answer to a log. Source: C2SP tlog-mirror.
 */

interface Parts {
  readonly log: VerifierKey
  /** Which states of the log are copied: those that it signs. */
  readonly witness: Pick<Witness, 'newest' | 'held'>
  /** Another name and other keys than the witness's. */
  readonly signers: readonly Signer[]
  /** The newest checkpoint that the copy is known to have. */
  readonly memory: Memory
  readonly copy: MirrorStore
  /** Seconds since 1970. */
  readonly nowS: () => number
}

/** What is wrong with a log or with the disk, for operators; anything else is a log that can't be reached. */
export class MirrorFault extends Error {}

/** A checkpoint with its log's signature alone. */
type Bare = { readonly note: string; readonly checkpoint: Checkpoint }

export class Mirror {
  readonly #of: Parts
  /** The newest checkpoint that the copy has; undefined: none yet. */
  #kept: Bare | undefined
  /** Our state was put back, so we may have signed a larger one: nothing is signed before the witness's is reached. */
  #isMoved: boolean
  #signed: string | undefined
  #fault: string | undefined

  private constructor(of: Parts, kept: Bare | undefined) {
    this.#of = of
    this.#kept = kept
    this.#isMoved = of.memory.moved !== undefined
  }

  /** Goes on where the memory ends. @throws FormatError when what is kept is not of this log */
  static async begin(of: Parts): Promise<Mirror> {
    const { note } = of.memory
    const kept = note === null ? undefined : await bareOf(note, of.log)
    const mirror = new Mirror(of, kept)
    const isOurs = of.witness.held === undefined && !mirror.#isMoved
    if (kept !== undefined && isOurs && (await mirror.#has(kept.checkpoint))) mirror.#sign(kept)
    return mirror
  }

  /** The newest checkpoint that the copy has, with our signatures; undefined: none was signed since the start. */
  get newest(): string | undefined {
    return this.#signed
  }

  /** How many entries the copy has; the last may be of no checkpoint that we signed yet. */
  get size(): number {
    return this.#of.copy.size
  }

  /** Why the copy does not go on, in words; undefined: it does, or the log could not be reached. */
  get fault(): string | undefined {
    return this.#fault
  }

  /** Hashes or entries of the copy; undefined: it does not have them. */
  tile(tile: Tile): Uint8Array | undefined {
    return this.#of.copy.tile(tile)
  }

  /**
   * Copies the log up to what the witness has signed, and signs it, anew where it was copied before: the time of a signature
   * says when the log was last looked at. Answers what came of it, in words. What was stored
   * stays, wherever it ends. Rejects where the log can't be reached, or with a MirrorFault.
   * @param read reads the log as it is now; undefined: it shows no checkpoint
   */
  async advance(read: () => Promise<ShownLog | undefined>, signal: AbortSignal): Promise<string> {
    const { witness, log, memory } = this.#of
    if (witness.held !== undefined || witness.newest === undefined) return 'waiting for the witness to sign'
    const wanted = await bareOf(witness.newest, log)
    const { size } = wanted.checkpoint
    try {
      const shown = await read()
      requireShown(shown, size)
      // First what was there before, where the copy lost some of it: so it is made whole by what we signed
      const both = [...(this.#kept === undefined ? [] : [this.#kept.checkpoint]), wanted.checkpoint]
      for (const checkpoint of both)
        if (this.size < checkpoint.size) await this.#copy(checkpoint, shown, signal)
      if (this.size < size) return `copied ${this.size} of ${size} entries`
      for (const checkpoint of both)
        if (!(await this.#has(checkpoint)))
          throw new MirrorFault(`the copy has other entries than the ${checkpoint.size} that were signed`)
      if (size < (this.#kept?.checkpoint.size ?? 0))
        return `keeps ${this.#kept?.checkpoint.size} entries, of which the witness has signed ${size}`
      if (this.#isMoved || size > (this.#kept?.checkpoint.size ?? -1))
        await stored(() => memory.write(wanted.note))
      this.#isMoved = false
      this.#kept = wanted
      this.#sign(wanted)
      this.#fault = undefined
      return `signed ${size} entries`
    } catch (error) {
      this.#fault = error instanceof MirrorFault ? error.message : undefined
      throw error
    }
  }

  /** Has the copy every entry of this checkpoint, and do they give its root? */
  async #has({ size, root }: Checkpoint): Promise<boolean> {
    const own = this.size < size ? undefined : await rootOf(size, this.#of.copy.hash).catch(() => undefined)
    return own !== undefined && sameDigest(own, root)
  }

  async #copy(wanted: Checkpoint, log: ShownLog | undefined, signal: AbortSignal): Promise<void> {
    requireShown(log, wanted.size)
    while (this.size < wanted.size && !signal.aborted) {
      const entries = await provenEntries(log, this.#of.copy, wanted)
      await stored(async () => this.#of.copy.append(entries))
    }
  }

  /** Signs what is on the disk, and nothing else. */
  #sign({ note, checkpoint }: Bare): void {
    const { signers, nowS } = this.#of
    this.#signed = note + signers.map((signer) => cosign(checkpoint, signer, nowS())).join('')
  }
}

/** @throws MirrorFault where a log is not shown, or shows less than it signed */
function requireShown(log: ShownLog | undefined, signed: number): asserts log is ShownLog {
  const shown = log?.opened.checkpoint.size ?? 0
  if (log === undefined || shown < signed)
    throw new MirrorFault(`the log shows ${shown} entries, and ${signed} were signed`)
}

/** The next entries of a log, up to the end of their bundle, which are those of the checkpoint. @throws MirrorFault */
async function provenEntries(
  log: ShownLog,
  { edge, size }: MirrorStore,
  wanted: Checkpoint,
): Promise<Uint8Array[]> {
  const refused = (words: string): MirrorFault =>
    new MirrorFault(`entries from ${size} on are not copied: ${words}`)
  try {
    const entries = (await log.entries(size)).slice(0, wanted.size - size)
    const { size: end, root } = entries.reduce((before, entry) => before.with(leafHash(entry)), edge)
    const proof = end === wanted.size ? [] : await proveConsistency(end, wanted.size, log.hash)
    if (root !== undefined && verifyConsistency([end, root], [wanted.size, wanted.root], proof))
      return entries
    throw refused(await differenceIn(entries, size, log))
  } catch (error) {
    if (error instanceof FormatError) throw refused(`the log shows a tile that is none: it ${error.reason}`)
    throw error
  }
}

/** What of a log that is not the signed one shows it, for operators. */
async function differenceIn(entries: readonly Uint8Array[], first: number, log: ShownLog): Promise<string> {
  for (const [i, entry] of entries.entries())
    if (!sameDigest(leafHash(entry), await log.hash(0, first + i)))
      return `entry ${first + i} is not the one that its tile has`
  return 'with the tiles beside them they do not give the root that was signed'
}

async function stored(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    throw new MirrorFault(`it could not be stored: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

async function bareOf(note: string, log: VerifierKey): Promise<Bare> {
  const opened = await openCheckpoint(note, [log], [])
  return { note: bareNote(opened, log), checkpoint: opened.checkpoint }
}
