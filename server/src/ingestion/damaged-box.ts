import { DrizzleQueryError } from 'drizzle-orm'
import { sqlState } from '#server/db/sql-errors.ts'
import type { Rejection } from './outcome.ts'

/**
 * The rows of a box can't be continued: a head that is no hash, a record whose number is taken. No retry helps.
 */
export class DamagedBox extends Error {
  constructor(boxID: string, cause: unknown) {
    super(`box ${boxID} is damaged`, { cause })
    this.name = 'DamagedBox'
  }
}

/** The rejection of a reading for a damaged box. */
export const DAMAGED: Rejection = {
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
export function isDamage(error: unknown): boolean {
  if (isOfValues(error)) return true
  const state = sqlState(error) ?? ''
  return DATA_CLASSES.includes(state.slice(0, 2)) || CORRUPTED.includes(state)
}

/** Connection exception, insufficient resources, operator intervention, system error. */
const SERVER_CLASSES = ['08', '53', '57', '58']
const QUERY_CANCELED = '57014'

/** Is this failure one that every other transaction would meet now too? */
export function isOfWholeDatabase(error: unknown): boolean {
  if (isOfValues(error)) return false
  const state = sqlState(error)
  return state === undefined || (SERVER_CLASSES.includes(state.slice(0, 2)) && state !== QUERY_CANCELED)
}
