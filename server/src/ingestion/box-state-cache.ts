import type { BoxState } from '#server/boxes/projection/box-state.ts'

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
