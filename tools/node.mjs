import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { runQuietly } from './child.mjs'
import { fromRoot, isCode, log, UserError } from './script.mjs'

/** @typedef {{ name: string, version: string }} Package a package of the npm registry that holds Node's program */

/** Installation folder. */
const modules = fromRoot('.runtime', 'node_modules')
/** Path of the program in a package. */
const PROGRAM = join('bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * Path of the pinned Node. npm installs it from `node/`, whose lock file has the hash of each platform's package; the
 * registry has no recent one for macOS on ARM, where the system's Node is used.
 * @throws UserError when neither is available
 */
export const pinnedNode = async () => {
  const wanted = packageOfPlatform()
  if (!wanted) return systemNode()
  if (!isInstalled(wanted)) await install(wanted)
  return join(modules, wanted.name, PROGRAM)
}

/** @returns {Package | undefined} */
const packageOfPlatform = () => {
  const { optionalDependencies } = JSON.parse(readFileSync(fromRoot('tools', 'node', 'package.json'), 'utf8'))
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const version = optionalDependencies[name]
  return version && { name, version }
}

/**
 * The folder is renamed to its final name last, so a manifest of the right version means a complete package.
 * @param {Package} wanted
 */
const isInstalled = ({ name, version }) => {
  try {
    return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version === version
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

/**
 * Two concurrent processes both download it; the second one discards its copy.
 * @param {Package} wanted
 */
const install = async (wanted) => {
  log(`fetching Node ${wanted.version} from the npm registry`)
  const folder = fromRoot('.runtime', `fetch-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(fromRoot('tools', 'node', file), join(folder, file))
    await npmCi(folder, { node: process.execPath, flags: ['--ignore-scripts'] })
    const fetched = join(folder, 'node_modules', wanted.name)
    await smokeTest(wanted, join(fetched, PROGRAM))
    mkdirSync(modules, { recursive: true })
    rmSync(join(modules, wanted.name), { recursive: true, force: true })
    renameSync(fetched, join(modules, wanted.name))
  } catch (error) {
    if (!(isCode(error, 'ENOTEMPTY') || isCode(error, 'EEXIST')) || !isInstalled(wanted)) throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {Package} wanted
 * @param {string} program
 */
const smokeTest = async ({ version }, program) => {
  const { status, output } = await runQuietly(program, ['--version']).catch((error) => ({
    status: 1,
    output: error.message,
  }))
  if (status !== 0)
    throw new UserError(`Node ${version} was fetched but does not run on this system: ${output.trim()}`)
}

const systemNode = () => {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new UserError(
    `The npm registry has no Node 24 for ${process.platform} on ${process.arch}, and this is Node ` +
      `${process.versions.node}. Please install Node 24 or newer and try again.`,
  )
}

/** npm's program: the one that started us, else the one beside the running Node, else the first on PATH. */
const findNpm = () => {
  const beside = dirname(process.execPath)
  const candidates = [
    process.env.npm_execpath,
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm')),
  ]
  for (const candidate of candidates) {
    if (!candidate || !existsSync(candidate)) continue
    const program = realpathSync(candidate)
    if (program.endsWith('npm-cli.js')) return program
  }
  throw new UserError('npm was not found. It comes with Node.js; please install it and try again.')
}

const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']

/**
 * Runs `npm ci` in a folder under the given Node: npm silently leaves out native packages that need a newer Node than
 * the one it runs under.
 * @param {string} folder
 * @param {{ node: string, flags?: string[] }} how
 * @throws UserError with npm's output
 */
export const npmCi = async (folder, { node, flags = [] }) => {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` }
  const args = [findNpm(), 'ci', `--prefix=${folder}`, ...flags, ...quiet]
  const { status, output } = await runQuietly(node, args, { cwd: folder, env })
  if (status !== 0)
    throw new UserError(`npm could not install the packages (status ${status}). It said:\n${output}`)
}
