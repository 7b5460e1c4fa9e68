import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { inRoot, root } from './paths.mjs'
import { Stop, say } from './say.mjs'

const built = inRoot('web', 'dist')
const sources = ['web', 'domain', 'provenance', 'contract/abi.ts', 'package-lock.json', 'tsconfig.base.json']

/**
 * Builds the pages, for the browser and for rendering on the server, when a file they are made from has changed.
 * They are built beside the old ones and then put in their place, so that nobody meets half a build.
 * @param {string} node the program that builds
 */
export const buildPages = async (node) => {
  if (isFresh(hashSources())) return
  await withLock('build', async () => {
    const wanted = hashSources()
    if (isFresh(wanted)) return
    say('building the pages')
    const fresh = inRoot('.runtime', `build-${process.pid}`)
    rmSync(fresh, { recursive: true, force: true })
    const { status, output } = await runQuietly(node, ['web/build.ts'], {
      cwd: root,
      env: { ...process.env, WEB_DIST: fresh },
    })
    if (status !== 0)
      throw new Stop(`The pages could not be built (status ${status}). The build said:\n${output}`)
    writeFileSync(`${fresh}/.built`, wanted)
    replace(fresh)
  })
}

/** @param {string} wanted */
const isFresh = (wanted) =>
  existsSync(`${built}/.built`) && readFileSync(`${built}/.built`, 'utf8') === wanted

/** @param {string} fresh */
const replace = (fresh) => {
  const old = inRoot('.runtime', `old-build-${process.pid}`)
  mkdirSync(dirname(built), { recursive: true })
  if (existsSync(built)) renameSync(built, old)
  renameSync(fresh, built)
  rmSync(old, { recursive: true, force: true })
}

const hashSources = () => {
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
