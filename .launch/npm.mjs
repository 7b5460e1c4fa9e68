import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { runQuietly } from './child.mjs'
import { Stop } from './say.mjs'

/** npm's program: the one that started us, else the one beside the running Node, else the first on PATH. */
const findNpm = () => {
  const beside = dirname(process.execPath)
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm'))
  const candidates = [
    process.env.npm_execpath,
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...onPath,
  ]
  for (const candidate of candidates) {
    if (!candidate || !existsSync(candidate)) continue
    const program = realpathSync(candidate)
    if (program.endsWith('npm-cli.js')) return program
  }
  throw new Stop('npm was not found. It comes with Node.js; please install it and try again.')
}

const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']

/**
 * Runs `npm ci` in a folder under the Node that is given, whatever Node the system has: npm leaves out native
 * parts that ask for a newer Node than the one it runs under, and says nothing.
 * @param {string} folder
 * @param {{ node: string, flags?: string[] }} how
 * @throws Stop with what npm printed
 */
export const npmCi = async (folder, { node, flags = [] }) => {
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`
  const { status, output } = await runQuietly(
    node,
    [findNpm(), 'ci', `--prefix=${folder}`, ...flags, ...quiet],
    {
      cwd: folder,
      env: { ...process.env, PATH: path },
    },
  )
  if (status !== 0)
    throw new Stop(`npm could not install the packages (status ${status}). It said:\n${output}`)
}
