import { globSync } from 'node:fs'
import type { CheckStage } from './checks.ts'
import type { Options, StageName } from './options.ts'

/** Stages that run test files. */
export type TestStage = Exclude<StageName, CheckStage>

const places = {
  unit: ['tools', 'domain', 'provenance', 'server', 'web', 'e2e/house', 'e2e/support', 'bench'],
  contract: ['contract'],
  browser: ['e2e/support', 'e2e/hooks', 'e2e/journeys'],
} as const satisfies Record<TestStage, readonly string[]>

/** Packages whose tests need neither a database nor a browser. */
const pure: readonly string[] = ['domain', 'provenance', 'web', 'e2e/house']

const ending = { unit: '*.test.ts', contract: '*.test.ts', browser: '*.e2e.ts' } as const

/** The selected test files of a stage, in a fixed order. */
export function testFiles(stage: TestStage, { quick, paths }: Options): string[] {
  const folders = places[stage].filter((folder) => !quick || pure.includes(folder))
  const files = folders.flatMap((folder) =>
    globSync(`${folder}/**/${ending[stage]}`, { exclude: ['**/node_modules/**'] }),
  )
  return files.sort().filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)))
}
