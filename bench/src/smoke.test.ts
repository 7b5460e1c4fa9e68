import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'

/** Programs that only measure time or run for long: their imports and options are tested. Chaos and storm have tests of their own. */
const timed = ['all', 'chaos', 'clicks', 'lighthouse', 'soak', 'storm']
/** What needs PostgreSQL: without its programs these run on the embedded database, or not at all. */
const onPostgres = [
  'order-rush',
  'searches',
  'orders',
  'readings',
  'recall',
  'million',
  'cold-chain',
  'commits',
]
const words: Record<string, readonly string[]> = {
  'order-queue': ['embedded'],
  'box-reads': ['embedded'],
  'box-sizes': ['embedded'],
  'sales-under-readings': ['embedded'],
  'signed-readings': ['embedded'],
  'signed-stream': ['embedded'],
  anchoring: ['embedded'],
  'order-rush': ['postgres'],
}

const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'))
const sources = globSync('**/*.ts', { cwd: import.meta.dirname }).map((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8'),
)
const programs = files
  .map((file) => basename(file, '.ts'))
  .filter((name) => !sources.some((source) => new RegExp(`from '\\.\\.?/${name}\\.ts'`).test(source)))

const withoutPostgres =
  process.env.TEST_DATABASE_URL === undefined && 'no PostgreSQL programs: TEST_DATABASE_URL is not set'

for (const name of programs)
  test(`bench/src/${name}.ts runs`, { skip: onPostgres.includes(name) && withoutPostgres }, async () => {
    const script = join(import.meta.dirname, `${name}.ts`)
    const child = spawn(process.execPath, ['--expose-gc', script, ...(words[name] ?? [])], {
      env: { ...process.env, BENCH_SMOKE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Until it ends, not until its output does: a database server that it started may have inherited that.
    let [printed, complaint] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    const [status] = await once(child, 'exit')
    child.stdout.destroy()
    child.stderr.destroy()
    assert.equal(status, 0, `${printed}\n${complaint}`)
    if (!timed.includes(name)) assert.match(printed, /\d/, 'it prints figures')
  })
