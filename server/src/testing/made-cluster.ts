/*
 * Stands for '@electric-sql/pglite' in test processes (tools/test/quick-start.mjs). To make the files of a new database, as
 * a first start or a restore does, takes the engine three seconds of a processor: here it makes them once, and they are
 * copied where there are none yet. All that happens then is the engine's own.
 */
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'

export * from '@electric-sql/pglite'

const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'))
const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8'))
/** Not in the folder for temporary files, which tests look into. */
const made = fileURLToPath(new URL(`../../../.runtime/cluster-${version}`, import.meta.url))

const create: (dataDir?: string, options?: PGliteOptions) => Promise<PGlite> = PGlite.create.bind(PGlite)

/** A folder without files, or a name for one. */
const isNew = (where: unknown): where is string =>
  typeof where === 'string' &&
  !where.includes('://') &&
  existsSync(dirname(where)) &&
  (!existsSync(where) || readdirSync(where).length === 0)

/** Several processes may make them at once; the first whose files are whole gives them their place. */
async function makeOnce(): Promise<void> {
  if (existsSync(made)) return
  const draft = `${made}.${randomUUID()}`
  try {
    const lite = await create(draft)
    await lite.close()
    if (!existsSync(made)) renameSync(draft, made)
  } catch (error) {
    if (!existsSync(made)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** By this process itself, so that nothing is written any more when it is killed. */
function copyTo(folder: string): void {
  const wasThere = existsSync(folder)
  try {
    cpSync(made, folder, { recursive: true })
  } catch {
    // What stops it, as a full disk, stops the engine too, which says so in its own words.
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      rmSync(join(folder, name), { recursive: true, force: true })
    if (!wasThere) rmSync(folder, { recursive: true, force: true })
  }
}

async function createFromMade(...args: [where?: string, options?: PGliteOptions]): Promise<PGlite> {
  const [where, options] = args
  if (isNew(where) && options?.loadDataDir === undefined) {
    await makeOnce()
    copyTo(where)
  }
  return create(...args)
}

PGlite.create = createFromMade as typeof PGlite.create
