import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { consume } from '#server/db/consume.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { openPostgres } from '#server/db/postgres.ts'

/**
 * A process for tests that does the work of events and is killed, by itself, before its cursor moves: its first argument is
 * the URL of a PostgreSQL database, or the data folder of an embedded one.
 */
const where = process.argv[2] ?? ''
const { db } = where.startsWith('postgres')
  ? await openPostgres(where, () => undefined)
  : await openEmbedded(where)
const log = { error: () => undefined, warn: () => undefined }
await consume(
  db,
  {
    name: 'test',
    kinds: ['box.grown'],
    work: async (tx, events) => {
      for (const { number } of events) await rows(tx, sql`insert into done (number) values (${number})`)
      process.kill(process.pid, 'SIGKILL')
      await sleep(60_000) // it is killed in here
    },
    startOver: async () => undefined,
  },
  log,
)
