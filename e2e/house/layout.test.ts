import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import test from 'node:test'
import { filesOf, manifestOf, root, textOf, workspaces } from './project.ts'

const code = filesOf('{tools,domain,provenance,contract,server,web,e2e,bench}/**/*.{ts,tsx,mjs,sol,css,sql}')
const prose = filesOf('*.md', 'docs/**/*.md', '*/README.md')
const MAX_LINES = 300

/** Generated files. */
const generated = ['contract/abi.ts', 'server/src/db/migrations/']

test('every top-level folder has a README of about ten lines', () => {
  const hidden = (name: string): boolean => name.startsWith('.')
  const folders = readdirSync(root, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && !hidden(entry.name) && !['node_modules', 'data'].includes(entry.name),
    )
    .map((entry) => entry.name)
  for (const folder of folders) {
    assert.ok(existsSync(join(root, folder, 'README.md')), `${folder}/README.md is there`)
    const lines = textOf(`${folder}/README.md`)
      .split('\n')
      .filter((line) => line.trim() !== '').length
    assert.ok(lines >= 4 && lines <= 25, `${folder}/README.md has about ten lines, not ${lines}`)
  }
})

test(`no file of code has more than ${MAX_LINES} lines`, () => {
  const long = code
    .filter((file) => !generated.some((path) => file.startsWith(path)))
    .map((file) => ({ file, lines: textOf(file).trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
  assert.deepEqual(long, [])
})

/** Routes hold the names of their parameters, as in `category.$catTitle.tsx`. */
test('files are named in kebab-case and no folder is named utils, misc or common', () => {
  const wrong = code.filter((file) => {
    const parts = file.split('/')
    const isDrawer = parts.some((part) => ['utils', 'util', 'misc', 'common', 'helpers'].includes(part))
    return (
      isDrawer || (!file.endsWith('.sol') && !/^[a-z0-9_.-]+$/.test(parts.at(-1)?.replace(/\$\w+/, '') ?? ''))
    )
  })
  assert.deepEqual(wrong, [])
})

/** Concatenated, so that this file does not contain what it looks for. */
const unwanted = [
  ['/wo', 'rk/'],
  ['/ro', 'ot/'],
  ['biome-', 'ignore'],
  ['ts-', 'ignore'],
  ['ts-', 'expect-error'],
  ['TO', 'DO'],
  ['FIX', 'ME'],
  ['as unknown', ' as '],
  ['registry.npm', 'js.org'],
].map((parts) => parts.join(''))

test('no file contains a path of somebody’s machine, a disabled check or a note to self', () => {
  const settings = filesOf(
    '*.json',
    '{domain,provenance,contract,server,web,e2e,bench}/*.json',
    '.ci/run',
    'deploy/**/*.*',
    'deploy/Containerfile',
  )
  const found = [...code, ...prose, ...settings].flatMap((file) => {
    const text = textOf(file)
    return unwanted.filter((words) => text.includes(words)).map((words) => `${file}: ${words}`)
  })
  assert.deepEqual(found, [])
})

test('every npm script named in the docs exists', () => {
  const wrong = prose.flatMap((file) =>
    [...textOf(file).matchAll(/npm run (?:-s )?([a-z][\w:-]*)(?: -w ([a-z0-9]+))?/g)]
      .filter(([, script = '', workspace = '.']) => !(script in (manifestOf(workspace).scripts ?? {})))
      .map(([command]) => `${file}: ${command}`),
  )
  assert.deepEqual(wrong, [])
})

test('a release has one version, which a running shop says, and tells what changed and whom to tell', () => {
  const versions = ['.', ...workspaces].map((folder) => JSON.parse(textOf(`${folder}/package.json`)).version)
  assert.deepEqual([...new Set(versions)].length, 1, versions.join())
  assert.match(textOf('CHANGELOG.md'), /^## (Not released|\d+\.\d+\.\d+)/m)
  assert.match(textOf('SECURITY.md'), /\/\.well-known\/security\.txt/)
  assert.match(textOf('CONTRIBUTING.md'), /npm test/)
})

test('every workspace is described in the first README', () => {
  const text = textOf('README.md')
  assert.deepEqual(
    workspaces.filter((workspace) => !text.includes(`${workspace}/`)),
    [],
  )
})

test('every file that docs/finding-things.md leads to exists', () => {
  const rows = [...textOf('docs/finding-things.md').matchAll(/^\|.*\| `([^`]+)` \|$/gm)]
  const standards = [...textOf('docs/finding-things.md').matchAll(/^\| (RFC \d+),.*`([^`]+)` \|$/gm)]
  assert.ok(rows.length >= 25 && standards.length >= 4, `${rows.length} files, ${standards.length} standards`)
  for (const [, file = ''] of rows) assert.ok(existsSync(join(root, file)), `${file} is there`)
  for (const [, standard = '', file = ''] of standards)
    assert.ok(textOf(file).includes(standard), `${file} names ${standard}`)
})

test('the index of decisions names each of them once, and every link between our documents leads to one', () => {
  const index = [...textOf('docs/decisions/README.md').matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(
    ([, file]) => file,
  )
  const decisions = filesOf('docs/decisions/[0-9]*.md').map((file) => basename(file))
  assert.deepEqual(index.toSorted(), decisions)

  const linked = prose.flatMap((file) =>
    [...textOf(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .filter(([, to = '']) => !existsSync(join(root, dirname(file), decodeURI(to))))
      .map(([, to]) => `${file}: ${to}`),
  )
  assert.deepEqual(linked, [])
})
