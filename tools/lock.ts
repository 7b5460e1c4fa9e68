import { mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { fromRoot, log } from './script.mjs'

/** SQLite's result code for a file that another process has locked. Source: sqlite.org/rescode.html. */
const BUSY = 5

/**
 * Runs `work` while no other process of this project runs work under the same name. As for the data folder, it is a
 * kernel lock by way of SQLite, which ends with its process, even after a crash: docs/decisions/0004.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(fromRoot('.runtime'), { recursive: true })
  const file = new DatabaseSync(fromRoot('.runtime', `${name}.lock.db`), { timeout: 0 })
  try {
    for (let waits = 0; !tryLock(file); waits += 1) {
      if (waits === 1) log(`waiting for another process, which holds the lock of the ${name}`)
      await wait(200 + Math.random() * 100)
    }
    return await work()
  } finally {
    file.close()
  }
}

/**
 * The transaction stays open, and so locked, until the file is closed. In SQLite's locking mode "exclusive" a try that
 * fails would keep its shared lock, and two that try at the same moment would keep each other out for ever.
 */
function tryLock(file: DatabaseSync): boolean {
  try {
    file.exec('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return false
    throw error
  }
}
