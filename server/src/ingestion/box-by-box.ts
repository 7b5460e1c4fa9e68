import type { Logger } from 'pino'
import { DAMAGED, isDamage, isOfWholeDatabase } from './damaged-box.ts'
import type { IncomingReading } from './incoming-reading.ts'
import type { Outcome, Rejection } from './outcome.ts'

type Parsed = readonly (IncomingReading | Rejection)[]

/** Stores readings in one transaction and answers one outcome for each. When it throws, none is stored. */
type Store = (parsed: Parsed) => Promise<Outcome[]>

/**
 * Stores readings together or, when that fails, those of each box by themselves: one that can't be written to harms
 * no other. Readings of a damaged box are refused, and the log names it: to leave them unanswered would have them sent
 * for ever. An error in the place of an outcome: not stored now, may be sent again. So may all when it throws.
 */
export async function storeBoxByBox(log: Logger, parsed: Parsed, store: Store): Promise<(Outcome | Error)[]> {
  try {
    return await store(parsed)
  } catch (error) {
    if (isOfWholeDatabase(error)) throw error
  }
  const outcomes = parsed.map((one): Outcome | Error => ('refused' in one ? one : new Error('not tried')))
  const byBox = Map.groupBy(
    parsed.flatMap((one, i) => ('refused' in one ? [] : [{ one, i }])),
    ({ one }) => one.box,
  )
  for (const [box, readings] of byBox) {
    const found = await storeOneBox(
      log,
      box,
      readings.map(({ one }) => one),
      store,
    )
    for (const [n, { i }] of readings.entries()) outcomes[i] = found[n] ?? new Error('no outcome')
  }
  return outcomes
}

async function storeOneBox(
  log: Logger,
  box: string,
  readings: Parsed,
  store: Store,
): Promise<(Outcome | Error)[]> {
  try {
    return await store(readings)
  } catch (error) {
    if (isOfWholeDatabase(error)) throw error
    const damaged = isDamage(error)
    log.error(
      { box, err: error },
      damaged ? 'a box is damaged: its readings are rejected' : 'a box cannot be written to',
    )
    return readings.map(() =>
      damaged ? DAMAGED : new Error(`box ${box} cannot be written to`, { cause: error }),
    )
  }
}
