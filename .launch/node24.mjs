import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.mjs'
import { npmCi } from './npm.mjs'
import { inRoot } from './paths.mjs'
import { pinned } from './pins.mjs'
import { isCode, Stop, say } from './say.mjs'

/** @typedef {import('./pins.mjs').Pin} Pin */

/**
 * The Node that everything of ours runs under, as a path to its program. Comes from the npm registry, as the one
 * package that holds the program and runs no script, checked against the hash in pins.mjs.
 * @throws Stop when it can be had neither there nor from the system.
 */
export const node24 = async () => {
  const pin = pinned[`${process.platform}-${process.arch}`]
  if (!pin) return systemNode()
  const program = inRoot('.runtime', 'node_modules', pin.name, ...pin.program)
  if (isThere(pin)) return program
  await withLock('runtime', async () => {
    if (!isThere(pin)) await fetchNode(pin)
  })
  return program
}

/**
 * The rename that puts the folder here comes last, so a manifest of the right version means a whole package.
 * @param {Pin} pin
 */
const isThere = (pin) => {
  try {
    const manifest = readFileSync(inRoot('.runtime', 'node_modules', pin.name, 'package.json'), 'utf8')
    return JSON.parse(manifest).version === pin.version
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

/** @param {Pin} pin */
const fetchNode = async (pin) => {
  say(`fetching Node ${pin.version} from the npm registry`)
  for (const left of readdirSync(inRoot('.runtime')))
    if (left.startsWith('fetch-')) rmSync(inRoot('.runtime', left), { recursive: true, force: true })
  const folder = inRoot('.runtime', `fetch-${process.pid}`)
  writeManifests(folder, pin)
  await npmCi(folder, { node: process.execPath, flags: ['--ignore-scripts'] })
  await tryOut(pin, folder)
  const target = inRoot('.runtime', 'node_modules', pin.name)
  mkdirSync(dirname(target), { recursive: true })
  rmSync(target, { recursive: true, force: true })
  renameSync(`${folder}/node_modules/${pin.name}`, target)
  rmSync(folder, { recursive: true, force: true })
}

/**
 * A lock file of one entry makes npm refuse a package whose bytes are not the ones we pinned.
 * @param {string} folder
 * @param {Pin} pin
 */
const writeManifests = (folder, { name, version, integrity }) => {
  const manifest = { name: 'runtime', version: '0.0.0', private: true, dependencies: { [name]: version } }
  const lock = {
    name: 'runtime',
    version: '0.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, [`node_modules/${name}`]: { version, integrity } },
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, JSON.stringify(manifest))
  writeFileSync(`${folder}/package-lock.json`, JSON.stringify(lock))
}

/**
 * @param {Pin} pin
 * @param {string} folder
 */
const tryOut = async (pin, folder) => {
  const program = [folder, 'node_modules', pin.name, ...pin.program].join('/')
  const tried = await runQuietly(program, ['--version']).catch((error) => ({
    status: 1,
    output: error.message,
  }))
  if (tried.status !== 0)
    throw new Stop(`Node ${pin.version} was fetched but does not run on this system: ${tried.output.trim()}`)
}

const systemNode = () => {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new Stop(
    `The npm registry has no Node 24 for ${process.platform} on ${process.arch}, and this is Node ` +
      `${process.versions.node}. Please install Node 24 or newer and try again.`,
  )
}
