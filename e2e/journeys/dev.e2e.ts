import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../tools/test/free-port.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { eventually, until } from '../support/within.ts'

const root = join(import.meta.dirname, '../..')
const SOURCES = [
  'contract',
  'domain',
  'provenance',
  'server',
  'tools',
  'web',
  'package.json',
  'package-lock.json',
]
const LINKED = ['node_modules', 'server/node_modules', '.runtime/node_modules']
const LABEL = 'Search the market'
const START_S = 240

/** A copy of the project whose sources a test may change, with the packages of the real one. */
async function copyOfSources(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-dev-'))
  const isSource = (path: string): boolean => !['node_modules', 'dist', 'art'].includes(basename(path))
  for (const name of [...SOURCES, 'tsconfig.base.json'])
    await cp(join(root, name), join(folder, name), { recursive: true, filter: isSource })
  await mkdir(join(folder, '.runtime'))
  for (const name of LINKED) await symlink(join(root, name), join(folder, name))
  return folder
}

test('npm run dev shows a changed component in the open page, and in the next document', async () => {
  await using undo = new AsyncDisposableStack()
  const folder = await copyOfSources()
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const dev = spawn(process.execPath, [join(folder, 'tools/dev.mjs')], {
    cwd: folder,
    env: {
      ...process.env,
      ...{ PORT: String(port), SHOP_PORT: String(await freePort()), MQTT_PORT: '0' },
      ...{ DATA_DIR: join(folder, 'data'), SAMPLE_DATA: 'off', NODE_OPTIONS: '' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (text) => (printed += text))
  const ended = once(dev, 'exit')
  undo.defer(async () => {
    dev.kill('SIGINT')
    await ended
  })
  const isReady = async (): Promise<boolean> => {
    assert.equal(dev.exitCode, null, printed)
    return printed.includes(`BeFAQT is ready: ${url}`)
  }
  await until(START_S, 'the shop is ready', isReady)

  await using at = await visit(`${url}/about/contact`, { network: 'fast' }) // each source is a request
  at.expectProblem(/hydrat/i) // development tells of attributes that a build passes over
  const { page } = at
  page.setDefaultTimeout(START_S * 1_000)
  const isConnected = page.waitForEvent('console', (message) => /\[vite\] connected/.test(message.text()))
  await page.reload()
  await isConnected // from now on the page is told of changes
  await untilHydrated(page)
  await page.getByLabel(LABEL).first().waitFor({ state: 'attached' })
  await page.evaluate(() => Object.assign(window, { isThisDocument: true }))
  for await (const name of glob('web/src/**/*.tsx', { cwd: folder })) {
    const file = join(folder, name)
    const text = await readFile(file, 'utf8')
    if (text.includes(LABEL)) await writeFile(file, text.replaceAll(LABEL, 'Search this market'))
  }
  await page.getByLabel('Search this market').first().waitFor({ state: 'attached' })
  assert.equal(await page.evaluate(() => 'isThisDocument' in window), true, 'the page was not loaded again')
  const document = async (): Promise<boolean> =>
    (await (await fetch(`${url}/about/delivery`)).text()).includes('Search this market')
  await eventually(document, true, 'the server renders the change')
  await page.goto(`${url}/components`)
  await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor()
})
