import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isWhole, newestBuild, noteBuild, removeOldBuilds, useBuild } from './built.mjs'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { inRoot, root } from './paths.mjs'
import { Stop, say } from './say.mjs'

/**
 * Something that is built: `program` makes it from `sources`, and writes to the folder that the variable `into` names.
 * Each build has a folder of its own in `built`, named after what it was made from: what runs from an older one finds
 * its files as they were.
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
 * Answers the folder that they are in, which stays for as long as this process lives.
 * @param {string} node the program that builds
 */
export const buildPages = (node) => build(pages, node)

/**
 * Builds the server's programs when a file they are made from has changed. Answers the folder that they are in, which
 * stays for as long as this process lives.
 * @param {string} node the program that builds
 */
export const buildServer = (node) => build(server, node)

/**
 * @param {Build} what
 * @param {string} node
 * @returns {Promise<string>}
 */
const build = async (what, node) => {
  const folder = inRoot(what.built)
  const whole = freshBuild(folder, nameOf(what))
  if (whole) return whole
  return withLock(what.name, async () => {
    const name = nameOf(what)
    const meanwhile = freshBuild(folder, name)
    if (meanwhile) return meanwhile
    say(`building the ${what.name}`)
    const fresh = join(folder, name)
    rmSync(fresh, { recursive: true, force: true })
    const { status, output } = await runQuietly(node, [what.program], {
      cwd: root,
      env: { ...process.env, [what.into]: fresh },
    })
    if (status !== 0) {
      rmSync(fresh, { recursive: true, force: true })
      throw new Stop(`The ${what.name} could not be built (status ${status}). The build said:\n${output}`)
    }
    useBuild(fresh)
    noteBuild(folder, name)
    removeOldBuilds(folder)
    return fresh
  })
}

/** @param {Build} what */
const nameOf = (what) => hashSources(what).slice(0, 16)

/**
 * The build of this name, which is the newest from now on; undefined: it has to be made.
 * @param {string} folder
 * @param {string} name
 */
const freshBuild = (folder, name) => {
  const build = join(folder, name)
  if (!isWhole(build)) return undefined
  useBuild(build)
  if (newestBuild(folder) !== build) noteBuild(folder, name)
  return build
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
