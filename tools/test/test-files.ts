import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Ended, endGroup, inParallel, runCommand } from './command.ts'
import type { Skip, Tally } from './tally.ts'

/** Several times what the longest file takes on two cores: a slow machine is no fault, a file that hangs is. */
const LIMIT_S = 900
const GRACE_MS = 2_000
/** One more than there are processors: a test waits for a disk, a clock or another program a quarter of its time. */
const AT_ONCE = availableParallelism() + 1
const beside = (name: string): string => join(import.meta.dirname, name)

/**
 * Runs test files, each in a process of its own, one more at a time than there are processors, and adds what came of
 * them to the tally.
 * A file that passed is one line; of one that failed, everything it printed is shown. A file that does not end is
 * ended after `limitS` seconds and counts as failed, so that an open database or socket cannot hide.
 */
export async function runTestFiles(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  tally: Tally,
  limitS = LIMIT_S,
): Promise<void> {
  const notes = mkdtempSync(join(tmpdir(), 'befaqt-tests-'))
  try {
    await inParallel(AT_ONCE, [...files.entries()], async ([n, file]) => {
      const path = join(notes, `${n}`)
      const { ended, overdue } = await runFile(file, path, env, limitS)
      const note = readNote(path, file)
      add(file, ended, note, faultOf(ended, note, overdue ? limitS : undefined), tally)
    })
  } finally {
    rmSync(notes, { recursive: true, force: true })
  }
}

type Run = { ended: Ended; overdue: boolean }

async function runFile(file: string, note: string, env: NodeJS.ProcessEnv, limitS: number): Promise<Run> {
  const reporters = [
    ...['--test-reporter', beside('json-reporter.ts'), '--test-reporter-destination', note],
    ...['--test-reporter', 'spec', '--test-reporter-destination', 'stdout'],
  ]
  let overdue = false
  const ended = await runCommand(
    process.execPath,
    ['--import', beside('report-open-handles.ts'), ...reporters, file],
    {
      // By the environment, for the programs of ours that a test starts; as a URL, which has no spaces.
      env: { ...env, NODE_OPTIONS: `--import ${pathToFileURL(beside('quick-resolve.mjs'))}` },
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

type Note = { tests: number; passed: number; failed: number; skips: Skip[] }

function readNote(path: string, file: string): Note {
  const note: Note = { tests: 0, passed: 0, failed: 0, skips: [] }
  if (!existsSync(path)) return note
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { skipped, reason, counts } = JSON.parse(line)
    if (skipped !== undefined) note.skips.push({ file, name: skipped, reason: String(reason) })
    if (counts !== undefined) {
      note.tests = counts.tests
      note.passed = counts.passed
      note.failed = counts.tests - counts.passed - counts.skipped
    }
  }
  return note
}

function add(file: string, ended: Ended, note: Note, fault: string | undefined, tally: Tally): void {
  tally.passed += note.passed
  tally.failed += note.failed
  tally.skips.push(...note.skips)
  tally.timings.push({ file, seconds: ended.seconds })
  if (fault !== undefined && note.failed === 0) tally.failed += 1
  const sums = `${note.passed} passed, ${note.failed} failed, ${note.skips.length} skipped`
  process.stdout.write(
    `${fault === undefined ? '✔' : '✖'} ${file}: ${sums} (${ended.seconds.toFixed(1)} s)\n`,
  )
  if (fault === undefined) return
  tally.failures.push(`${file}: ${fault}`)
  process.stdout.write(`${ended.output.trimEnd()}\n${fault}\n\n`)
}

function faultOf(ended: Ended, note: Note, overdueS: number | undefined): string | undefined {
  if (overdueS !== undefined)
    return `This file did not end within ${overdueS} s: a test waits for ever, or something is left open.`
  if (note.failed > 0) return `${note.failed} of ${note.tests} tests failed.`
  if (ended.status !== 0) return `The process ended with ${ended.signal ?? `status ${ended.status}`}.`
  return note.tests === 0 ? 'This file holds no tests.' : undefined
}
