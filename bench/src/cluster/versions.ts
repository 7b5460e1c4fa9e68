import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../../tools/script.mjs'
import { serverProgram } from '../../../tools/server-program.ts'
import type { Built, World } from './world.ts'

const run = promisify(execFile)

/** What a migration may do: it adds, so that the version before goes on beside it. */
const SQL = `create table next_version (id integer primary key);
--> statement-breakpoint
alter table orders add column next_version text;
`
const TAG = '9999_next_version'

/** A version of the shop that has one migration more, as a folder of its own. @returns its programs */
export async function nextVersion({ folder, built }: Pick<World, 'folder' | 'built'>): Promise<Built> {
  const next = join(folder, 'next')
  await linkAll(root, next, ['server'])
  await linkAll(join(root, 'server'), join(next, 'server'), ['src', 'dist'])
  for (const name of ['src', 'dist'])
    await cp(join(root, 'server', name), join(next, 'server', name), { recursive: true })
  const migrations = join(next, 'server/src/db/migrations')
  const file = join(migrations, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { idx: number; when: number }[] }
  const last = journal.entries.at(-1)
  const entry = { ...last, idx: (last?.idx ?? 0) + 1, when: (last?.when ?? 0) + 1, tag: TAG }
  await writeFile(file, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }))
  await writeFile(join(migrations, `${TAG}.sql`), SQL)
  const there = (args: readonly string[]): string[] => args.map((arg) => arg.replace(root, next))
  return { main: there(built.main), worker: there(built.worker) }
}

/**
 * Builds a version from before, a commit of this repository, in a folder of its own, with the packages of this one: they
 * have to be there already. @returns its programs, and the setting that leads to its pages
 */
export async function olderVersion(
  folder: string,
  commit: string,
): Promise<{ built: Built; settings: Record<string, string> }> {
  const older = join(folder, 'older')
  await mkdir(older)
  const archive = join(folder, 'older.tar')
  await run('git', ['archive', '-o', archive, commit], { cwd: root })
  await run('tar', ['-xf', archive, '-C', older])
  await linkAll(join(root, 'node_modules'), join(older, 'node_modules'), ['@befaqt', '.cache'])
  // Its own workspaces, by links as npm makes them.
  await cp(join(root, 'node_modules/@befaqt'), join(older, 'node_modules/@befaqt'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const [server, pages] = [join(older, 'server/dist/older'), join(older, 'web/dist/older')]
  const env = { ...process.env, SERVER_DIST: server, WEB_DIST: pages }
  for (const program of ['server/build.ts', 'web/build.ts'])
    await run(process.execPath, [program], { cwd: older, env, maxBuffer: 64 << 20 })
  const [main, worker] = (['main', 'worker'] as const).map((name) => serverProgram(name, server).args)
  return { built: { main: main ?? [], worker: worker ?? [] }, settings: { WEB_DIST: pages } }
}

/** Makes a folder with links to all that another one has, but for some. */
async function linkAll(from: string, to: string, without: readonly string[]): Promise<void> {
  await mkdir(to)
  for (const name of await readdir(from))
    if (!without.includes(name)) await symlink(join(from, name), join(to, name))
}
