import { readFileSync } from 'node:fs'
import { withLock } from './lock.ts'
import { npmCi } from './node.mjs'
import { fromRoot, isCode, log, root } from './script.mjs'

/** Installs `node_modules` from the lock file, unless it is up to date. */
export async function installPackages(): Promise<void> {
  if (areInstalled()) return
  await withLock('packages', async () => {
    if (areInstalled()) return
    log('installing packages, about a minute')
    await npmCi(root, { node: process.execPath, flags: ['--include=dev'] })
  })
}

type Package = {
  version?: string
  integrity?: string
  optional?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
}

/** npm writes a list of installed packages when all are installed, in the format of its lock file. */
function areInstalled(): boolean {
  const [wanted, found] = [readLock('package-lock.json'), readLock('node_modules', '.package-lock.json')]
  if (wanted === undefined || found === undefined) return false
  const expected = Object.entries(wanted).filter(
    ([path, part]) => path !== '' && (path in found || isForHere(part)),
  )
  return (
    expected.every(([path, part]) => isSame(part, found[path])) &&
    Object.keys(found).every((path) => path in wanted)
  )
}

const isSame = (wanted: Package, found: Package | undefined): boolean =>
  wanted.version === found?.version && wanted.integrity === found?.integrity

/** Optional packages are native ones for a platform, or dependencies of those. */
const isForHere = ({ optional, os, cpu, libc }: Package): boolean =>
  !optional ||
  ((os ?? cpu) !== undefined &&
    isAmong(os, process.platform) &&
    isAmong(cpu, process.arch) &&
    isAmong(libc, LIBC))

/** Detects the C library as npm does. */
const LIBC = process.platform === 'linux' && hasGlibc(process.report.getReport()) ? 'glibc' : 'musl'

function hasGlibc(report: object): boolean {
  return 'header' in report && 'glibcVersionRuntime' in Object(report.header)
}

/** Does a package's list of platforms, if any, include this one? */
function isAmong(list: string | string[] | undefined, value: string): boolean {
  const names = list === undefined ? [] : [list].flat()
  const refused = names.filter((name) => name.startsWith('!'))
  return names.length === refused.length ? !refused.includes(`!${value}`) : names.includes(value)
}

function readLock(...path: string[]): Record<string, Package> | undefined {
  try {
    return JSON.parse(readFileSync(fromRoot(...path), 'utf8')).packages
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}
