import type { Database } from './client.ts'
import { DatabaseUnreachable } from './unreachable.ts'

/**
 * How long something that reads the database may take before it is asked whether it still answers, each time, and how
 * long that answer may take.
 */
type Patience = { askAfterMs: number; answerMs: number }
/** Together below the five seconds that a visitor is promised. */
const usual: Patience = { askAfterMs: 2_500, answerMs: 1_500 }

/**
 * Asks the database each time that something has taken long, until the returned function is called, and calls `onHung`,
 * once, when it answers nothing. No more than a timer where all goes well: each request has one.
 */
export function watchDatabase(
  database: Pick<Database, 'answers'>,
  onHung: (cause: Error) => void,
  { askAfterMs, answerMs } = usual,
): () => void {
  let isOver = false
  const ask = async (): Promise<void> => {
    const doesAnswer = await database.answers(answerMs).catch(() => false)
    if (isOver) return
    if (doesAnswer) timer = setTimeout(ask, askAfterMs)
    else onHung(new Error('the database answers nothing'))
  }
  let timer = setTimeout(ask, askAfterMs)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/**
 * The result of `work`, however long it takes, as long as the database answers others meanwhile. `work` itself goes on.
 * @throws DatabaseUnreachable when it does not, as one whose machine hangs: within about four seconds, or less `patience`
 */
export async function whileAnswering<Made>(
  database: Pick<Database, 'answers'>,
  work: Promise<Made>,
  patience = usual,
): Promise<Made> {
  const { promise: hung, reject } = Promise.withResolvers<never>()
  const stop = watchDatabase(database, (cause) => reject(new DatabaseUnreachable(cause)), patience)
  try {
    return await Promise.race([work, hung])
  } finally {
    stop()
  }
}
