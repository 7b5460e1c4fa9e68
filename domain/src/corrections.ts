/** What determines whether a record corrects another. `data` is validated again: it may be tampered with. */
type MaybeCorrection = { seq: number; kind?: string; data?: unknown }

/** A correction: its place in the history, and the payload that takes the place of the corrected record's. */
export type Correction = { seq: number; data: unknown }

/** The newest correction of each corrected record, by that record's place. Source: running.md. */
export function newestCorrections(records: readonly MaybeCorrection[]): Map<number, Correction> {
  const newest = new Map<number, Correction>()
  for (const { seq, kind, data } of records) {
    if (kind !== 'correction' || typeof data !== 'object' || data === null) continue
    if ('corrects' in data && 'data' in data && typeof data.corrects === 'number')
      newest.set(data.corrects, { seq, data: data.data })
  }
  return newest
}
