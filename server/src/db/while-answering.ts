import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './client.ts'
import { DatabaseUnreachable } from './unreachable.ts'

/** How long something that reads the database may take before it is asked whether it still answers, each time. */
const ASK_AFTER_MS = 2_500
/** How long that answer may take. Together below the five seconds that a visitor is promised. */
const ANSWER_MS = 1_500

/**
 * The result of `work`, however long it takes, as long as the database answers others meanwhile. `work` itself goes on.
 * @throws DatabaseUnreachable within about four seconds when it does not, as one whose machine hangs
 */
export async function whileAnswering<Made>(
  database: Pick<Database, 'answers'>,
  work: Promise<Made>,
): Promise<Made> {
  const over = new AbortController()
  const { signal } = over
  const watch = async (): Promise<never> => {
    for (;;) {
      await sleep(ASK_AFTER_MS, undefined, { signal })
      if (!(await database.answers(ANSWER_MS))) throw new DatabaseUnreachable(new Error('it answers nothing'))
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
