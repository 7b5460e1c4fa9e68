import { type Followed, followOne, ON_ITS_WAY_S, type ShopAnchors } from '../audit/audit.ts'
import type { Finding } from '../audit/audit-state.ts'
import { type LoggedAnchor, parseAnchorEntry } from '../leaf.ts'
import type { Checkpoint } from '../log/checkpoint.ts'
import type { ShownLog } from '../log/read-log.ts'
import { leafHash, proveConsistency, verifyConsistency } from '../log/tree.ts'
import type { AuditStore } from './audit-store.ts'
import { evidenceOfAnchor, evidenceOfFork } from './evidence.ts'
import type { LogEdge } from './log-edge.ts'
import type { Judge, Judgement } from './witness.ts'

/*
 * What an auditing witness does ahead of being asked: follows the entries of a log, rebuilds the map of all boxes at each
 * anchor from what the shop says has changed, and stops at the first that does not add up. Source: witness.md, Witness.
 */

interface Parts {
  readonly store: AuditStore
  readonly shop: Pick<ShopAnchors, 'changesAt'>
  readonly nowS: () => number
  readonly tell: (words: string) => void
  /** Somebody asks for what is not audited yet. */
  readonly wanted?: () => void
}

/** An anchor's time may be ahead of our clock by that much. */
const AHEAD_S = 300
/** An anchor that did not add up is looked at again after so long: the shop may have told it wrongly. */
const AGAIN_S = 3_600

/** An entry of the log that has been read, with the log's tree up to and with it. */
interface Read {
  readonly bytes: Uint8Array
  readonly edge: LogEdge
}

export class Auditor implements Judge {
  readonly #of: Parts
  /** Entries that the newest checkpoint had that was audited against. */
  #known = 0
  /** The next anchor, when it was looked at last and did not add up. */
  #failing: { index: number; words: string; atS: number } | undefined

  constructor(of: Parts) {
    this.#of = of
    const known = of.store.evidence().find(({ at }) => at === this.size)
    if (known !== undefined)
      this.#failing = { index: known.at, words: known.words, atS: Number.NEGATIVE_INFINITY }
  }

  /** Anchors that added up: so many entries of the log. */
  get size(): number {
    return this.#of.store.log.size
  }

  /** Why it does not go on, in words; undefined: all that was looked at adds up. */
  get failed(): string | undefined {
    return this.#failing?.index === this.size ? this.#failing.words : undefined
  }

  /** Of a checkpoint that continues what was signed: is every entry below it audited? */
  judge({ size, root }: Pick<Checkpoint, 'size' | 'root'>, note: string): Judgement {
    const { store, wanted } = this.#of
    if (size === 0) return 'audited'
    const isAudited = store.isAudited(size, root)
    if (isAudited === false) this.#fork(size, note)
    if (isAudited !== undefined) return isAudited ? 'audited' : 'failed'
    if (this.failed !== undefined) return 'failed'
    wanted?.()
    return 'not yet'
  }

  /**
   * Follows a log up to its checkpoint, or until an anchor does not add up. What was audited stays so, wherever it ends.
   * @throws Error when log or shop can't be read, or show what can't be so
   */
  async advance(log: ShownLog, signal: AbortSignal): Promise<void> {
    const { checkpoint } = log.opened
    const { size, root } = checkpoint
    this.#known = size
    if (size <= this.size) {
      if (size > 0 && this.#of.store.isAudited(size, root) === false) this.#fork(size, log.note)
      return
    }
    const failing = this.#failing?.index === this.size ? this.#failing : undefined
    const isWaiting = failing !== undefined && this.#of.nowS() - failing.atS < AGAIN_S
    while (!isWaiting && this.size < size && !signal.aborted) {
      for (const entry of await this.#read(log, checkpoint)) {
        if (signal.aborted || !(await this.#audit(log, entry))) return
      }
      if (this.size < size) this.#of.tell(`audited ${this.state} entries`)
    }
  }

  /** The next entries, up to the end of their bundle, which are those of the checkpoint. */
  async #read(log: ShownLog, { size, root }: Checkpoint): Promise<Read[]> {
    const read: Read[] = []
    let edge = this.#of.store.log
    for (const bytes of await log.entries(edge.size)) {
      edge = edge.with(leafHash(bytes))
      read.push({ bytes, edge })
    }
    const proof = await proveConsistency(edge.size, size, log.hash)
    if (edge.root === undefined || !verifyConsistency([edge.size, edge.root], [size, root], proof))
      throw new Error(`its entries up to ${edge.size} are not those that it signed, or go not on from ours`)
    return read
  }

  /** Audits one entry. Returns whether it adds up. */
  async #audit(log: ShownLog, { bytes, edge }: Read): Promise<boolean> {
    const { store, shop, nowS, tell } = this.#of
    const index = edge.size - 1
    const anchor = anchorIn(bytes, index)
    const followed = anchor && (await followOne(shop, store, index, anchor))
    const findings = anchor && followed ? [...followed.findings] : [noAnchor(index)]
    if (anchor !== undefined) findings.push(...timeFindings(anchor, store.time, nowS()))
    if (findings.length === 0 && anchor !== undefined && followed !== undefined) {
      store.accept({ step: followed.step, time: anchor.time, log: edge })
      return true
    }
    if (anchor !== undefined && isOnItsWay(findings, anchor, nowS()))
      throw new Error(`the shop does not say yet what changed at anchor ${index}`)
    const words = findings.map((finding) => finding.words).join(' ')
    const document = await this.#evidence(log, { findings, anchor, followed }, index)
    this.#failing = { index, words, atS: nowS() }
    if (store.keepEvidence(index, words, document)) tell(`anchor ${index} does not add up: ${words}`)
    return false
  }

  #evidence(
    log: ShownLog,
    found: { findings: readonly Finding[]; anchor: LoggedAnchor | undefined; followed: Followed | undefined },
    index: number,
  ): Promise<string> {
    return evidenceOfAnchor({ ...found, index, log, shop: this.#of.shop, map: this.#of.store })
  }

  /** The log has signed two trees of one size: the one that was audited, and this. */
  #fork(size: number, note: string): void {
    const words = `The log signed another tree of ${size} entries than the one that was audited.`
    if (this.#of.store.keepEvidence(-size, words, evidenceOfFork(size, note, words))) this.#of.tell(words)
  }

  /** For people: how far it is. */
  get state(): string {
    return `${this.size}${this.#known > this.size ? ` of ${this.#known}` : ''}`
  }
}

/** The anchor that an entry says, where it is one of this index; undefined: it is something else. */
function anchorIn(bytes: Uint8Array, index: number): LoggedAnchor | undefined {
  try {
    const anchor = parseAnchorEntry(bytes)
    return anchor.index === index ? anchor : undefined
  } catch {
    return undefined
  }
}

const noAnchor = (index: number): Finding => ({
  index,
  code: 'no_anchor',
  words: `Entry ${index} of the log is no anchor of this number.`,
})

function timeFindings({ index, time }: LoggedAnchor, before: number, nowS: number): Finding[] {
  if (time >= before && time <= nowS + AHEAD_S) return []
  const words = `Anchor ${index} is of a time before the one before it, or ahead of now.`
  return [{ index, code: 'time_wrong', words }]
}

/** The shop may have yet to publish what it has just anchored. */
const isOnItsWay = (findings: readonly Finding[], { time }: LoggedAnchor, nowS: number): boolean =>
  findings.every(({ code }) => code === 'not_told') && nowS - time <= ON_ITS_WAY_S
