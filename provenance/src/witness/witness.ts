import { sameDigest } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { type AddRequest, parseAddRequest, SIZE_TYPE } from '../log/add-checkpoint.ts'
import { type Checkpoint, parseCheckpoint } from '../log/checkpoint.ts'
import { noteOf, parseNote, signatureLine, type VerifierKey } from '../log/note.ts'
import { cosign, type OpenedCheckpoint, openCheckpoint, type Signer } from '../log/signed-checkpoint.ts'
import { EMPTY_ROOT, verifyConsistency } from '../log/tree.ts'

/*
 * A witness signs a state of a log only where it continues the one that it saw before, so whoever has its signature knows
 * that nobody else was shown another history with one. Source: C2SP tlog-witness v1.0.0.
 */

/** What is answered to a request. */
export interface Reply {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422 | 503
  readonly type: string
  readonly body: string
}

/** Where a witness keeps what it has seen. */
export interface Memory {
  readonly note: string | null
  readonly moved: string | undefined
  /** Resolves when it is on the disk. */
  write(note: string | null): Promise<void>
}

/** What is to be said of a checkpoint that continues what was signed, by who looks at what is in the log. */
export interface Judge {
  judge(checkpoint: Checkpoint, note: string): Judgement
}
export type Judgement = 'audited' | 'not yet' | 'failed'

interface Parts {
  readonly log: VerifierKey
  /** Undefined: a general witness, which compares states of the log alone. */
  readonly judge?: Judge
  readonly signers: readonly Signer[]
  readonly memory: Memory
  /** Seconds since 1970. */
  readonly nowS: () => number
  readonly tell: (words: string) => void
}

/** Requests that wait for those before them; more are sent away. */
const MAX_WAITING = 32
const PLAIN = 'text/plain; charset=utf-8'
/** The part of a checkpoint that requests are compared with. */
type Seen = Pick<Checkpoint, 'size' | 'root'>
const NOTHING: Seen = { size: 0, root: EMPTY_ROOT }

export class Witness {
  readonly #of: Parts
  #seen: Seen
  /** The newest checkpoint with our signatures. */
  #signed: string | undefined
  /** Why nothing is signed, in words. */
  #held: string | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  private constructor(of: Parts, seen: Seen) {
    this.#of = of
    this.#seen = seen
    this.#held = of.memory.moved
  }

  /**
   * Goes on where the memory ends. One that was put back from a backup signs nothing: what it signed since is not known.
   * @throws FormatError when what is kept is not of this log
   */
  static async begin(of: Parts): Promise<Witness> {
    const { note } = of.memory
    if (note === null) return new Witness(of, NOTHING)
    const { checkpoint } = await openCheckpoint(note, [of.log], [])
    const witness = new Witness(of, checkpoint)
    if (witness.#held === undefined && witness.#judged(note, checkpoint) === 'audited')
      witness.#sign(note, checkpoint)
    return witness
  }

  /** How many entries the newest checkpoint has. */
  get size(): number {
    return this.#seen.size
  }

  /** The newest checkpoint with our signatures; undefined: none was signed, or it is not known whether it is the newest. */
  get newest(): string | undefined {
    return this.#signed
  }

  /** Why nothing is signed until somebody decides, in words; undefined: all is well. */
  get held(): string | undefined {
    return this.#held
  }

  /** An operator says that what is kept is the newest that was ever signed. */
  async confirm(): Promise<void> {
    const { note } = this.#of.memory
    await this.#of.memory.write(note)
    this.#held = undefined
    const checkpoint = note === null ? undefined : parseCheckpoint(parseNote(note).text)
    if (note === null || checkpoint === undefined) return
    if (this.#judged(note, checkpoint) === 'audited') this.#sign(note, checkpoint)
  }

  #judged(note: string, checkpoint: Checkpoint): Judgement {
    return this.#of.judge?.judge(checkpoint, note) ?? 'audited'
  }

  /** Answers `add-checkpoint`. One request after the other, so that comparing and storing are one step. */
  async add(text: string): Promise<Reply> {
    if (this.#waiting >= MAX_WAITING) return reply(503, 'Too many requests.')
    this.#waiting += 1
    try {
      return await this.#answer(text)
    } finally {
      this.#waiting -= 1
    }
  }

  async #answer(text: string): Promise<Reply> {
    let request: AddRequest
    try {
      request = parseAddRequest(text)
      const { origin } = parseCheckpoint(parseNote(request.note).text)
      if (origin !== this.#of.log.name) return reply(404, 'This log is not watched here.')
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      return reply(400, error.message)
    }
    const opened = await opens(request.note, this.#of.log)
    if (opened === undefined) return reply(403, 'The log has not signed this.')
    if (request.old > opened.checkpoint.size)
      return reply(400, 'The old size is above that of the checkpoint.')
    const done = this.#last.then(() =>
      this.#compare(request, opened.checkpoint, bareNote(opened, this.#of.log)),
    )
    this.#last = done.catch(() => undefined)
    return done
  }

  /** @param bare the checkpoint with its log's signature alone */
  async #compare({ old, proof, note }: AddRequest, checkpoint: Checkpoint, bare: string): Promise<Reply> {
    if (this.#held !== undefined) return reply(503, 'This witness does not sign until its operator decides.')
    const { size, root } = checkpoint
    if (size > this.#seen.size && (await this.#isOurs(note))) await this.#keep(bare, checkpoint)
    const seen = this.#seen
    if (old !== seen.size) return { status: 409, type: SIZE_TYPE, body: `${seen.size}\n` }
    if (!verifyConsistency([seen.size, seen.root], [size, root], proof)) {
      const differs = size === seen.size && !sameDigest(root, seen.root)
      if (differs) this.#of.tell(`the log signed two roots of ${size} entries; the second:\n${bare}`)
      return reply(422, differs ? 'Another root of this size was seen.' : 'The proof does not hold.')
    }
    const judged = this.#judged(bare, checkpoint)
    if (judged === 'not yet') return reply(503, 'What is in it is not audited yet.')
    if (judged === 'failed') return reply(422, 'What is in it does not add up: see /evidence.')
    if (size > seen.size) await this.#keep(bare, checkpoint)
    return reply(200, this.#sign(bare, checkpoint))
  }

  /**
   * Does it bear our own signature? When it is newer than what is kept, we have signed it and forgot it, with a folder that
   * was put back: it is the least that may be continued.
   */
  async #isOurs(note: string): Promise<boolean> {
    const own = this.#of.signers.map(({ key }) => key)
    const isOurs = ((await opens(note, this.#of.log, own))?.cosignatures.length ?? 0) > 0
    if (isOurs) this.#of.tell('what is kept was older than our own signature, which is kept now')
    return isOurs
  }

  async #keep(bare: string, { size, root }: Checkpoint): Promise<void> {
    await this.#of.memory.write(bare)
    this.#seen = { size, root }
    this.#signed = undefined
  }

  /** Signs what is on the disk, and nothing else. Answers the lines. */
  #sign(bare: string, checkpoint: Checkpoint): string {
    const lines = this.#of.signers.map((signer) => cosign(checkpoint, signer, this.#of.nowS())).join('')
    this.#signed = bare + lines
    return lines
  }
}

const reply = (status: Reply['status'], words: string): Reply => ({
  status,
  type: PLAIN,
  body: words.endsWith('\n') ? words : `${words}\n`,
})

/** The checkpoint of a note, when it is by this log, and no signature by one of these cosigners is false. */
async function opens(
  note: string,
  log: VerifierKey,
  cosigners: readonly VerifierKey[] = [],
): Promise<OpenedCheckpoint | undefined> {
  try {
    return await openCheckpoint(note, [log], cosigners)
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** A checkpoint with one signature of its log, and nobody else's. */
export function bareNote({ note }: OpenedCheckpoint, log: VerifierKey): string {
  const own = note.signatures.find(({ name, id }) => name === log.name && id === log.id)
  return noteOf(note.text, own === undefined ? [] : [signatureLine(log, own.bytes)])
}
