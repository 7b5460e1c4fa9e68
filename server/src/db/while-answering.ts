import { setTimeout as sleep } from 'node:timers/promises'
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
 * The result of `work`, however long it takes, as long as the database answers others meanwhile. `work` itself goes on.
 * @param hung the error when it does not, as one whose machine hangs: it comes within about four seconds, or less `patience`
 */
export async function whileAnswering<Made>(
  database: Pick<Database, 'answers'>,
  work: Promise<Made>,
  { askAfterMs, answerMs } = usual,
  hung: (cause: Error) => Error = (cause) => new DatabaseUnreachable(cause),
): Promise<Made> {
  const over = new AbortController()
  const { signal } = over
  const watch = async (): Promise<never> => {
    for (;;) {
      await sleep(askAfterMs, undefined, { signal })
      if (!(await database.answers(answerMs))) throw hung(new Error('the database answers nothing'))
      signal.throwIfAborted()
    }
  }
  const watching = watch()
  watching.catch(() => undefined) // also when it is over
  try {
    return await Promise.race([work, watching])
  } finally {
    over.abort()
  }
}
