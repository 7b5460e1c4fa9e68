import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Digest } from '../digest.ts'
import {
  entryBundle,
  hashOfRow,
  hasTile,
  leafHash,
  type ReadHash,
  readFromTiles,
  TILE_WIDTH,
  type Tile,
} from '../log/tree.ts'
import { LogEdge } from './log-edge.ts'
import { StoreError } from './store.ts'

/*
 * The copy of a log, in SQLite: its entries, and the hashes of its tiles made from them, never taken from the log. Entries
 * are added some at a time, each time in one transaction that is on the disk before it ends, and none is ever changed.
 */

const FILE = 'mirror.db'
const FORMAT = 'befaqt-mirror/1'

const TABLES = `
  create table if not exists state (id integer primary key check (id = 0), format text not null, log text not null,
    size integer not null, edge blob not null) strict;
  create table if not exists entries (at integer primary key, bytes blob not null) strict;
  create table if not exists hashes (level integer not null, at integer not null, hash blob not null,
    primary key (level, at)) strict, without rowid;`

/** The copy of one log, in a folder that this process alone has. */
export class MirrorStore {
  readonly #db: DatabaseSync
  #edge: LogEdge

  private constructor(db: DatabaseSync, edge: LogEdge) {
    this.#db = db
    this.#edge = edge
  }

  /** @param log key of the log, as text @throws StoreError when the file is of another log, or is none */
  static open(folder: string, log: string): MirrorStore {
    const path = join(folder, FILE)
    let db: DatabaseSync | undefined
    try {
      db = new DatabaseSync(path, { timeout: 1_000 })
      db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864')
      db.exec(TABLES)
      db.prepare('insert or ignore into state values (0, ?, ?, 0, ?)').run(FORMAT, log, new Uint8Array())
      const row = db.prepare('select * from state').get()
      if (row?.format !== FORMAT || row.log !== log)
        throw new StoreError(`${path} is the copy of another log: another log needs another folder`)
      return new MirrorStore(db, LogEdge.of(Number(row.size), row.edge as Uint8Array))
    } catch (cause) {
      db?.close()
      if (cause instanceof StoreError) throw cause
      throw new StoreError(`${path} can’t be read: without it the log is copied anew`, { cause })
    }
  }

  /** The log's tree over all entries that are here. */
  get edge(): LogEdge {
    return this.#edge
  }

  get size(): number {
    return this.#edge.size
  }

  /** Adds the entries that follow, whole or not at all; they are on the disk when it returns. Throws where that fails. */
  append(entries: readonly Uint8Array[]): void {
    let edge = this.#edge
    this.#db.exec('begin immediate')
    try {
      const [add, addHash] = [
        this.#db.prepare('insert into entries values (?, ?)'),
        this.#db.prepare('insert into hashes values (?, ?, ?)'),
      ]
      for (const entry of entries) {
        const leaf = leafHash(entry)
        add.run(edge.size, entry)
        this.#addHash(addHash, edge.size, leaf)
        edge = edge.with(leaf)
      }
      this.#db.prepare('update state set size = ?, edge = ?').run(edge.size, edge.bytes)
      this.#db.exec('commit')
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback') // a full disk has ended it already
      throw error
    }
    this.#edge = edge
  }

  /** The hash of an entry, and of each tile that it fills, which is one of the level above. */
  #addHash(add: StatementSync, at: number, leaf: Digest): void {
    let hash = leaf
    for (let [level, index] = [0, at]; ; level++) {
      add.run(level, index, hash)
      if ((index + 1) % TILE_WIDTH !== 0) return
      hash = hashOfRow(this.#hashes(level, index + 1 - TILE_WIDTH, TILE_WIDTH))
      index = (index + 1) / TILE_WIDTH - 1
    }
  }

  #hashes(level: number, first: number, count: number): Digest[] {
    return this.#db
      .prepare('select hash from hashes where level = ? and at >= ? and at < ? order by at')
      .all(level, first, first + count)
      .map(({ hash }) => hash as Digest)
  }

  /** The hash of any complete subtree that is here. */
  readonly hash: ReadHash = readFromTiles(async (level, first, count) => this.#hashes(level, first, count))

  /** The bytes of a tile or a bundle, 132 kB at most, as they were read; undefined: it is not here. Source: C2SP tlog-tiles. */
  tile(tile: Tile): Uint8Array | undefined {
    if (!hasTile(tile, this.size)) return undefined
    const { level, index, width } = tile
    const first = index * TILE_WIDTH
    if (level !== 'entries') return new Uint8Array(Buffer.concat(this.#hashes(level, first, width)))
    const found = this.#db
      .prepare('select bytes from entries where at >= ? and at < ? order by at')
      .all(first, first + width)
    return entryBundle(found.map(({ bytes }) => bytes as Uint8Array))
  }

  close(): void {
    this.#db.close()
  }
}
