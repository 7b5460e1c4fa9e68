import pino from 'pino'
import { readConfig } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { openDatabase } from '#server/db/open-database.ts'

/** Runs a command to its exit status: the one that it answers, or 2 with the reason when it could not be done. */
export function runCommand(command: () => Promise<number>): void {
  command().then(
    (status) => {
      process.exitCode = status
    },
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : String(error))
      process.exitCode = 2
    },
  )
}

/** Works on the database that the shop's settings name, and closes it. */
export async function onDatabase<Answer>(work: (db: Db) => Promise<Answer>): Promise<Answer> {
  const database = await openDatabase(readConfig(process.env), pino({ level: 'silent' }))
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}
