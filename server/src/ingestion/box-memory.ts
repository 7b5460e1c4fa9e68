import type { Box } from '@befaqt/domain/box'
import type { BoxRow } from '#server/boxes/read-records.ts'

/** Readings and assessments kept in all: some 30 MB. */
const MOST_ENTRIES = 100_000

type Remembered = { head: string; box: Box; entries: number }

/**
 * The boxes that this process wrote readings to last, so that the next batch need not read their histories again.
 * A head commits to the whole history: one that differs means that somebody else wrote, and nothing is remembered.
 */
export class BoxMemory {
  readonly #kept = new Map<string, Remembered>()
  #entries = 0

  /** What the records of this box say, if it is still as it was when it was kept. Transactions are not in it. */
  of({ id, head }: Pick<BoxRow, 'id' | 'head'>): Box | undefined {
    const kept = this.#kept.get(id)
    return kept?.head === head ? kept.box : undefined
  }

  /**
   * To be called when `head` is written, before the commit: heads are salted, so one that is rolled back is never
   * asked for. The boxes written longest ago go when it is full.
   */
  keep(head: string, box: Box): void {
    this.#forget(box.boxID)
    const entries = 1 + (box.iotResult?.iotTracking.length ?? 0) + box.freshness.length
    this.#kept.set(box.boxID, { head, box, entries })
    this.#entries += entries
    for (const id of this.#kept.keys()) {
      if (this.#entries <= MOST_ENTRIES) return
      this.#forget(id)
    }
  }

  #forget(id: string): void {
    this.#entries -= this.#kept.get(id)?.entries ?? 0
    this.#kept.delete(id)
  }
}
