// The test suite: tools/test.mjs runs it under the pinned Node, in the project's folder.
import { availableParallelism } from 'node:os'
import { fromRoot, runScript, UserError } from '../script.mjs'
import { checkJobs, isCheckStage } from './checks.ts'
import { endAllCommands, inParallel } from './command.ts'
import { beginEnvironments, type Environments } from './environments.ts'
import { type Options, readOptions } from './options.ts'
import { inRunOrder, lateFor } from './run-order.ts'
import { secondRuns } from './second-run.ts'
import { type TestStage, testFiles } from './stages.ts'
import { closingLines, emptyTally, type Tally } from './tally.ts'
import { runTestFiles } from './test-files.ts'

/** More than there are CPUs: tests spend a third of their time waiting for disks, timers, networks or other programs. */
const AT_ONCE = availableParallelism() + 2

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endAllCommands)

// Processes share compiled code: most of a test file's start is the same in all of them.
process.env.NODE_COMPILE_CACHE ??= fromRoot('.runtime', 'compile-cache')

await runScript(async () => {
  const options = readOptions(process.argv.slice(2))
  const tally = emptyTally()
  await using environments = beginEnvironments(options, tally)
  const checks = options.stages.filter(isCheckStage).flatMap((stage) => checkJobs(stage, tally))
  const runs = secondRuns(tally)
  const tests = inRunOrder(selectedFiles(options)).map(
    ({ stage, files }) =>
      () =>
        runs.first(files, (first) => runGroup(stage, files, environments, first)),
  )
  await inParallel(AT_ONCE, [...checks, ...tests], (run) => run())
  await runs.second()
  if (tally.timings.length === 0 && tally.failed === 0 && options.paths.length > 0)
    throw new UserError(`No test file's path begins with ${options.paths.join(' or ')}.`)
  process.stdout.write(`${closingLines(tally).join('\n')}\n`)
  return tally.failed === 0 && tally.passed > 0 ? 0 : 1
})

function selectedFiles(options: Options): Record<TestStage, string[]> {
  const of = (stage: TestStage): string[] => (options.stages.includes(stage) ? testFiles(stage, options) : [])
  return { unit: of('unit'), contract: of('contract'), browser: of('browser') }
}

/** Runs the files of one process when what they need is there. */
async function runGroup(
  stage: TestStage,
  files: readonly string[],
  environments: Environments,
  tally: Tally,
): Promise<void> {
  const late = lateFor(files, performance.now())
  if (late !== undefined) {
    for (const file of files) tally.skips.push({ file, name: 'the whole file', reason: late })
    return
  }
  const environment = await environments.of(stage)
  if ('env' in environment) return runTestFiles(files, environment.env, tally)
  for (const file of files) tally.skips.push({ file, name: 'the whole file', reason: environment.why })
}
