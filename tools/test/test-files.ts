import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Ended, endGroup, runCommand } from './command.ts'
import type { Skip, Tally } from './tally.ts'

/** Several times the longest process on two cores, so that slow machines pass and hanging tests fail. */
const LIMIT_S = 1_800
const GRACE_MS = 2_000
const beside = (name: string): string => join(import.meta.dirname, name)

/**
 * Runs a group of test files in one process (run-order.ts) and adds the results to the tally. If all passed it prints one
 * line, else all of their output. A process that does not end is killed after `limitS` seconds and counts as failed, so
 * that an open database or socket is noticed.
 */
export async function runTestFiles(
  group: readonly string[],
  env: NodeJS.ProcessEnv,
  tally: Tally,
  limitS = LIMIT_S,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-tests-'))
  try {
    const path = join(folder, 'note')
    const { ended, overdue } = await runGroup(group, path, env, limitS)
    const note = readNote(path)
    add(group, ended, note, faultOf(group, ended, note, overdue ? limitS : undefined), tally)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Run = { ended: Ended; overdue: boolean }

async function runGroup(
  files: readonly string[],
  note: string,
  env: NodeJS.ProcessEnv,
  limitS: number,
): Promise<Run> {
  const entry = files.length > 1 ? [beside('import-files.ts')] : []
  const reporters = [
    ...['--test-reporter', beside('json-reporter.ts'), '--test-reporter-destination', note],
    ...['--test-reporter', 'spec', '--test-reporter-destination', 'stdout'],
  ]
  let overdue = false
  const ended = await runCommand(
    process.execPath,
    ['--import', beside('report-open-handles.ts'), ...reporters, ...entry, ...files],
    {
      // By the environment, for the programs of ours that a test starts; as a URL, which has no spaces.
      env: { ...env, NODE_OPTIONS: `--import ${pathToFileURL(beside('quick-start.mjs'))}` },
      limitMs: limitS * 1000,
      onLimit: (child) => {
        overdue = true
        child.kill('SIGUSR2')
        setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS)
      },
    },
  )
  return { ended, overdue }
}

type Note = {
  tests: number
  passed: number
  failed: number
  skips: Skip[]
  failures: string[]
  tested: Set<string>
  ms: Map<string, number>
}

function readNote(path: string): Note {
  const note: Note = {
    tests: 0,
    passed: 0,
    failed: 0,
    skips: [],
    failures: [],
    tested: new Set(),
    ms: new Map(),
  }
  if (!existsSync(path)) return note
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { tested, ended, ms, skipped, file, reason, failed, why, counts } = JSON.parse(line)
    if (tested !== undefined) note.tested.add(tested)
    if (ended !== undefined) note.ms.set(ended, (note.ms.get(ended) ?? 0) + ms)
    if (skipped !== undefined) note.skips.push({ file, name: skipped, reason: String(reason) })
    if (failed !== undefined) note.failures.push(`${failed}: ${why}`)
    if (counts !== undefined) {
      note.tests = counts.tests
      note.passed = counts.passed
      note.failed = counts.tests - counts.passed - counts.skipped
    }
  }
  return note
}

function add(
  files: readonly string[],
  ended: Ended,
  note: Note,
  fault: string | undefined,
  tally: Tally,
): void {
  const file = files.join(' ')
  tally.passed += note.passed
  tally.failed += note.failed
  tally.skips.push(...note.skips)
  if (files.length === 1) tally.timings.push({ file, seconds: ended.seconds })
  else for (const [name, ms] of note.ms) tally.timings.push({ file: name, seconds: ms / 1000 })
  if (fault !== undefined && note.failed === 0) tally.failed += 1
  const sums = `${note.passed} passed, ${note.failed} failed, ${note.skips.length} skipped`
  process.stdout.write(
    `${fault === undefined ? '✔' : '✖'} ${file}: ${sums} (${ended.seconds.toFixed(1)} s)\n`,
  )
  if (fault === undefined) return
  tally.failures.push([`${file}: ${fault}`, ...note.failures].join('\n    '))
  process.stdout.write(`${ended.output.trimEnd()}\n${fault}\n\n`)
}

function faultOf(
  files: readonly string[],
  ended: Ended,
  note: Note,
  overdueS: number | undefined,
): string | undefined {
  if (overdueS !== undefined)
    return `This process did not end within ${overdueS} s: a test waits for ever, or something is left open.`
  if (note.failed > 0) return `${note.failed} of ${note.tests} tests failed.`
  if (ended.status !== 0) return `The process ended with ${ended.signal ?? `status ${ended.status}`}.`
  const without =
    files.length === 1 && note.tests > 0 ? [] : files.filter((file) => !note.tested.has(relative('', file)))
  return without.length > 0 ? `${without.join(', ')}: holds no tests.` : undefined
}
