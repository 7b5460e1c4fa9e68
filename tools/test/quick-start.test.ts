import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
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
  // The database's engine is another module in tests (server/src/testing/made-cluster.ts), by intention.
  return found.filter((line) => !/pglite|made-cluster/.test(line)).sort()
}

const quickStart = pathToFileURL(join(import.meta.dirname, 'quick-start.mjs')).href

/** Makes a database in a folder that is not there, writes a row, and opens it again. */
const NEW_DATABASE = `
  import { PGlite } from '@electric-sql/pglite'
  const folder = process.env.NEW_DATABASE
  const first = await PGlite.create(folder)
  await first.exec('create table kept (n int); insert into kept values (7)')
  await first.close()
  const lite = await PGlite.create(folder)
  const ask = async (statement) => (await lite.query(statement)).rows
  const found = [
    await ask('select n from kept'),
    await ask('select datname, encoding, datlocprovider, datcollate, datctype, datistemplate from pg_database order by 1'),
    await ask('select rolname, rolsuper from pg_roles order by 1'),
    await ask('select name, setting from pg_settings order by 1'),
    await ask('select relname, relkind from pg_class order by 1, 2'),
  ]
  await lite.close()
  process.stdout.write(JSON.stringify(found), () => process.exit())`

function newDatabase(folder: string, ...preloaded: string[]): { found: string; files: string[] } {
  const before = preloaded.flatMap((url) => ['--import', url])
  const found = execFileSync(process.execPath, [...before, '--input-type=module', '--eval', NEW_DATABASE], {
    cwd: fromRoot(),
    env: { ...process.env, NODE_OPTIONS: '', NEW_DATABASE: folder },
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  })
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => `${name} ${statSync(join(folder, name)).mode.toString(8)}`,
  )
  return { found, files: files.sort() }
}

test('a new database is the one that its engine makes, files and their modes included', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-new-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const own = newDatabase(join(folder, 'own'))
  assert.ok(own.files.length > 900, `${own.files.length} files`)
  assert.deepEqual(newDatabase(join(folder, 'quick'), quickStart), own)
})

test('imports mean what they mean without the shortcuts of tests', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-imports-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'imports.json')
  const quick = importsWith([quickStart], file)
  assert.ok(quick.length > 1_000, `${quick.length} imports`)
  assert.deepEqual(quick, importsWith([], file))
})
