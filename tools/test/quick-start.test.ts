import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { fromRoot } from '../script.mjs'

/** Notes in a file what each import meant: from which module, by which words, which file, in which format. */
const LISTENER = `
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const found = []
  registerHooks({
    resolve: (specifier, context, next) => {
      const { url, format } = next(specifier, context)
      if (context.conditions.includes('import')) found.push([context.parentURL, specifier, url, format].join(' '))
      return { url, format, shortCircuit: true }
    },
  })
  process.on('exit', () => writeFileSync(process.env.IMPORTS, JSON.stringify(found)))`

/** Imports of the command for operators, which has most of the server; `preloaded` are URLs. */
function importsWith(preloaded: readonly string[], file: string): string[] {
  const listener = `data:text/javascript,${encodeURIComponent(LISTENER)}`
  const before = [...preloaded, listener].flatMap((url) => ['--import', url])
  execFileSync(process.execPath, [...before, fromRoot('server', 'src', 'cli', 'befaqt.ts'), '--help'], {
    env: { ...process.env, NODE_OPTIONS: '', IMPORTS: file },
    stdio: 'pipe',
  })
  const found: string[] = JSON.parse(readFileSync(file, 'utf8'))
  return found.sort()
}

test('imports mean what they mean without the shortcuts of tests', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-imports-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'imports.json')
  const quick = importsWith([pathToFileURL(join(import.meta.dirname, 'quick-start.mjs')).href], file)
  assert.ok(quick.length > 1_000, `${quick.length} imports`)
  assert.deepEqual(quick, importsWith([], file))
})
