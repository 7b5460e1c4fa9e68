import { readdirSync, readFileSync } from 'node:fs'
import { type Ended, runCommand } from './command.ts'
import { lint } from './lint.ts'
import type { StageName } from './options.ts'
import type { Tally } from './tally.ts'

/** Stages that check the sources without running them. */
export type CheckStage = Extract<StageName, 'types' | 'lint' | 'unused'>

type Check = { name: string; run: () => Promise<Ended> }

const node = (...args: string[]) => runCommand(process.execPath, args)

/** Checks what changed since the last run, as noted in `.runtime/`: all packages take 8 s of a processor then, not 50. */
const types = (folder: string, config: string) =>
  node(
    'node_modules/typescript/bin/tsc',
    ...['-p', `${folder}/${config}`],
    ...['--incremental', '--tsBuildInfoFile', `.runtime/types/${folder}.${config}.tsbuildinfo`],
  )

/** A package for browsers has no types of Node, which its tests need: those have a configuration of their own. */
const configs = (folder: string) =>
  readdirSync(folder).filter((name) => /^tsconfig(\.node)?\.json$/.test(name))

const manifest: { workspaces: string[] } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Each check counts as one test in the tally. */
const checks: Record<CheckStage, readonly Check[]> = {
  types: ['tools', ...manifest.workspaces].flatMap((folder) =>
    configs(folder).map((config) => ({
      name: `types of ${folder}${config === 'tsconfig.json' ? '' : ' with its tests'}`,
      run: () => types(folder, config),
    })),
  ),
  lint: [{ name: 'format and lint', run: () => lint(process.cwd()) }],
  unused: [{ name: 'nothing unused', run: () => node('node_modules/knip/bin/knip.js', '--no-progress') }],
}

export const isCheckStage = (stage: StageName): stage is CheckStage => stage in checks

/** The checks of one stage, each as a job that runs it and adds its result to the tally. */
export const checkJobs = (stage: CheckStage, tally: Tally): (() => Promise<void>)[] =>
  checks[stage].map(({ name, run }) => async () => {
    const { status, output, seconds } = await run()
    const passed = status === 0
    process.stdout.write(`${passed ? '✔' : '✖'} ${name} (${seconds.toFixed(1)} s)\n`)
    if (passed) tally.passed += 1
    else {
      tally.failed += 1
      tally.failures.push(name)
      process.stdout.write(`${output.trimEnd()}\n\n`)
    }
  })
