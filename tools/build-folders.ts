import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isCode } from './script.mjs'

/** Says that a build is whole; nothing is run from a folder without it. */
const WHOLE = '.built'
/** Beside the builds: the name of the newest one. */
const NEWEST = 'newest'
/** In a build: a file for each process that runs from it, or for its launcher. */
const USERS = '.users'
/** So many builds stay although nobody is known to run from them: a program may have been started by hand. */
const KEPT = 3

/** Name of a build: the beginning of its sources' hash. */
const BUILD = /^[0-9a-f]{16}$/

/**
 * The newest whole build in `folder`; undefined: there is none.
 */
export function newestBuild(folder: string): string | undefined {
  const note = join(folder, NEWEST)
  return existsSync(note) ? join(folder, readFileSync(note, 'utf8')) : undefined
}

/** @param build its folder */
export const isWhole = (build: string): boolean => existsSync(join(build, WHOLE))

/**
 * Notes that a build is whole and the newest, for whoever looks from now on.
 */
export function noteBuild(folder: string, name: string): void {
  writeFileSync(join(folder, name, WHOLE), '')
  const draft = join(folder, `${NEWEST}.${process.pid}`)
  writeFileSync(draft, name)
  renameSync(draft, join(folder, NEWEST))
}

/**
 * Keeps a build in its place for as long as the process `user` lives, in which or for which a program runs from it.
 */
export function useBuild(build: string, user: number): void {
  try {
    mkdirSync(join(build, USERS), { recursive: true })
    writeFileSync(join(build, USERS, String(user)), '')
  } catch (error) {
    // Where nothing can be written nothing is built or removed either.
    if (!isCode(error, 'EROFS') && !isCode(error, 'EACCES')) throw error
  }
}

/**
 * Removes the builds that nobody runs from, but for the newest few, and what killed builders left. For who holds the
 * builders' lock.
 */
export function removeOldBuilds(folder: string): void {
  const all = readdirSync(folder)
    .filter((name) => BUILD.test(name))
    .map((name) => join(folder, name))
  for (const build of all) if (!isWhole(build)) rmSync(build, { recursive: true, force: true })
  const builds = all
    .filter(isWhole)
    .sort((a, b) => statSync(join(b, WHOLE)).mtimeMs - statSync(join(a, WHOLE)).mtimeMs)
  for (const build of builds.slice(KEPT)) if (!isUsed(build)) rmSync(build, { recursive: true, force: true })
}

function isUsed(build: string): boolean {
  const users = join(build, USERS)
  return existsSync(users) && readdirSync(users).some((pid) => isRunning(Number(pid)))
}

/** Is there a process of this number, ours or somebody else's? */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}
