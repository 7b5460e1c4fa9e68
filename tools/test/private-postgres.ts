import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { findPostgresPrograms } from './postgres-programs.ts'

/** A private PostgreSQL server for tests, on 127.0.0.1; its data is removed when it stops. */
export type PrivatePostgres = {
  url: string
  stop: () => Promise<void>
  /** Kills it, as a power cut would; connections are refused until `restart`. */
  crash: () => Promise<void>
  restart: () => Promise<void>
  /** Stops every process of it where it is, as a machine that hangs: connections stay open, nothing is answered. */
  freeze: () => void
  thaw: () => void
}

/** No durability, for speed: test databases are discarded. */
const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=200']

/**
 * Starts one that sorts text as a language does, as most databases in service do (`a` before `B`), under an unprivileged
 * user: PostgreSQL refuses to run as root. With `crashes` commits are durable, so that it can be killed; with `standbyOf`,
 * the address of another one, it follows that until it is promoted. `parameters` are of its own, as `name=value`; `heard`
 * is told what it logs from when it is ready.
 * @returns `why`, a sentence, when it is not available
 */
export async function startPostgres({
  crashes = false,
  standbyOf,
  parameters = [],
  heard,
}: {
  crashes?: boolean
  standbyOf?: string
  parameters?: readonly string[]
  heard?: (text: string) => void
} = {}): Promise<PrivatePostgres | { why: string }> {
  const programs = await findPostgresPrograms()
  if ('why' in programs) return programs
  const user = unprivilegedUser()
  if ('why' in user) return user
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-postgres-'))
  if ('uid' in user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C'
  const make = [
    ...['-D', data, '-U', 'befaqt', '-A', 'trust', '-E', 'UTF8', '--no-sync', `--locale=${locale}`],
    ...['--locale-provider=icu', '--icu-locale=en-US'],
  ]
  const [program, given] =
    standbyOf === undefined
      ? ['initdb', make]
      : ['pg_basebackup', ['-D', data, '-d', standbyOf, '-R', '-c', 'fast', '--no-sync']]
  const made = spawnSync(join(programs.folder, program), given, { ...user, encoding: 'utf8', cwd: folder })
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return { why: `${program} could not make a database: ${made.error?.message ?? made.stderr}` }
  }
  const port = await freePort()
  const listen = ['-D', data, '-p', `${port}`, '-k', folder, '-h', '127.0.0.1']
  const commits = crashes ? 'on' : 'off'
  const tuned = [...settings, `synchronous_commit=${commits}`, ...parameters].flatMap((setting) => [
    '-c',
    setting,
  ])
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(join(programs.folder, 'postgres'), [...listen, ...tuned], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await ready(server, heard)
    return server
  }
  let server = await start()
  return {
    url: `postgres://befaqt@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await end(server, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
    crash: () => end(server, 'SIGQUIT'),
    restart: async () => {
      server = await start()
    },
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
  }
}

/** The server first, so that it starts no further process meanwhile. */
function signalAll({ pid }: ChildProcess, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === undefined) return
  process.kill(pid, signal)
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  for (const line of stdout.split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number)
    if (parent === pid && child !== undefined) signalIfThere(child, signal)
  }
}

/** One that served a connection may have ended since it was listed. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Whom servers run as that refuse to run as root; empty unless we are root: then they run as the current user. */
export type User = { uid: number; gid: number } | Record<never, never>

export function unprivilegedUser(): User | { why: string } {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  return { why: 'PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody.' }
}

/** Waits until the server reports that it accepts connections. */
async function ready(server: ChildProcess, heard?: (text: string) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let said = ''
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (/ready to accept (?:read-only )?connections/.test(said)) resolve()
  })
  server.once('error', reject)
  server.once('exit', () => reject(new Error(`PostgreSQL ended instead of starting. It said:\n${said}`)))
  await promise
  server.removeAllListeners('exit')
  server.stderr?.removeAllListeners('data').resume()
  if (heard) server.stderr?.on('data', heard)
}

/** SIGINT is a fast shutdown, which closes open connections; SIGQUIT an immediate one, without a checkpoint. */
async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  server.once('exit', () => resolve())
  server.kill(signal)
  await promise
}
