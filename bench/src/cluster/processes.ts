import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const isWithin = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`)

/**
 * Processes that work in a folder or, if it is `named`, were started with a setting that names it. The kernel tells neither
 * of a process that is ending, or of another user's.
 */
export function processesIn(folder: string, { named = false } = {}): number[] {
  const belongs = (pid: string): boolean => {
    try {
      if (isWithin(folder, readlinkSync(`/proc/${pid}/cwd`))) return true
      return named && readFileSync(`/proc/${pid}/environ`).includes(folder)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && belongs(name))
    .map(Number)
}

/** Kills them at once; one that ended meanwhile is none. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended meanwhile.
    }
}
