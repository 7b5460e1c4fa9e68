import { DrizzleQueryError } from 'drizzle-orm'
import type { Logger } from 'pino'
import { sqlState } from '#server/db/sql-errors.ts'
import type { IncomingReading, Outcome, Rejection } from './incoming-reading.ts'

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

/**
 * The rows of a box can't be continued: a head that is no hash, a record whose number is taken. No retry helps.
 */
class DamagedBox extends Error {
  constructor(boxID: string, cause: unknown) {
    super(`box ${boxID} is damaged`, { cause })
    this.name = 'DamagedBox'
  }
}

/** The rejection of a reading for a damaged box. */
const DAMAGED: Rejection = {
  refused: [{ path: 'box', message: 'The history of this box is damaged, so nothing can be added to it.' }],
}

/** Runs the computing of one box; what it throws by itself, not the database, is damage of that box. */
export async function rethrowAsDamage<Result>(boxID: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof DrizzleQueryError ? error : new DamagedBox(boxID, error)
  }
}

/** Classes of SQLSTATE for data that can't be read or does not fit: data exception, integrity constraint violation. */
const DATA_CLASSES = ['22', '23']
/** data_corrupted, index_corrupted */
const CORRUPTED = ['XX001', 'XX002']

/**
 * What reading values of another shape than they had when they were written ends with; the driver throws none of it.
 */
const isOfValues = (error: unknown): boolean =>
  error instanceof DamagedBox ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof SyntaxError

/** Is this failure, met while storing readings of one box alone, that box's own and there to stay? */
function isDamage(error: unknown): boolean {
  if (isOfValues(error)) return true
  const state = sqlState(error) ?? ''
  return DATA_CLASSES.includes(state.slice(0, 2)) || CORRUPTED.includes(state)
}

/** Connection exception, insufficient resources, operator intervention, system error. */
const SERVER_CLASSES = ['08', '53', '57', '58']
const QUERY_CANCELED = '57014'

/** Is this failure one that every other transaction would meet now too? */
function isOfWholeDatabase(error: unknown): boolean {
  if (isOfValues(error)) return false
  const state = sqlState(error)
  return state === undefined || (SERVER_CLASSES.includes(state.slice(0, 2)) && state !== QUERY_CANCELED)
}
