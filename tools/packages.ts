import { readFileSync } from 'node:fs'
import { withLock } from './lock.ts'
import { npmCi } from './node.mjs'
import { fromRoot, isCode, log, root } from './script.mjs'

/** Makes `node_modules` what the lock file says. Does nothing when it already is. */
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

/** npm notes what it has put into `node_modules` once all of it is there, in the format of its lock file. */
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

/** Optional packages are native parts for one platform, or what those for another one need. */
const isForHere = ({ optional, os, cpu, libc }: Package): boolean =>
  !optional ||
  ((os ?? cpu) !== undefined &&
    isAmong(os, process.platform) &&
    isAmong(cpu, process.arch) &&
    isAmong(libc, LIBC))

/** npm's own test of which C library a Linux has. */
const LIBC = process.platform === 'linux' && hasGlibc(process.report.getReport()) ? 'glibc' : 'musl'

function hasGlibc(report: object): boolean {
  return 'header' in report && 'glibcVersionRuntime' in Object(report.header)
}

/** Does a package's list of platforms, where it has one, hold this one? */
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
