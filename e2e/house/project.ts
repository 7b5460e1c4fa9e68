import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The project's folder. Paths in these tests are relative to it, with forward slashes. */
export const root = join(import.meta.dirname, '../..')

/** Text of a file of the project. */
export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

export type Manifest = {
  workspaces?: string[]
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** The package.json of a folder of the project; '.' is the project's own. */
export const manifestOf = (folder: string): Manifest => JSON.parse(textOf(`${folder}/package.json`))

export const workspaces: readonly string[] = manifestOf('.').workspaces ?? []

const made = ['node_modules', 'dist', 'artifacts', 'cache', 'shots', 'coverage', 'data']
const exclude = made.map((name) => `**/${name}/**`)

/** Files written by people, by the glob patterns they match. */
export const filesOf = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: root, exclude })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

/**
 * An import in `file`, with its specifier `from` and the names in its braces; of types alone it is gone when the file is
 * loaded.
 */
export type Import = { file: string; from: string; names: readonly string[]; ofTypes: boolean }

const IMPORT =
  /(?:^|\s)(?:(import|export) (type )?([^'";]*?)from|import) '([^'\n]+)'|\bimport\('([^'\n]+)'\)/g

/** All imports of a file, dynamic ones too. */
export const importsOf = (file: string): Import[] =>
  [...textOf(file).matchAll(IMPORT)].map(([, , type, names = '', from, lazily]) => ({
    file,
    from: from ?? lazily ?? '',
    names: [...names.replace(/\btype /g, '').matchAll(/(\w+)(?: as \w+)?/g)].map(([, name]) => name ?? ''),
    ofTypes: type !== undefined || /^\{(\s*type [^,}]+,?)+\s*\} $/.test(names),
  }))
