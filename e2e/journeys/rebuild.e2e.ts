import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../tools/test/free-port.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { until } from '../support/within.ts'

const root = join(import.meta.dirname, '../..')
const START_S = 600

/** A second checkout of the project that a test may change and build. Use with `await using`. */
type Checkout = AsyncDisposable & {
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
async function copyProject(): Promise<Checkout> {
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

const scriptsOf = async (url: string): Promise<Set<string>> =>
  new Set((await (await fetch(url)).text()).match(/\/assets\/[\w.-]+?\.js\b/g))

/** The build that a shop says it runs. */
const buildOf = async (url: string): Promise<string> =>
  /^befaqt_build_info\{.*\bbuild="(.*?)"/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? ''

test('a running shop keeps serving its pages and scripts while its sources change and are rebuilt', async () => {
  await using checkout = await copyProject()
  const first = await checkout.start()
  const scripts = await scriptsOf(first)
  await appendFile(join(checkout.folder, 'web/src/entry-client.tsx'), `\nconsole.info('built again')\n`)
  await appendFile(join(checkout.folder, 'web/src/root.tsx'), `\nexport const builtAgain = true\n`)
  await appendFile(
    join(checkout.folder, 'server/src/mqtt/external-broker.ts'),
    `\nexport const builtAgain = true\n`,
  )
  await checkout.build()
  const second = await checkout.start()
  assert.notDeepEqual(await scriptsOf(second), scripts, 'the second one runs from the new build')
  assert.deepEqual(await scriptsOf(first), scripts)
  const builds = [await buildOf(first), await buildOf(second)]
  for (const build of builds) assert.match(build, /^[0-9a-f]{16}$/)
  assert.equal(new Set(builds).size, 2, 'each names its own')
  for (const url of [first, second]) {
    await using at = await visit(url)
    await untilHydrated(at.page)
    await at.page.goto(`${url}/user/signin`) // its script was never fetched from this process
    await untilHydrated(at.page)
  }
})
