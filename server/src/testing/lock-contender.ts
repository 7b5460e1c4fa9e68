import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLock } from '#server/db/directory-lock.ts'

/**
 * A process of `lock-race.ts`. Told folders and an instant, it tries to take all of the folders at that instant, one
 * after the other, and tells for each whether it holds it; told nothing, it gives all of them back.
 */
let held: (() => Promise<void>)[] = []

process.on('message', (message: { folders: string[]; at: number } | 'release') => {
  void (message === 'release' ? release() : take(message.folders, message.at))
})

async function take(folders: readonly string[], at: number): Promise<void> {
  await sleep(Math.max(0, at - Date.now() - 20))
  const results: Promise<boolean>[] = []
  for (const [i, folder] of folders.entries()) {
    while (Date.now() < at + i * 2) {} // all processes begin each folder in the same millisecond
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
