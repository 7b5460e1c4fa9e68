import { readFileSync } from 'node:fs'
import { inParallel, runCommand } from './command.ts'
import type { Tally } from './tally.ts'

type Check = { name: string; program: string; args: readonly string[] }

const manifest: { workspaces: string[] } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Each check counts as one test in the tally. */
const checks = {
  types: ['.launch', ...manifest.workspaces].map((folder) => ({
    name: `types of ${folder}`,
    program: 'node_modules/typescript/bin/tsc',
    args: ['-p', `${folder}/tsconfig.json`],
  })),
  lint: [
    {
      name: 'format and lint',
      program: 'node_modules/@biomejs/biome/bin/biome',
      args: ['ci', '--error-on-warnings', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`],
    },
  ],
  unused: [{ name: 'nothing unused', program: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] }],
} as const satisfies Record<string, readonly Check[]>

/** Runs the checks of one stage, two at a time. */
export async function runChecks(stage: keyof typeof checks, tally: Tally): Promise<void> {
  await inParallel<Check>(2, checks[stage], async ({ name, program, args }) => {
    const { status, output, seconds } = await runCommand(process.execPath, [program, ...args])
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
