import { sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'
import { type IncomingReading, prevInKey, type StatementPlace } from './incoming-reading.ts'

/** The last statement of a key about a box: its counter, and what distinguishes it. */
export type Last = { counter: number; statement: string }

/** A reading that was signed. */
export type SignedReading = IncomingReading & { statement: StatementPlace }
export const isOfStatement = (reading: IncomingReading): reading is SignedReading =>
  reading.statement !== undefined

/** What a key said about a box, by which: everything, one counter, or what goes on from one statement. */
export const pairText = (deviceId: string, boxId: string): string => `${deviceId} ${boxId}`
export const counterText = (deviceId: string, boxId: string, counter: number): string =>
  `${pairText(deviceId, boxId)} ${counter}`
export const onwardText = (deviceId: string, boxId: string, prev: string): string =>
  `${pairText(deviceId, boxId)} ${prevInKey(prev)}`

/** By `counterText` what distinguishes the statement of a counter; by `onwardText` the counter of the one that goes on. */
export type KnownStatements = { used: Map<string, string>; onward: Map<string, number> }

/**
 * What records know of the statements of these readings: by the keys of `dedupeKeyOf`. What goes on from the last has a
 * new counter, and nothing else goes on from there, so that it is not asked for.
 * @param last by `pairText`; the boxes are locked
 */
export const knownStatements = async (
  tx: Tx,
  signed: readonly SignedReading[],
  last: ReadonlyMap<string, Last>,
): Promise<KnownStatements> => ({
  used: await usedCounters(tx, signed, last),
  onward: await onwardCounters(tx, signed, last),
})

/**
 * What the counters of these readings stand for, where they do not go on from the last. The range of keys holds in every order of text: in some, "aa" comes after "z".
 */
async function usedCounters(
  tx: Tx,
  signed: readonly SignedReading[],
  last: ReadonlyMap<string, Last>,
): Promise<Map<string, string>> {
  const used = new Map<string, string>()
  const asked = signed.flatMap(({ box, statement: { key, counter } }) => {
    const known = last.get(pairText(key, box))
    if (known?.counter === counter) used.set(counterText(key, box, counter), known.statement)
    if (known === undefined || counter >= known.counter) return []
    return [{ key, box, counter, prefix: `signed:${key}:${counter}:` }]
  })
  if (asked.length === 0) return used
  const found = await rows<{ key: string; box: string; counter: number; digest: string }>(
    tx,
    sql`select p.key, p.box, p.counter::float8 as counter,
          split_part(substr(found.dedupe_key, length(p.prefix) + 1), ':', 1) as digest
        from json_to_recordset(${JSON.stringify(asked)}::json)
          as p(key text, box text, counter bigint, prefix text)
        cross join lateral (
          select r.dedupe_key from records r
          where r.box_id = p.box and r.dedupe_key >= p.prefix
            and r.dedupe_key < greatest(p.prefix || 'g', p.prefix || 'aaz') and starts_with(r.dedupe_key, p.prefix)
          order by r.dedupe_key limit 1) found`,
  )
  for (const { key, box, counter, digest } of found) used.set(counterText(key, box, counter), digest)
  return used
}

/**
 * Which counters go on from the same statements as these readings do. For each device and box one look through the keys of
 * its readings, however many are asked for: a box holds a few thousand.
 */
async function onwardCounters(
  tx: Tx,
  signed: readonly SignedReading[],
  last: ReadonlyMap<string, Last>,
): Promise<Map<string, number>> {
  const asked = signed.flatMap(({ box, statement: { key, counter, prev } }) => {
    const known = last.get(pairText(key, box))
    if (known === undefined || prev === undefined) return []
    return known.statement === prev && counter > known.counter ? [] : [{ key, box, prev: prevInKey(prev) }]
  })
  if (asked.length === 0) return new Map()
  const pairs = Map.groupBy(asked, ({ key, box }) => pairText(key, box))
  const each = [...pairs.values()].map((some) => ({
    key: some[0]?.key,
    box: some[0]?.box,
    prefix: `signed:${some[0]?.key}:`,
    prevs: some.map(({ prev }) => prev),
  }))
  const found = await rows<{ key: string; box: string; counter: number; prev: string }>(
    tx,
    sql`select p.key, p.box, split_part(r.dedupe_key, ':', 3)::float8 as counter, split_part(r.dedupe_key, ':', 6) as prev
        from json_to_recordset(${JSON.stringify(each)}::json) as p(key text, box text, prefix text, prevs json)
        join records r on r.box_id = p.box and r.dedupe_key >= p.prefix
          and r.dedupe_key < greatest(p.prefix || 'g', p.prefix || 'aaz') and starts_with(r.dedupe_key, p.prefix)
        where split_part(r.dedupe_key, ':', 6) in (select json_array_elements_text(p.prevs))`,
  )
  return new Map(found.map(({ key, box, counter, prev }) => [onwardText(key, box, prev), counter]))
}
