import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'

const folder = join(import.meta.dirname, '..')

/** Programs that only measure time or run for long: their imports and options are tested. Chaos and storm have tests of their own. */
const timed = [
  'all',
  'chaos',
  'clicks',
  'cluster',
  'interactions',
  'lighthouse',
  'soak',
  'storm',
  'typed-searches',
]
/** What needs PostgreSQL. */
const onPostgres = [
  'backup',
  'order-rush',
  'searches',
  'orders',
  'readings',
  'recall',
  'million',
  'cold-chain',
  'commits',
  'processes',
  'shared-readings',
  'scale',
  'long-history',
]
/** What looks at pages in Chromium. */
const inBrowser = ['catch-form', 'check-time', 'manage', 'open-page']
const words: Record<string, readonly string[]> = {
  backup: ['postgres'],
  desk: ['embedded'],
  reports: ['embedded'],
  'order-queue': ['embedded'],
  'box-reads': ['embedded'],
  'box-sizes': ['embedded'],
  'sales-under-readings': ['embedded'],
  'signed-readings': ['embedded'],
  'signed-stream': ['embedded'],
  anchoring: ['embedded'],
  traces: ['embedded'],
  'order-rush': ['postgres'],
}

const sources = globSync('**/*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
const all = globSync('*.ts', { cwd: folder })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => basename(file, '.ts'))
  .filter((name) => !sources.some((source) => new RegExp(`from '\\.\\.?/${name}\\.ts'`).test(source)))

/** Programs of measurements by what they need: nobody imports them. A process that runs all of one kind is bounded in time. */
export const programs = {
  browser: all.filter((name) => inBrowser.includes(name)),
  embedded: all.filter((name) => !onPostgres.includes(name) && !inBrowser.includes(name)),
  postgres: all.filter((name) => onPostgres.includes(name)),
}

/** Where the programs of one process keep what they remove again. */
const scratch = mkdtempSync(join(tmpdir(), 'befaqt-smoke-'))
chmodSync(scratch, 0o755) // the account of a database server looks into it, too
after(() => rmSync(scratch, { recursive: true, force: true }))

/** Tests that a program does all of its steps, with sizes at which its figures mean nothing. @param skip why it is not run */
export function testProgram(name: string, skip: string | false = false): void {
  test(`bench/src/${name}.ts runs`, { skip }, async () => {
    const script = join(folder, `${name}.ts`)
    const child = spawn(process.execPath, ['--expose-gc', script, ...(words[name] ?? [])], {
      env: { ...process.env, BENCH_SMOKE: '1', TMPDIR: scratch },
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
    const left = readdirSync(scratch).filter((entry) => !entry.startsWith('befaqt-template-'))
    assert.deepEqual(left, [], 'it ends what it started, and removes it')
  })
}
