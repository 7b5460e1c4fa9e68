import assert from 'node:assert/strict'
import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import test from 'node:test'
import { filesOf, type Import, importsOf, manifestOf, workspaces } from './project.ts'

/** Which of our own packages each workspace may import. Source: docs/architecture.md, direction. */
const mayImport: Record<string, readonly string[]> = {
  domain: [],
  provenance: [],
  contract: [],
  server: ['domain', 'provenance', 'contract'],
  web: ['domain', 'provenance'],
  e2e: ['domain', 'provenance', 'contract'],
  bench: ['domain', 'provenance', 'contract'],
}

const sources = (workspace: string): string[] => filesOf(`${workspace}/**/*.{ts,tsx}`)
const packageName = (from: string): string =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')
const isBuiltin = (from: string): boolean => from.startsWith('node:') || builtinModules.includes(from)
const isTest = (file: string): boolean => /\.(test|e2e)\.tsx?$|\/testing\//.test(file)
const show = ({ file, from }: Import): string => `${file} imports ${from}`

test('every workspace has a rule for what it may import', () => {
  assert.deepEqual(Object.keys(mayImport).sort(), [...workspaces].sort())
})

for (const workspace of workspaces) {
  const imports = sources(workspace).flatMap(importsOf)
  const outside = imports.filter(({ from }) => !/^[./#]|^virtual:/.test(from) && !isBuiltin(from))

  test(`${workspace} imports only packages that its package.json lists`, () => {
    const { dependencies, devDependencies } = manifestOf(workspace)
    const root = manifestOf('.').devDependencies
    const wrong = outside.filter(({ file, from }) => {
      const name = packageName(from)
      const listed = name in { ...dependencies, ...devDependencies } || name === `@befaqt/${workspace}`
      return !listed && !((isTest(file) || file.endsWith('.config.ts')) && name in { ...root })
    })
    assert.deepEqual(wrong.map(show), [])
  })

  test(`${workspace} imports of ours only ${mayImport[workspace]?.join(', ') || 'itself'}`, () => {
    const allowed = [workspace, ...(mayImport[workspace] ?? [])].map((name) => `@befaqt/${name}`)
    const wrong = outside.filter(
      ({ from }) => from.startsWith('@befaqt/') && !allowed.includes(packageName(from)),
    )
    assert.deepEqual(wrong.map(show), [])
  })

  if (workspace === 'bench') continue // measures the inside of the server, which exports nothing
  test(`${workspace} reaches no other workspace by a relative path`, () => {
    const wrong = imports.filter(({ file, from }) => {
      const path = posix.join(posix.dirname(file), from)
      const isShared = (workspace === 'e2e' || isTest(file)) && path.startsWith('tools/test/') // what tests of all parts stand on
      return from.startsWith('.') && !path.startsWith(`${workspace}/`) && !isShared
    })
    assert.deepEqual(wrong.map(show), [])
  })
}

test('browser code uses no Node API', () => {
  const shared = [...filesOf('domain/src/**/*.ts', 'web/src/**/*.{ts,tsx}')].filter((file) => !isTest(file))
  const wrong = shared.flatMap(importsOf).filter(({ from }) => isBuiltin(from))
  assert.deepEqual(wrong.map(show), [])
})
