import { openEmbedded } from '#server/db/embedded.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import { openPostgres } from '#server/db/postgres.ts'

/**
 * A process for tests that kills itself after a commit and before it told anybody: its first argument is the URL of a
 * PostgreSQL database, or the data folder of an embedded one.
 */
const where = process.argv[2] ?? ''
const { db } = where.startsWith('postgres')
  ? await openPostgres(where, () => undefined)
  : await openEmbedded(where)
await db.transaction((tx) => appendEvent(tx, eventKinds.boxGrown, ['BOX-1']))
process.kill(process.pid, 'SIGKILL') // what is told needs answers of the database first
