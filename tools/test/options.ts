import { parseArgs } from 'node:util'
import { UserError } from '../script.mjs'

/** The stages in order. The first three are static checks. */
export const stageNames = ['types', 'lint', 'unused', 'unit', 'contract', 'browser'] as const
export type StageName = (typeof stageNames)[number]

/** Options of the command line. */
export type Options = {
  stages: readonly StageName[]
  /** Paths that a test file's path must begin with; none: every file. */
  paths: readonly string[]
  /** Without Chromium, PostgreSQL and the pages: types, lint and the tests of the pure parts. */
  quick: boolean
}

/**
 * Parses `--quick`, `--only STAGE` (repeatable) and path prefixes of test files.
 * @throws UserError for an unknown stage.
 */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
    allowPositionals: true,
  })
  const paths = positionals.map((path) => path.replace(/^\.\//, ''))
  return { stages: chooseStages(values.only, values.quick, paths), paths, quick: values.quick }
}

function chooseStages(
  only: readonly string[] | undefined,
  quick: boolean,
  paths: readonly string[],
): StageName[] {
  const unknown = only?.find((name) => !stageNames.some((stage) => stage === name))
  if (unknown !== undefined)
    throw new UserError(`There is no stage ${unknown}. The stages are ${stageNames.join(', ')}.`)
  return stageNames.filter((stage) => {
    if (only) return only.includes(stage)
    if (quick) return stage === 'types' || stage === 'lint' || stage === 'unit'
    return paths.length === 0 || stage === 'unit' || stage === 'contract' || stage === 'browser'
  })
}
