import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { inRoot } from './paths.mjs'
import { isCode, say } from './say.mjs'

const BEAT_MS = 1_000
const DEAD_AFTER_MS = 15_000

/**
 * Runs `work` while no other process of this project runs work under the same name.
 * The holder touches its lock file every second: one left by a killed process, even where its number has been
 * given to another one, is taken over.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
export const withLock = async (name, work) => {
  mkdirSync(inRoot('.runtime'), { recursive: true })
  const path = inRoot('.runtime', `${name}.lock`)
  await take(path, name)
  const beat = setInterval(() => utimesSync(path, new Date(), new Date()), BEAT_MS)
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    process.off('exit', release)
    release()
  }
}

/**
 * @param {string} path
 * @param {string} name
 */
const take = async (path, name) => {
  let told = false
  while (!create(path)) {
    const holder = readHolder(path)
    if (holder?.dead) remove(path, holder)
    else if (holder && !told) {
      told = true
      say(`waiting for process ${holder.pid}, which is busy with the ${name}`)
    }
    if (holder && !holder.dead) await wait(200)
  }
}

/** @param {string} path */
const create = (path) => {
  try {
    const file = openSync(path, 'wx')
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * The process that holds the lock; undefined when it has just let go.
 * @param {string} path
 */
const readHolder = (path) => {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    const silentMs = Date.now() - statSync(path).mtimeMs
    return { pid, dead: silentMs > DEAD_AFTER_MS || (pid > 0 && !isRunning(pid)) }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * Is there a process of this number, ours or somebody else's?
 * @param {number} pid
 */
export const isRunning = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

/**
 * Moves the dead holder's file away, and back when another process has taken the lock in between.
 * @param {string} path
 * @param {{ pid: number }} holder
 */
const remove = (path, holder) => {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  if (Number(readFileSync(aside, 'utf8')) === holder.pid) rmSync(aside, { force: true })
  else renameSync(aside, path)
}
