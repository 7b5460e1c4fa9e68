import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../server/src/db/client.ts'
import { openEmbedded } from '../../server/src/db/embedded.ts'
import { openPostgres } from '../../server/src/db/postgres.ts'
import { unpackEmptyDatabase } from '../../server/src/testing/empty-database.ts'
import { startPostgres } from '../../tools/test/private-postgres.ts'
import { isSmoke } from './sized.ts'

/** A database for a shop of the benchmarks, removed at the end of the block. */
export type BenchDatabase = AsyncDisposable & {
  name: 'embedded database' | 'PostgreSQL'
  /** Settings and data folder to start a shop with. */
  env: Record<string, string>
  dataDir: string
  /** Opens the database directly; no shop may be running on it. */
  open(): Promise<Database>
  /** Kills a database server, as a power cut would, until `restart`. The embedded one dies with its shop. */
  crash?(): Promise<void>
  restart?(): Promise<void>
}

/** Of PostgreSQL (`startPostgres`). `crashes`: commits are durable, so that it can be killed. */
type Options = { crashes?: boolean; parameters?: readonly string[]; heard?: (text: string) => void }

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'befaqt-bench-'))

/** A data folder for a shop with an embedded database, which its first start makes; a smoke test gets one that is made. */
export async function newDataDir(): Promise<string> {
  const folder = await newFolder()
  if (isSmoke) await unpackEmptyDatabase(folder)
  return folder
}

async function embedded(): Promise<BenchDatabase> {
  const dataDir = await newDataDir()
  return {
    name: 'embedded database',
    env: {},
    dataDir,
    open: () => openEmbedded(dataDir),
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  }
}

async function postgres(options: Options = {}): Promise<BenchDatabase> {
  const server = await startPostgres(options)
  if ('why' in server) throw new Error(server.why)
  const dataDir = await newFolder()
  return {
    name: 'PostgreSQL',
    env: { DATABASE_URL: server.url },
    dataDir,
    open: () => openPostgres(server.url, () => undefined), // a broken connection fails its query, too
    crash: server.crash,
    restart: server.restart,
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The database that a command line names, `embedded` or `postgres`; both if it names none. */
export function databasesNamed(
  words: readonly string[],
  options: Options = {},
): readonly (() => Promise<BenchDatabase>)[] {
  const named = [
    ...(words.includes('embedded') ? [embedded] : []),
    ...(words.includes('postgres') ? [() => postgres(options)] : []),
  ]
  return named.length === 0 ? [embedded, () => postgres(options)] : named
}

/** Both kinds of database. */
export const databases: readonly (() => Promise<BenchDatabase>)[] = [embedded, postgres]
