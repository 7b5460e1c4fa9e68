/* What a run counts, free of everything that runs: from what clients were told and what the database holds. */

/** Something that a client was told is done. `at`: milliseconds since some moment. */
export type Told = { kind: 'order' | 'packing' | 'reading'; id: string; at: number }

/** A request, and how it failed where it was not answered as one that works is. */
export type Asked = { at: number; what: string; failed?: string }

/** What the database holds, by kind and id: how often. */
export type Held = Record<Told['kind'], ReadonlyMap<string, number>>

/** Told and not there, and there more than once. */
export function compare(told: readonly Told[], held: Held): { lost: Told[]; doubled: Told[] } {
  const times = ({ kind, id }: Told): number => held[kind].get(id) ?? 0
  return {
    lost: told.filter((one) => times(one) === 0),
    doubled: told.filter((one) => times(one) > 1),
  }
}

/**
 * The longest time in which no order or packing was told done, of those that reach into the time from `from` to `to`; in
 * milliseconds. One that nothing has ended yet ends at `to`.
 */
export function longestWithout(told: readonly Told[], from: number, to: number): number {
  const writes = told.filter(({ kind, at }) => kind !== 'reading' && at <= to).map(({ at }) => at)
  const moments = [...writes.sort((a, b) => a - b), to]
  let longest = 0
  for (const [i, end] of moments.entries()) {
    const start = moments[i - 1] ?? from
    if (end >= from) longest = Math.max(longest, end - start)
  }
  return longest
}

/** Goals of a fault; undefined: none. Seconds without writes, and failed requests. */
export type Goal = { mostSeconds?: number; mostFailed?: number }

/** A fault as it went. */
export type Row = {
  fault: string
  told: Record<Told['kind'], number>
  lost: number
  doubled: number
  /** Processes of the shop that ended unasked. */
  ends: number
  withoutWritesMs: number
  asked: number
  failed: number
  /** What failed, how, and how often, most often first. */
  failures: string[]
  goal: Goal
}

/** A row of the time from `from` to `to`. */
export function rowOf(
  { fault, goal, from, to, ends }: { fault: string; goal: Goal; from: number; to: number; ends: number },
  told: readonly Told[],
  asked: readonly Asked[],
  held: Held,
): Row {
  const isIn = ({ at }: { at: number }): boolean => at >= from && at < to
  const [ours, requests] = [told.filter(isIn), asked.filter(isIn)]
  const { lost, doubled } = compare(ours, held)
  const count = (kind: Told['kind']): number => ours.filter((one) => one.kind === kind).length
  return {
    ...{ fault, goal, ends, lost: lost.length, doubled: doubled.length },
    told: { order: count('order'), packing: count('packing'), reading: count('reading') },
    withoutWritesMs: longestWithout(told, from, to),
    asked: requests.length,
    failed: requests.filter(({ failed }) => failed !== undefined).length,
    failures: failuresOf(requests),
  }
}

function failuresOf(asked: readonly Asked[]): string[] {
  const times = new Map<string, number>()
  for (const { what, failed } of asked) {
    if (failed === undefined) continue
    const name = `${what}: ${failed}`
    times.set(name, (times.get(name) ?? 0) + 1)
  }
  return [...times].sort(([, a], [, b]) => b - a).map(([name, n]) => `${n} × ${name}`)
}

/** What of the goals a row misses, in words. */
export function missed({ goal, lost, doubled, ends, withoutWritesMs, failed }: Row): string[] {
  const { mostSeconds = Number.POSITIVE_INFINITY, mostFailed = Number.POSITIVE_INFINITY } = goal
  return [
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(doubled > 0 ? [`${doubled} doubled`] : []),
    ...(ends > 0 ? [`${ends} processes ended`] : []),
    ...(withoutWritesMs > mostSeconds * 1_000 ? [`writes only after ${seconds(withoutWritesMs)} s`] : []),
    ...(failed > mostFailed ? [`${failed} requests failed`] : []),
  ]
}

const HEAD = [
  ...['fault', 'orders', 'packings', 'readings', 'lost', 'doubled', 'process ends'],
  ...['s without writes', 'goal', 'requests', 'failed', 'goal', ''],
]

/** The table in Markdown. */
export function table(rows: readonly Row[]): string[] {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const goal = (most: number | undefined): string => (most === undefined ? '' : `≤ ${most}`)
  return [
    line(HEAD),
    line(HEAD.map(() => '---')),
    ...rows.map((row) =>
      line([
        ...[row.fault, row.told.order, row.told.packing, row.told.reading, row.lost, row.doubled, row.ends],
        ...[seconds(row.withoutWritesMs), goal(row.goal.mostSeconds)],
        ...[row.asked, row.failed, goal(row.goal.mostFailed)],
        missed(row).length === 0 ? 'met' : `**missed**: ${missed(row).join(', ')}`,
      ]),
    ),
  ]
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
