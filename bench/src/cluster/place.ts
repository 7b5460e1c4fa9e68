import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fromRoot } from '../../../tools/script.mjs'
import type { User } from '../../../tools/test/private-postgres.ts'

/** A folder for all that a cluster writes. Use with `await using`. */
export type Place = AsyncDisposable & {
  folder: string
  /** Makes a folder in it that servers may write to. */
  own(name: string): string
  /** Writes a file that only servers may read, in a folder that `own` made. @returns its path */
  write(name: string, text: string): string
  /** A server that runs in the foreground, in the folder `name` that `own` made; it is not started yet. */
  daemon(name: string, command: string, args: readonly string[], env?: Record<string, string>): Daemon
}

/** A server of others. */
export type Daemon = {
  readonly name: string
  readonly pid: number
  /** Starts it, and waits until it answers. @throws Error with the end of its log */
  start(answers: () => Promise<boolean>): Promise<void>
  /** Ends it and waits until it is gone. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<void>
}

const START_MS = 120_000
const LOG_END = 2_000

/**
 * Opens one. What is left at the end, also when this process is killed, a process apart kills and removes (`guard.ts`).
 * Temporary files of this process lie in it from now on.
 * @param user whom servers run as
 */
export function openPlace(user: User): Place {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-cluster-'))
  chmodSync(folder, 0o711)
  const elsewhere = { ...process.env }
  process.env.TMPDIR = folder
  const guard = spawn(process.execPath, [fromRoot('bench/src/cluster/guard.ts'), folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: elsewhere,
    detached: true, // a terminal's Ctrl-C is not for it
  })
  const give = (path: string): string => {
    if ('uid' in user) chownSync(path, user.uid, user.gid)
    return path
  }
  return {
    folder,
    own: (name) => {
      mkdirSync(join(folder, name), { mode: 0o700 })
      return give(join(folder, name))
    },
    write: (name, text) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 })
      return give(join(folder, name))
    },
    daemon: (name, command, args, env = {}) =>
      makeDaemon({ name, command, args, env, user, cwd: join(folder, name) }),
    [Symbol.asyncDispose]: async () => {
      const gone = once(guard, 'exit')
      guard.stdin.end()
      if (guard.exitCode === null) await gone
    },
  }
}

type Asked = {
  name: string
  command: string
  args: readonly string[]
  env: Record<string, string>
  user: User
  cwd: string
}

function makeDaemon({ name, command, args, env, user, cwd }: Asked): Daemon {
  const log = join(cwd, 'log')
  let child: ChildProcess | undefined
  const isGone = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null
  return {
    name,
    get pid() {
      return child?.pid ?? 0
    },
    start: async (answers) => {
      const out = openSync(log, 'a')
      child = spawn(command, args, {
        ...{ cwd, ...user, detached: true, stdio: ['ignore', out, out] },
        env: { PATH: process.env.PATH ?? '', HOME: cwd, LC_ALL: 'C.UTF-8', ...env },
      })
      closeSync(out)
      await once(child, 'spawn')
      const late = performance.now() + START_MS
      while (!(await answers().catch(() => false))) {
        if (isGone() || performance.now() > late)
          throw new Error(`${name} did not start. It said:\n${readFileSync(log, 'utf8').slice(-LOG_END)}`)
        await wait(100)
      }
    },
    end: async (signal) => {
      if (child === undefined || isGone()) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}
