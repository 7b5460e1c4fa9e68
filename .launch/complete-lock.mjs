import { readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from './paths.mjs'

/** @typedef {{ version: string, dev?: true, license?: string, optionalDependencies?: Record<string, string> }} Locked */

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'wasm32']

/**
 * Adds to the lock file the native parts for other platforms that npm left out of it, which it does when the
 * registry it asked does not serve them: `npm ci` refuses such a lock file everywhere. They are of the exact version
 * that their parent names, without a hash.
 */
export const completeLock = () => {
  const path = inRoot('package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  /** @type {Record<string, Locked & Record<string, unknown>>} */
  const packages = lock.packages
  const missing = Object.entries(packages).flatMap(([folder, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(([name]) => !isReachable(packages, folder, name))
      .map(([name, version]) => ({ name, version, parent })),
  )
  if (missing.length === 0) return
  for (const { name, version, parent } of missing)
    packages[`node_modules/${name}`] = entryOf(name, version, parent)
  lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
}

/**
 * Whether a package in `folder` finds `name`, as Node looks for it: beside itself, then further up.
 * @param {Record<string, unknown>} packages
 * @param {string} folder
 * @param {string} name
 */
const isReachable = (packages, folder, name) => {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (`${at === '' ? '' : `${at}/`}node_modules/${name}` in packages) return true
    if (at === '') return false
  }
}

/**
 * A lock file's entry for a native part, its fields in npm's order. The platform is read off the name:
 * `@scope/part-linux-x64-gnu`.
 * @param {string} name
 * @param {string} version
 * @param {Locked} parent
 */
const entryOf = (name, version, { dev, license }) => {
  const os = systems.filter((system) => name.includes(system))
  return {
    version,
    cpu: processors.filter((processor) => name.includes(`-${processor}`)).slice(0, 1),
    ...(dev ? { dev } : {}),
    ...(os[0] === 'linux' ? { libc: [name.includes('musl') ? 'musl' : 'glibc'] } : {}),
    ...(license ? { license } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  }
}
