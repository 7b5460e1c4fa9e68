import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AuditedMap, Step } from '../audit/follow-anchor.ts'
import { EMPTY, type MapEntry, type MapNode, MapNodes, type MapUpdate } from '../box-map.ts'
import { type Digest, hexOf, sameDigest, textOf, unhexed } from '../digest.ts'
import { parseBoxState } from '../leaf.ts'
import { LogEdge } from './log-edge.ts'
import { StoreError } from './store.ts'

/*
 * How far a witness has audited, in SQLite beside its signed checkpoint: the map of all boxes after the last anchor that
 * added up, the log's tree over all entries up to it, and what did not add up. Each anchor is one transaction, so a kill
 * leaves the map before it or after it. Nothing here is signed, and all of it can be made again from the log and the shop.
 */

const FILE = 'audit.db'
const FORMAT = 'befaqt-witness-audit/1'
/** So many anchors that did not add up are kept, and so many characters of each. */
const MAX_EVIDENCE = 16
const MAX_EVIDENCE_TEXT = 524_288
const MAX_WORDS = 2_000
/** In place of a document that is longer. */
const CUT = '{"format":"befaqt-evidence/1","cut":true}'

const TABLES = `
  create table if not exists state (id integer primary key check (id = 0), format text not null, log text not null,
    root text not null, boxes integer not null, time integer not null, edge blob not null) strict;
  create table if not exists nodes (value blob primary key, bytes blob not null) strict, without rowid;
  create table if not exists sizes (size integer primary key, root blob not null) strict;
  create table if not exists evidence (at integer primary key, words text not null, document text not null) strict;`

/** An anchor that adds up, with the log's tree up to and with it. */
export interface AuditedAnchor {
  readonly step: Step
  /** Block time, seconds since 1970. */
  readonly time: number
  readonly log: LogEdge
}

/** Nodes that are read when they are looked at, and kept as long as this is. */
class StoredNodes extends MapNodes {
  readonly #read: (value: string) => string | undefined

  constructor(read: (value: string) => string | undefined) {
    super()
    this.#read = read
  }

  override entryAt(value: string): MapEntry {
    if (!this.has(value)) {
      const bytes = this.#read(value)
      if (bytes !== undefined) this.take({ value, bytes })
    }
    return super.entryAt(value)
  }
}

type State = { root: string; boxes: number; time: number; edge: LogEdge }

/** The audit of one log, in a folder that this process alone has. */
export class AuditStore implements AuditedMap {
  readonly #db: DatabaseSync
  #state: State

  private constructor(db: DatabaseSync, state: State) {
    this.#db = db
    this.#state = state
  }

  /** @param log key of the log, as text @throws StoreError when the file is of another log, or is none */
  static open(folder: string, log: string): AuditStore {
    const path = join(folder, FILE)
    let db: DatabaseSync | undefined
    try {
      db = new DatabaseSync(path, { timeout: 1_000 })
      db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 67108864')
      db.exec(TABLES)
      db.prepare('insert or ignore into state values (0, ?, ?, ?, 0, 0, ?)').run(
        FORMAT,
        log,
        EMPTY,
        new Uint8Array(),
      )
      const row = db.prepare('select * from state').get()
      if (row?.format !== FORMAT || row.log !== log)
        throw new StoreError(`${path} is the audit of another log: another log needs another folder`)
      const last = db.prepare('select max(size) as size from sizes').get()
      const edge = LogEdge.of(Number(last?.size ?? 0), row.edge as Uint8Array)
      const state = { root: String(row.root), boxes: Number(row.boxes), time: Number(row.time), edge }
      return new AuditStore(db, state)
    } catch (cause) {
      db?.close()
      if (cause instanceof StoreError) throw cause
      throw new StoreError(`${path} can’t be read: without it the audit begins anew`, { cause })
    }
  }

  /** Root of the map after the last anchor that added up. */
  get root(): string {
    return this.#state.root
  }

  get boxes(): number {
    return this.#state.boxes
  }

  /** Time of the last anchor that added up. */
  get time(): number {
    return this.#state.time
  }

  /** The log's tree over all entries that added up. */
  get log(): LogEdge {
    return this.#state.edge
  }

  nodes(update?: MapUpdate): MapNodes {
    const added = new Map((update?.added ?? []).map(({ value, bytes }: MapNode) => [value, bytes]))
    const stored = this.#db.prepare('select bytes from nodes where value = ?')
    return new StoredNodes((value) => {
      const known = added.get(value)
      if (known !== undefined) return known
      const row = stored.get(unhexed(value))
      return row === undefined ? undefined : hexOf(row.bytes as Uint8Array)
    })
  }

  *boxIDs(): Iterable<string> {
    const leaves = this.#db.prepare("select bytes from nodes where substr(bytes, 1, 1) = x'00'")
    for (const { bytes } of leaves.iterate())
      yield parseBoxState(JSON.parse(textOf((bytes as Uint8Array).subarray(1)))).box
  }

  /** Goes on behind an anchor that adds up, whole or not at all. */
  accept({ step, time, log }: AuditedAnchor): void {
    const { root, boxes, added, removed } = step
    const logRoot = log.root
    if (logRoot === undefined) throw new RangeError('an anchor stands in no log')
    this.#whole(() => {
      const [add, remove] = [
        this.#db.prepare('insert or replace into nodes values (?, ?)'),
        this.#db.prepare('delete from nodes where value = ?'),
      ]
      for (const value of removed) remove.run(unhexed(value))
      for (const { value, bytes } of added) add.run(unhexed(value), unhexed(bytes))
      this.#db.prepare('insert into sizes values (?, ?)').run(log.size, logRoot)
      this.#db
        .prepare('update state set root = ?, boxes = ?, time = ?, edge = ?')
        .run(root, boxes, time, log.bytes)
    })
    this.#state = { root, boxes, time, edge: log }
  }

  /** Was the tree of this size, with this root, audited? Undefined: none of that size was. */
  isAudited(size: number, root: Digest): boolean | undefined {
    const row = this.#db.prepare('select root from sizes where size = ?').get(size)
    return row === undefined ? undefined : sameDigest(row.root as Digest, root)
  }

  /** Keeps what did not add up: of an index (or −size of a log’s other tree) the first, and no more than are of use. Returns whether it is new. */
  keepEvidence(at: number, words: string, document: string): boolean {
    const { changes } = this.#db
      .prepare(
        `insert or ignore into evidence select ?, ?, ? where (select count(*) from evidence) < ${MAX_EVIDENCE}`,
      )
      .run(at, words.slice(0, MAX_WORDS), document.length > MAX_EVIDENCE_TEXT ? CUT : document)
    return changes > 0
  }

  /** What did not add up, in words, by index. */
  evidence(): { at: number; words: string }[] {
    return this.#db
      .prepare('select at, words from evidence order by at')
      .all()
      .map(({ at, words }) => ({ at: Number(at), words: String(words) }))
  }

  /** What is kept about an index. */
  evidenceAt(at: number): string | undefined {
    const row = this.#db.prepare('select document from evidence where at = ?').get(at)
    return row === undefined ? undefined : String(row.document)
  }

  close(): void {
    this.#db.close()
  }

  #whole(work: () => void): void {
    this.#db.exec('begin immediate')
    try {
      work()
      this.#db.exec('commit')
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback') // a full disk has ended it already
      throw error
    }
  }
}
