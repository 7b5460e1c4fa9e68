/** What a record of the kind `recall` says: that a box is recalled, or that this was withdrawn. */
export type RecallData = { reason: string; withdrawn?: true }

/** A record as far as recalls need it. */
type Readable = {
  readonly kind: string
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * The recall in force after these records, in the order of the history; null: there is none, or it was withdrawn.
 * `at`: as its record says.
 */
export function standingRecall(records: readonly Readable[]): { reason: string; at: string } | null {
  const last = records.findLast(({ kind }) => kind === 'recall')
  if (last === undefined || last.data.withdrawn === true) return null
  return { reason: typeof last.data.reason === 'string' ? last.data.reason : '', at: last.at }
}

/**
 * How a buyer was notified of a recall. `none`: not yet; `waiting`: the email is queued, or is tried again; `sent`: the
 * mail server took it; `given up`: no mail server takes it; `discarded`: a manager took it out of the queue, or it went
 * with the account; `no contact`: there is nobody to write to any more.
 */
export const noticeStates = ['none', 'waiting', 'sent', 'given up', 'discarded', 'no contact'] as const
export type NoticeState = (typeof noticeStates)[number]

/** States in which a buyer is not notified, and no email is queued. */
export const notReached: readonly NoticeState[] = ['none', 'given up', 'discarded', 'no contact']
