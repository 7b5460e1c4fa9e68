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

/** An import in `file`, with its specifier `from`. */
export type Import = { file: string; from: string }

/** All imports of a file, dynamic ones too. */
export const importsOf = (file: string): Import[] =>
  [...textOf(file).matchAll(/(?:^|\s)(?:from|import) '([^'\n]+)'|\bimport\('([^'\n]+)'\)/g)].map((match) => ({
    file,
    from: match[1] ?? match[2] ?? '',
  }))
