import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebianPackage } from './debian.ts'

const DEBIAN = '/usr/lib/postgresql'

/**
 * Folder of `initdb` and `postgres`: Debian's newest, one on PATH, or a Debian package installed now.
 * @returns `why`, a sentence, when none is available
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
