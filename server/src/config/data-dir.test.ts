import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { privateDataDir } from './data-dir.ts'

const WORKER = fileURLToPath(new URL('../worker.ts', import.meta.url))
/** User and group `nobody` of Debian. */
const NOBODY = 65_534

/** A data folder in a folder that everybody may enter. */
async function openFolder() {
  const base = await mkdtemp(join(tmpdir(), 'befaqt-private-'))
  await chmod(base, 0o755)
  return { dataDir: join(base, 'data'), [Symbol.asyncDispose]: () => rm(base, { recursive: true }) }
}

/** Files and folders in `folder`, itself included, that somebody else than the owner has any right to. */
async function loose(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  const found: string[] = []
  for (const path of [folder, ...names.map((name) => join(folder, name))]) {
    const { mode } = await lstat(path)
    if ((mode & 0o077) !== 0) found.push(`${path} ${(mode & 0o777).toString(8)}`)
  }
  return found
}

/** Runs the worker, with everything embedded, from a shell that lets others read, until it is ready; then ends it. */
async function runWorker(dataDir: string): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'error', SAMPLE_DATA: 'off', DATABASE_URL: '' }
  const worker = spawn('sh', ['-c', 'umask 022; exec "$0" "$1"', process.execPath, WORKER], {
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const ended = once(worker, 'exit')
  const said: string[] = []
  for await (const line of createInterface({ input: worker.stderr })) {
    said.push(line)
    if (line.includes('worker is ready')) worker.kill('SIGTERM')
  }
  const [code] = await ended
  assert.equal(code, 0, said.join('\n'))
}

/** What another user of this machine can read or write, or null where this process can't become another. */
function readableByNobody(paths: string[]): string[] | null {
  if (process.getuid?.() !== 0) return null
  const script = 'for f; do if [ -r "$f" ] || [ -w "$f" ]; then echo "$f"; fi; done'
  const { stdout, status } = spawnSync('sh', ['-c', script, 'sh', ...paths], { uid: NOBODY, gid: NOBODY })
  assert.equal(status, 0)
  return String(stdout).split('\n').filter(Boolean)
}

test('nobody but its owner reads or writes anything in DATA_DIR: database, keys, files', async () => {
  await using folder = await openFolder()
  const { dataDir } = folder
  await mkdir(join(dataDir, 'files', 'ab'), { recursive: true })
  const old = join(dataDir, 'files', 'ab', 'old.webp')
  await writeFile(old, 'picture')
  for (const path of [dataDir, join(dataDir, 'files'), join(dataDir, 'files', 'ab')]) await chmod(path, 0o755)
  await chmod(old, 0o666)
  const before = readableByNobody([old])
  if (before !== null) assert.deepEqual(before, [old], 'nobody could read it before')
  await runWorker(dataDir)
  assert.deepEqual(await loose(dataDir), [])
  const names = await readdir(dataDir, { recursive: true })
  assert.ok(names.some((name) => /database\/pg_wal\/0+1/.test(name)))
  assert.ok(names.length > 500, 'PGlite’s files are among them')
  const readable = readableByNobody([dataDir, ...names.map((name) => join(dataDir, name))])
  if (readable !== null) assert.deepEqual(readable, [])
  assert.equal(await readFile(old, 'utf8'), 'picture')
})

test('symbolic links in DATA_DIR and their targets are left alone, and a private folder is not walked', async () => {
  await using folder = await openFolder()
  const { dataDir } = folder
  const elsewhere = join(dataDir, '..', 'elsewhere')
  await mkdir(dataDir)
  await writeFile(elsewhere, '')
  await chmod(elsewhere, 0o644)
  await symlink(elsewhere, join(dataDir, 'link'))
  await chmod(dataDir, 0o750)
  const warned: object[] = []
  const log = { warn: (about: object) => void warned.push(about) }
  await privateDataDir(dataDir, log)
  assert.equal((await lstat(dataDir)).mode & 0o777, 0o700)
  assert.equal((await lstat(elsewhere)).mode & 0o777, 0o644)
  const inside = join(dataDir, 'inside')
  await writeFile(inside, '')
  await chmod(inside, 0o644)
  await privateDataDir(dataDir, log)
  assert.equal((await lstat(inside)).mode & 0o777, 0o644)
  assert.deepEqual(warned, [])
  await assert.rejects(
    privateDataDir(join(elsewhere, 'data'), log),
    /DATA_DIR: the folder .* cannot be created/,
  )
})
