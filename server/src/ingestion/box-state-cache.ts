import { recordReader } from '@befaqt/domain/box-records'
import { type BoxRecord, fromHex, headAfter, toHex } from '@befaqt/provenance'
import {
  addToState,
  type BoxHead,
  type BoxState,
  loadState,
  type Market,
  type RecordRow,
  readableRecord,
  readRecordsAfter,
} from '#server/boxes/index.ts'
import type { Db } from '#server/db/client.ts'

/** How devices reach this process over MQTT, for `/metrics`. */
export type BrokerState = {
  kind: 'off' | 'embedded' | 'outside'
  /** This process listens, or all of its sessions at the outside broker are connected. */
  up: boolean
  /**
   * How the outside broker's readings are taken: each process takes those of some boxes, or one process all of them, since
   * they can't be divided; null until it is known.
   */
  way: 'shared' | 'alone' | null
  /** Of its sessions, how many are connected, and how many it is to hold. */
  shares: { up: number; of: number }
  /** Devices connected to the embedded broker. */
  devices: number
}

/** Per-process ingestion state: nothing that must be shared or outlive the process. */
export type IngestionState = {
  readonly memory: BoxStateCache
  /** What became of readings since the start. */
  readonly counts: { accepted: number; duplicate: number; refused: number }
  broker: BrokerState
}

export const newIngestionState = (): IngestionState => ({
  memory: new BoxStateCache(),
  counts: { accepted: 0, duplicate: 0, refused: 0 },
  broker: brokerOf('off'),
})

/** How devices reach a process that has just begun. */
export const brokerOf = (kind: BrokerState['kind'], up = false): BrokerState => ({
  kind,
  up,
  way: null,
  shares: { up: 0, of: 0 },
  devices: 0,
})

/**
 * What a box's records up to a head add up to. A head commits to the whole history before it, while none is altered.
 */
export type CachedState = { count: number; head: string; alterations: number; state: BoxState }

/** Bytes kept in all: 1,000 boxes of 500 readings, or six of the largest. */
const MAX_BYTES = 32 * 1024 * 1024

/** The boxes that this process wrote readings to last, so that the next batch need not read their histories again. */
export class BoxStateCache {
  readonly #states = new Map<string, CachedState & { bytes: number }>()
  readonly #loading = new Map<string, Promise<unknown>>()
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes = MAX_BYTES) {
    this.#mostBytes = mostBytes
  }

  /** What is known of a box. Compare its head: another one means that another process wrote. */
  get(id: string): CachedState | undefined {
    return this.#states.get(id)
  }

  /**
   * To be called when `head` is written, before the commit: heads are salted, so one that is rolled back is never
   * asked for. The boxes written longest ago go when it is full.
   */
  set(id: string, { count, head, alterations, state }: CachedState): void {
    this.delete(id)
    const { bytes } = state
    this.#states.set(id, { count, head, alterations, state, bytes })
    this.#bytes += bytes
    for (const oldest of this.#states.keys()) {
      if (this.#bytes <= this.#mostBytes) return
      this.delete(oldest)
    }
  }

  delete(id: string): void {
    this.#bytes -= this.#states.get(id)?.bytes ?? 0
    this.#states.delete(id)
  }

  /** Runs `load` for a box, or waits for the one that runs already. */
  async loadOnce(id: string, load: () => Promise<unknown>): Promise<void> {
    const running = this.#loading.get(id)
    if (running !== undefined) return void (await running)
    const loading = load()
    this.#loading.set(id, loading)
    try {
      await loading
    } finally {
      this.#loading.delete(id)
    }
  }
}

/**
 * What the records of a box up to its head add up to, from memory where it is known; else what was written since is
 * read or, when that is not enough, the whole history, in parts. It is in the memory afterwards unless somebody else
 * put something newer there.
 */
export async function stateAt(
  db: Db,
  memory: BoxStateCache,
  box: BoxHead,
  market: Market,
): Promise<BoxState> {
  const inMemory = memory.get(box.id)
  const known = inMemory?.alterations === box.alterations ? inMemory : undefined
  if (known?.head === box.head) return known.state
  const since =
    known === undefined || known.count >= box.count ? undefined : await readRecordsAfter(db, box, known.count)
  const isSame = memory.get(box.id) === inMemory
  if (known !== undefined && since !== undefined && isSame && continues(known, since, box)) {
    memory.set(box.id, { ...box, state: known.state })
    return known.state
  }
  const state = await loadState(db, box, market)
  if (memory.get(box.id) === inMemory) memory.set(box.id, { ...box, state })
  return state
}

/** Adds what was written since to what is known, when it leads to the box's head and holds nothing but readings. */
function continues({ head, state }: CachedState, since: readonly RecordRow[], box: BoxHead): boolean {
  const reached = since.reduce((head, { recordHash }) => headAfter(head, fromHex(recordHash)), fromHex(head))
  const written = since.map(readableRecord)
  if (toHex(reached) !== box.head || !written.every(isOfReadings)) return false
  addToState(state, written, recordReader([]))
  return true
}

const isOfReadings = (record: BoxRecord | undefined): record is BoxRecord =>
  record?.kind === 'tracking' || record?.kind === 'freshness'
