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

/** Marks a complete build; nothing is run from a folder without it. */
const WHOLE = '.built'
/** A file beside the builds with the name of the newest one. */
const NEWEST = 'newest'
/** Folder in a build with a file for each process that runs from it, or for its launcher. */
const USERS = '.users'
/** Number of newest builds that are never removed: a program may have been started from them by hand. */
const KEPT = 3

/** Name of a build: a prefix of its sources' hash. */
const BUILD = /^[0-9a-f]{16}$/

/**
 * The newest complete build in `folder`; undefined: there is none.
 */
export function newestBuild(folder: string): string | undefined {
  const note = join(folder, NEWEST)
  return existsSync(note) ? join(folder, readFileSync(note, 'utf8')) : undefined
}

/** @param build its folder */
export const isWhole = (build: string): boolean => existsSync(join(build, WHOLE))

/**
 * Marks a build as complete and the newest.
 */
export function noteBuild(folder: string, name: string): void {
  writeFileSync(join(folder, name, WHOLE), '')
  const draft = join(folder, `${NEWEST}.${process.pid}`)
  writeFileSync(draft, name)
  renameSync(draft, join(folder, NEWEST))
}

/**
 * Protects a build from removal while the process `user`, which runs from it or launched a program from it, lives.
 */
export function useBuild(build: string, user: number): void {
  try {
    mkdirSync(join(build, USERS), { recursive: true })
    writeFileSync(join(build, USERS, String(user)), '')
  } catch (error) {
    // In a read-only folder nothing is built or removed either.
    if (!isCode(error, 'EROFS') && !isCode(error, 'EACCES')) throw error
  }
}

/**
 * Removes unused builds except the newest few, and leftovers of killed builders. The caller must hold the build lock.
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

/** Is there a process with this id, of any user? */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}
