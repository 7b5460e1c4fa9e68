import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { withLock } from './lock.mjs'
import { npmCi } from './npm.mjs'
import { inRoot, root } from './paths.mjs'
import { isCode, say } from './say.mjs'

const stampFile = inRoot('node_modules', '.installed')

/**
 * Makes `node_modules` what the lock file says. Does nothing when it already is.
 * @param {string} node the program that npm runs under
 */
export const install = async (node) => {
  if (isInstalled()) return
  await withLock('install', async () => {
    if (isInstalled()) return
    say('installing packages, about a minute')
    await npmCi(root, { node, flags: ['--include=dev'] })
    stampInstall()
  })
}

/** Notes that the packages are those of the present lock file, installed under the pinned Node. */
export const stampInstall = () => writeFileSync(stampFile, fingerprint())

/** Forgets that note, so that the next start installs. */
export const forgetInstall = () => rmSync(stampFile, { force: true })

const isInstalled = () => {
  try {
    return readFileSync(stampFile, 'utf8') === fingerprint()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

const deciding = ['workspaces', 'dependencies', 'devDependencies', 'optionalDependencies', 'overrides']

const fingerprint = () => {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', '.launch/pins.mjs']) hash.update(readFileSync(inRoot(file)))
  const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  for (const folder of ['.', ...manifest.workspaces]) {
    const parts = JSON.parse(readFileSync(inRoot(folder, 'package.json'), 'utf8'))
    hash.update(JSON.stringify(deciding.map((name) => parts[name])))
  }
  return hash.digest('hex')
}
