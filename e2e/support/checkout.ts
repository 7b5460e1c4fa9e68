import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { freePort } from '../../tools/test/free-port.ts'
import { until } from './within.ts'

const root = join(import.meta.dirname, '../..')
const START_S = 600

/** A second checkout of the project that a test may change and build. Use with `await using`. */
export type Checkout = AsyncDisposable & {
  folder: string
  /** `npm run build` there. Rejects when it fails. */
  build(): Promise<void>
  /** `npm start` there with an empty shop; returns its URL when it is ready. It stops with the checkout. */
  start(): Promise<string>
}

const left = new Set(['node_modules', '.runtime', '.git', 'data'])

/**
 * A folder of links to the entries of another one, so that removing them does not affect it. Marker files are copied.
 */
async function linkEntries(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true }))
    if (entry.isFile()) await cp(join(from, entry.name), join(to, entry.name))
    else await symlink(join(from, entry.name), join(to, entry.name))
}

/** Copies the project's current files with what was built of them, and shares the installed packages. */
export async function copyProject(): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-checkout-'))
  await cp(root, folder, { recursive: true, filter: (from) => from === root || !left.has(basename(from)) })
  for (const packages of ['node_modules', '.runtime/node_modules'])
    await linkEntries(join(root, packages), join(folder, packages))
  const started: ChildProcess[] = []
  const launch = (launcher: string, env: Record<string, string>): ChildProcess => {
    const { WEB_DIST: _, ...outer } = process.env
    return spawn(process.execPath, [join(folder, 'tools', launcher)], {
      cwd: folder,
      env: { ...outer, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return {
    folder,
    async build() {
      const [status] = await once(launch('build.mjs', {}), 'close')
      if (status !== 0) throw new Error(`the build ended with ${status}`)
    },
    async start() {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const settings = {
        PORT: String(port),
        PUBLIC_URL: url,
        MQTT_PORT: '0',
        SAMPLE_DATA: 'off',
        LOG_LEVEL: 'warn',
      }
      const data = join(folder, 'data', String(port))
      const child = launch('start.mjs', { ...settings, DATA_DIR: data })
      started.push(child)
      const isUp = async (): Promise<boolean> => {
        if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
        return fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        )
      }
      await until(START_S, 'the copied shop is ready to serve', isUp)
      return url
    },
    async [Symbol.asyncDispose]() {
      for (const child of started) {
        const ended = once(child, 'close')
        if (child.exitCode !== null) continue
        child.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
