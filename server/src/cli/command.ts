import { parseArgs } from 'node:util'
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

export const print = (text: string): void => void process.stdout.write(`${text}\n`)

/**
 * Runs a command that compares what is derived with what it is derived of, and makes it anew with `--rebuild`.
 * @param work answers how many differences there are
 */
export const runAudit = (usage: string, work: (db: Db, rebuild: boolean) => Promise<number>): void =>
  runCommand(async () => {
    const { values } = parseArgs({ options: { rebuild: { type: 'boolean' }, help: { type: 'boolean' } } })
    if (!values.help) return (await onDatabase((db) => work(db, values.rebuild === true))) === 0 ? 0 : 1
    print(usage)
    return 0
  })

/** Works on the database that the shop's settings name, and closes it. */
export async function onDatabase<Answer>(work: (db: Db) => Promise<Answer>): Promise<Answer> {
  const database = await openDatabase(readConfig(process.env), pino({ level: 'silent' }))
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}
