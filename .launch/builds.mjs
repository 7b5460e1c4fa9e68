import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { inRoot, root } from './paths.mjs'
import { Stop, say } from './say.mjs'

/**
 * Something that is built: `program` makes the folder `built` from `sources`, and writes to the folder that the
 * variable `into` names.
 * @typedef {{ name: string, program: string, built: string, into: string, sources: string[] }} Build
 */

const shared = ['domain', 'provenance', 'contract/abi.ts', 'package-lock.json', 'tsconfig.base.json']

/** @type {Build} */
const pages = {
  name: 'pages',
  program: 'web/build.ts',
  built: 'web/dist',
  into: 'WEB_DIST',
  sources: ['web', ...shared],
}

/** @type {Build} */
const server = {
  name: 'server',
  program: 'server/build.ts',
  built: 'server/dist',
  into: 'SERVER_DIST',
  sources: ['server/src', 'server/build.ts', 'server/package.json', ...shared],
}

/**
 * Builds the pages, for the browser and for rendering on the server, when a file they are made from has changed.
 * @param {string} node the program that builds
 */
export const buildPages = (node) => build(pages, node)

/**
 * Builds the server's programs when a file they are made from has changed.
 * @param {string} node the program that builds
 */
export const buildServer = (node) => build(server, node)

/**
 * What is new is built beside the old and then put in its place, so that nobody meets half a build.
 * @param {Build} what
 * @param {string} node
 */
const build = async (what, node) => {
  if (isFresh(what, hashSources(what))) return
  await withLock(what.name, async () => {
    const wanted = hashSources(what)
    if (isFresh(what, wanted)) return
    say(`building the ${what.name}`)
    const fresh = inRoot('.runtime', `build-${what.name}-${process.pid}`)
    rmSync(fresh, { recursive: true, force: true })
    const { status, output } = await runQuietly(node, [what.program], {
      cwd: root,
      env: { ...process.env, [what.into]: fresh },
    })
    if (status !== 0)
      throw new Stop(`The ${what.name} could not be built (status ${status}). The build said:\n${output}`)
    writeFileSync(`${fresh}/.built`, wanted)
    replace(inRoot(what.built), fresh)
  })
}

/**
 * @param {Build} what
 * @param {string} wanted
 */
const isFresh = ({ built }, wanted) => {
  const note = inRoot(built, '.built')
  return existsSync(note) && readFileSync(note, 'utf8') === wanted
}

/**
 * @param {string} built
 * @param {string} fresh
 */
const replace = (built, fresh) => {
  const old = `${fresh}-old`
  mkdirSync(dirname(built), { recursive: true })
  if (existsSync(built)) renameSync(built, old)
  renameSync(fresh, built)
  rmSync(old, { recursive: true, force: true })
}

/** @param {Build} what */
const hashSources = ({ sources }) => {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesOf).sort())
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file))
  return hash.digest('hex')
}

const ignored = new Set(['node_modules', 'dist'])

/**
 * All files in a folder of the project, or the one file.
 * @param {string} path
 */
const filesOf = (path) => {
  const whole = inRoot(path)
  if (!existsSync(whole)) return []
  /** @type {string[]} */
  const files = []
  const enter = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !ignored.has(entry.name)) enter(`${folder}/${entry.name}`)
      else if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) files.push(`${folder}/${entry.name}`)
    }
  }
  if (/\.\w+$/.test(path)) files.push(whole)
  else enter(whole)
  return files
}
