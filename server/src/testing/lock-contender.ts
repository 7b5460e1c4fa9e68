import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLock } from '#server/db/directory-lock.ts'

/**
 * A process of `lock-race.ts`. Given folders and a time, it tries to lock the folders at that time, one after the other,
 * and reports for each whether it succeeded; given nothing, it releases all of them.
 */
let held: (() => Promise<void>)[] = []

process.on('message', (message: { folders: string[]; at: number } | 'release') => {
  void (message === 'release' ? release() : take(message.folders, message.at))
})

async function take(folders: readonly string[], at: number): Promise<void> {
  await sleep(Math.max(0, at - Date.now() - 20))
  const results: Promise<boolean>[] = []
  for (const [i, folder] of folders.entries()) {
    while (Date.now() < at + i * 2) {} // all processes try each folder in the same millisecond
    results.push(holds(folder))
  }
  process.send?.(await Promise.all(results))
}

async function holds(folder: string): Promise<boolean> {
  try {
    held.push(await acquireLock(folder))
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('in use by another process')) return false
    throw error
  }
}

async function release(): Promise<void> {
  for (const unlock of held) await unlock()
  held = []
  process.send?.([])
}
