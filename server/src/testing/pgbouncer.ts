import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../tools/test/free-port.ts'

/** Path of PgBouncer; undefined: tests on it are skipped. */
const program = process.env.PGBOUNCER

/** For a test's `skip` option: false when PgBouncer is available, else the reason. */
export const withoutPgbouncer = program === undefined && 'no connection pooler: PGBOUNCER is not set'

/**
 * A connection pooler in front of a database, for one test. Use with `await using`.
 * @param url of the database itself @param more lines of its settings
 */
export async function openPgbouncer(
  url: string,
  more: readonly string[],
): Promise<{ url: string; signal: (name: NodeJS.Signals) => boolean } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: server, pathname, username } = new URL(url)
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${server} user=${username}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'auth_type = any', 'unix_socket_dir ='],
    ...['max_client_conn = 200', 'default_pool_size = 20'],
    ...more,
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `${settings.join('\n')}\n`)
  await chmod(folder, 0o755) // it does not run as root
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program ?? '', [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const up = Promise.withResolvers<void>()
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.includes('process up')) up.resolve()
  })
  await Promise.race([
    up.promise,
    ended.then(() => {
      throw new Error(`PgBouncer ended instead of starting. It said:\n${said}`)
    }),
  ])
  return {
    url: Object.assign(new URL(`postgres://${username}@127.0.0.1:${port}`), { pathname }).href,
    signal: (name) => child.kill(name),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
