import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { embeddedDatabase, startParams } from '#server/db/embedded.ts'
import { MIGRATIONS } from '#server/db/schema-version.ts'

/** A data folder as PGlite unpacks it. It reads no more than this of a Blob, which copies its bytes each time. */
type Template = Pick<Blob, 'type' | 'arrayBuffer'>

/** The migrated database, made by the first process that needs it; each set of migrations has a file of its own. */
export async function emptyDatabase(): Promise<Template> {
  const made = await readFile(templatePath()).catch(() => undefined)
  const { buffer } = made ?? (await makeTemplate())
  return { type: 'application/x-tar', arrayBuffer: async () => buffer as ArrayBuffer }
}

/**
 * Puts the migrated, empty database into a shop's data folder, as if the shop had been started once: a first start takes
 * six seconds of processor time more than another one. For what is not about first starts.
 */
export async function unpackEmptyDatabase(dataDir: string): Promise<void> {
  await emptyDatabase()
  const folder = join(dataDir, 'database')
  await mkdir(folder, { mode: 0o700 })
  const tar = spawn('tar', ['--extract', '--file', templatePath(), '--directory', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  tar.stderr.on('data', (text: Buffer) => {
    said += text
  })
  const [status] = await once(tar, 'close')
  if (status !== 0) throw new Error(`tar ended with status ${status}: ${said}`)
}

const templatePath = (): string => join(tmpdir(), `befaqt-template-${migrationsKey()}.tar`)

/** What the database is made of, in short: PGlite's version, the migrations, and this file. */
export function migrationsKey(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const hash = createHash('sha256').update(readFileSync(join(entry, '../../package.json')))
  hash.update(readFileSync(fileURLToPath(import.meta.url)))
  for (const name of globSync('**/*', { cwd: MIGRATIONS }).sort())
    if (/\.(sql|json)$/.test(name)) hash.update(readFileSync(join(MIGRATIONS, name)))
  return hash.digest('hex').slice(0, 16)
}

/** Without PostgreSQL's template databases: two thirds of the files, and tests create no databases in it. */
async function makeTemplate(): Promise<Buffer> {
  const lite = await PGlite.create({ startParams })
  await embeddedDatabase(lite, async () => undefined)
  for (const name of ['template0', 'template1']) {
    await lite.exec(`alter database ${name} is_template false`)
    await lite.exec(`drop database ${name}`)
  }
  await lite.exec('checkpoint')
  const tar = Buffer.from(await (await lite.dumpDataDir('none')).arrayBuffer())
  await lite.close()
  const path = templatePath()
  const draft = `${path}.${randomUUID()}` // several files of one process may make it at once
  await writeFile(draft, tar)
  await rename(draft, path)
  return tar
}

// For journeys, which don't know the inside of the server: makes it, and prints the path of its file.
if (import.meta.main) {
  await emptyDatabase()
  process.stdout.write(templatePath())
}
