import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const contender = fileURLToPath(new URL('./lock-contender.ts', import.meta.url))
/** Folders per killed process, so that not every round waits for a process to start. */
const FOLDERS = 50

/**
 * Races `processes` processes for folders whose holder was killed, `rounds` times.
 * @returns how many processes acquired the lock in each round: all 1 if it is exclusive
 */
export async function raceForLocks(processes: number, rounds: number): Promise<number[]> {
  const root = await mkdtemp(join(tmpdir(), 'befaqt-locks-'))
  const racers = Array.from({ length: processes }, () => fork(contender))
  const holders: number[] = []
  try {
    for (let first = 0; first < rounds; first += FOLDERS) {
      const names = Array.from({ length: Math.min(FOLDERS, rounds - first) }, (_, i) => `${first + i}`)
      const folders = names.map((name) => join(root, name))
      await Promise.all(folders.map((folder) => mkdir(folder)))
      await leaveKilled(folders)
      const at = Date.now() + 100
      const held = await Promise.all(racers.map((racer) => tell(racer, { folders, at })))
      holders.push(...folders.map((_, i) => held.filter((results) => results[i]).length))
      await Promise.all(racers.map((racer) => tell(racer, 'release')))
    }
    return holders
  } finally {
    for (const racer of racers) racer.disconnect()
    await rm(root, { recursive: true, force: true })
  }
}

/** Starts a process that locks the folders, and kills it. */
async function leaveKilled(folders: readonly string[]): Promise<void> {
  const holder = fork(contender)
  const held = await tell(holder, { folders, at: 0 })
  if (!held.every(Boolean)) throw new Error('a new folder could not be taken')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
}

async function tell(process: ChildProcess, message: object | string): Promise<boolean[]> {
  const answered = once(process, 'message')
  process.send(message)
  const [results] = await answered
  return results
}
