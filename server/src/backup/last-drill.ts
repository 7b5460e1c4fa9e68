import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '@befaqt/domain/durations'
import { z } from 'zod'
import type { Config } from '#server/config/config.ts'

/** In DATA_DIR, which all processes of a shop share. */
const FILE = 'last-drill.json'

const LastDrill = z.object({
  /** When it ended. */
  at: z.iso.datetime(),
  ok: z.boolean(),
  /** What of the backup, its rows, boxes or files is not as it should be. */
  problems: z.array(z.string()),
  /** Name of the backup, and when it was made; null: it could not be read. */
  backup: z.string().nullable(),
  madeAt: z.iso.datetime().nullable(),
  /** When one was good last; null: never. */
  goodAt: z.iso.datetime().nullable(),
  /** Of what moment the backup of that one is. */
  goodMadeAt: z.iso.datetime().nullable(),
  tookS: z.number(),
})
export type LastDrill = z.infer<typeof LastDrill>

/** How the last drill ended; undefined: there was none. */
export async function lastDrill(dataDir: string): Promise<LastDrill | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return LastDrill.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Writes down how a drill ended, whole or not at all. */
export async function noteDrill(
  dataDir: string,
  drill: Omit<LastDrill, 'goodAt' | 'goodMadeAt'>,
): Promise<void> {
  const before = await lastDrill(dataDir)
  const good = drill.ok
    ? { goodAt: drill.at, goodMadeAt: drill.madeAt }
    : { goodAt: before?.goodAt ?? null, goodMadeAt: before?.goodMadeAt ?? null }
  const path = join(dataDir, FILE)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({ ...drill, ...good }, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/** Twice the week after which the worker holds the next. */
const MAX_DAYS = 14

/** Did a shop come of the newest backup, where one was tried? Where the worker tries one each week, of one of these weeks? */
export async function drillFault({
  DATA_DIR,
  BACKUP_DIR,
}: Pick<Config, 'DATA_DIR' | 'BACKUP_DIR'>): Promise<string | null> {
  const last = await lastDrill(DATA_DIR)
  if (last === undefined) return null
  if (!last.ok) return `no shop came of the newest backup, tried ${last.at}`
  const days = (Date.now() - Date.parse(last.at)) / DAY_MS
  return BACKUP_DIR !== undefined && days > MAX_DAYS
    ? `no backup was tried for ${Math.floor(days)} days`
    : null
}
