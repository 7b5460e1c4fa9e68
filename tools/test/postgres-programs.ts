import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebianPackage } from './debian.ts'

const DEBIAN = '/usr/lib/postgresql'

/**
 * Folder that holds `initdb` and `postgres`: the newest of Debian's, or one on PATH, or Debian's installed now.
 * @returns `why`, a sentence, where none can be had
 */
export async function findPostgresPrograms(): Promise<{ folder: string } | { why: string }> {
  const there = installed()
  if (there !== undefined) return { folder: there }
  const why = await installDebianPackage('postgresql')
  const folder = installed()
  return folder === undefined ? { why: why ?? `PostgreSQL's programs are not in ${DEBIAN}.` } : { folder }
}

function installed(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : []
  const debian = versions.sort((a, b) => b - a).map((version) => `${DEBIAN}/${version}/bin`)
  return [...debian, ...(process.env.PATH ?? '').split(delimiter)].find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  )
}
