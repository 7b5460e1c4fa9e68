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
import { isRunning } from './lock.mjs'
import { isCode } from './say.mjs'

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
 * @param {string} folder
 */
export const newestBuild = (folder) => {
  const note = join(folder, NEWEST)
  return existsSync(note) ? join(folder, readFileSync(note, 'utf8')) : undefined
}

/** @param {string} build its folder */
export const isWhole = (build) => existsSync(join(build, WHOLE))

/**
 * Notes that a build is whole and the newest, for whoever looks from now on.
 * @param {string} folder
 * @param {string} name
 */
export const noteBuild = (folder, name) => {
  writeFileSync(join(folder, name, WHOLE), '')
  const draft = join(folder, `${NEWEST}.${process.pid}`)
  writeFileSync(draft, name)
  renameSync(draft, join(folder, NEWEST))
}

/**
 * Keeps a build in its place for as long as this process lives, in which or for which a program runs from it.
 * @param {string} build its folder
 */
export const useBuild = (build) => {
  try {
    mkdirSync(join(build, USERS), { recursive: true })
    writeFileSync(join(build, USERS, String(process.pid)), '')
  } catch (error) {
    // Where nothing can be written nothing is built or removed either.
    if (!isCode(error, 'EROFS') && !isCode(error, 'EACCES')) throw error
  }
}

/**
 * Removes the builds that nobody runs from, but for the newest few, and what killed builders left. For who holds the
 * builders' lock.
 * @param {string} folder
 */
export const removeOldBuilds = (folder) => {
  const all = readdirSync(folder)
    .filter((name) => BUILD.test(name))
    .map((name) => join(folder, name))
  for (const build of all) if (!isWhole(build)) rmSync(build, { recursive: true, force: true })
  const builds = all
    .filter(isWhole)
    .sort((a, b) => statSync(join(b, WHOLE)).mtimeMs - statSync(join(a, WHOLE)).mtimeMs)
  for (const build of builds.slice(KEPT)) if (!isUsed(build)) rmSync(build, { recursive: true, force: true })
}

/** @param {string} build */
const isUsed = (build) => {
  const users = join(build, USERS)
  return existsSync(users) && readdirSync(users).some((pid) => isRunning(Number(pid)))
}
