import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../../tools/script.mjs'
import type { Built, World } from './world.ts'

/** What a migration may do: it adds, so that the version before goes on beside it. */
const SQL = `create table next_version (id integer primary key);
--> statement-breakpoint
alter table orders add column next_version text;
`
const TAG = '9999_next_version'

/** A version of the shop that has one migration more, as a folder of its own. @returns its programs */
export async function nextVersion({ folder, built }: Pick<World, 'folder' | 'built'>): Promise<Built> {
  const next = join(folder, 'next')
  await mkdir(next)
  for (const name of await readdir(root))
    if (name === 'server') await cp(join(root, name), join(next, name), { recursive: true })
    else await symlink(join(root, name), join(next, name))
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
