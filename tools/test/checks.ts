import { readFileSync } from 'node:fs'
import { type Ended, inParallel, runCommand } from './command.ts'
import { lint } from './lint.ts'
import type { Tally } from './tally.ts'

type Check = { name: string; run: () => Promise<Ended> }

const node = (...args: string[]) => runCommand(process.execPath, args)

const manifest: { workspaces: string[] } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Each check counts as one test in the tally. */
const checks = {
  types: ['tools', ...manifest.workspaces].map((folder) => ({
    name: `types of ${folder}`,
    run: () => node('node_modules/typescript/bin/tsc', '-p', `${folder}/tsconfig.json`),
  })),
  lint: [{ name: 'format and lint', run: () => lint(process.cwd()) }],
  unused: [{ name: 'nothing unused', run: () => node('node_modules/knip/bin/knip.js', '--no-progress') }],
} as const satisfies Record<string, readonly Check[]>

/** Runs the checks of one stage, two at a time. */
export async function runChecks(stage: keyof typeof checks, tally: Tally): Promise<void> {
  await inParallel<Check>(2, checks[stage], async ({ name, run }) => {
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
}
