import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { unchanged, verdictOnOpening } from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { runScript } from '../support/command.ts'
import { assertAccessibleAcross, desktop, press } from '../support/manager.ts'
import { startServerOnPostgres, withoutPostgres } from '../support/postgres.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, type Server, startServer } from '../support/server.ts'

const [LINK_HEADER, TAB_HEADER] = ['setup-link', 'restore-tab']
const [HEAD_BYTES, PART_BYTES] = [4_096, 2 * 1024 * 1024]

const PASSPHRASE = 'ice and salt and a long night'
/** As an operator starts it who has a backup: no account, and a link that is printed. */
const BARE = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', SAMPLE_DATA: 'off' }

let folder: string
let file: string
let bytes: Buffer
/** A box of the shop that is backed up, with readings. */
let boxID: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'befaqt-bare-'))
  file = join(folder, 'shop.backup')
  await using shop = await startServer()
  const boxes = (await (await shop.call('/api/manage/box?size=100')).json()) as { rows: { boxID: string }[] }
  boxID = boxes.rows[0]?.boxID ?? ''
  const env = { DATA_DIR: shop.dataDir, BEFAQT_PASSPHRASE: PASSPHRASE }
  const made = await runScript('/', 'server/src/cli/befaqt.ts', ['backup', file, '--with-secrets'], env)
  assert.equal(made.status, 0, made.stderr)
  bytes = await readFile(file)
})
after(() => rm(folder, { recursive: true, force: true }))

const linkOf = (server: Server): string =>
  /\/user\/firstadmin\/(\S+)/.exec(server.printed())?.[1] ?? assert.fail(server.printed())

test('a bare shop is restored on its page: the file is sent over a broken line, and its boxes verify', async () => {
  await using server = await startServer({ env: BARE })
  await using at = await visit(`${server.url}/user/firstadmin/${linkOf(server)}`, desktop)
  const { page } = at
  at.expectProblem(/status of (4\d\d|503)|ERR_(INTERNET_DISCONNECTED|CONNECTION)|net::ERR/)
  await untilHydrated(page)
  await page.getByRole('link', { name: 'Restore it instead' }).click()
  await page.getByLabel('File of a backup').waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'restore-choose')
  const choose = (path: string) => page.getByLabel('File of a backup').setInputFiles(path)

  await choose(join(import.meta.dirname, 'restore-bare.e2e.ts'))
  await page.getByText('This is no backup of a shop.').waitFor()

  let parts = 0
  await page.route('**/api/restore/upload/**', async (route) => {
    if (++parts === 2) await page.context().setOffline(true)
    await route.continue()
  })
  await choose(file)
  await page.getByText('There is no answer right now: it goes on by itself').waitFor()
  await saveScreenshot(page, 'restore-sending')
  const [sent] = await uploaded(server)
  assert.ok(sent !== undefined && sent < bytes.length, 'in the middle')
  await page.reload().catch(() => undefined) // offline: the file has to be chosen again
  await page.context().setOffline(false)
  await page.goto(`${server.url}/user/restore/${linkOf(server)}`)
  await untilHydrated(page)
  await page.getByText('are here. Choose the same file to go on.').waitFor()
  await choose(file)
  await page.getByRole('button', { name: 'Restore the shop' }).waitFor({ timeout: 240_000 })
  assert.equal((await uploaded(server))[0], bytes.length)
  await assertAccessibleAcross(page)

  await page.getByLabel('Passphrase').fill('not this one, no')
  await press(page, 'Restore the shop')
  await page.getByText('The passphrase is wrong').waitFor({ timeout: 60_000 })
  await page.getByText('Nothing was restored, and nothing was changed.').waitFor()
  await saveScreenshot(page, 'restore-refused')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
  assert.equal(await focused(), 'passphrase', 'whoever types goes on where it is wrong')

  await page.getByLabel('Passphrase').fill(PASSPHRASE)
  await press(page, 'Restore the shop')
  await page.getByRole('region', { name: 'Being restored' }).waitFor()
  await saveScreenshot(page, 'restore-progress')
  await page.getByText('The shop is restored.').waitFor({ timeout: 240_000 })
  await page.getByText(/^The shop of .*GMT: .*rows and .* files\.$/).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'restore-done')
  assert.doesNotMatch(JSON.stringify(server.log.lines) + server.printed(), new RegExp(PASSPHRASE))

  await page.getByRole('link', { name: 'Log in' }).last().click()
  await untilHydrated(page)
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/user/'))
  assert.match(await verdictOnOpening(page, boxID), unchanged)
  const names = await readdir(join(server.dataDir, 'restore'))
  assert.ok(!names.includes('upload.part') && !names.includes('switch.json') && names.includes('before'))
  const again = await fetch(`${server.url}/api/restore`, { headers: { [LINK_HEADER]: linkOf(server) } })
  assert.equal(again.status, 400, 'the link is of the shop before')
})

/** How much of the file is on the disk, and its size. */
async function uploaded(server: Server): Promise<number[]> {
  const text = await readFile(join(server.dataDir, 'restore', 'upload.json'), 'utf8')
  const { received, bytes: size } = JSON.parse(text)
  return [received, size]
}

type State = { progress: object | null; outcome: { ok: boolean; words: string[] } | null }

/** As the page does, without it. */
function restoringAt(server: Server, link: string) {
  const headers = { [LINK_HEADER]: link, [TAB_HEADER]: 'the-only-tab-of-this-test' }
  const call = async (method: string, path: string, body?: object | Buffer): Promise<Response> =>
    fetch(`${server.url}/api/restore${path}`, {
      method,
      headers: {
        ...headers,
        ...(body && {
          'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json',
        }),
      },
      ...(body && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    })
  const state = async (): Promise<State> => (await call('GET', '')).json()
  /**
   * As `call`, again while the shop is busy with the file: the process that reads it for a shop that was killed notices
   * that a moment later, and begins to read only then where it had just been started.
   */
  const whenFree = async (path: string, body: object): Promise<Response> => {
    let answer = await call('POST', path, body)
    for (let i = 0; answer.status === 409 && i < 300; i++) {
      await sleep(100)
      answer = await call('POST', path, body)
    }
    return answer
  }
  return {
    call,
    state,
    whenFree,
    send: async (): Promise<string> => {
      const head = bytes.subarray(0, HEAD_BYTES).toString('base64')
      const begun = await whenFree('/upload', { bytes: bytes.length, head })
      assert.equal(begun.status, 200, await begun.clone().text())
      const { id, received } = (await begun.json()) as { id: string; received: number }
      for (let from = received; from < bytes.length; from += PART_BYTES) {
        const part = await call('PUT', `/upload/${id}/${from}`, bytes.subarray(from, from + PART_BYTES))
        assert.equal(part.status, 200, await part.text())
      }
      return id
    },
    /** What came of it; asked again while nobody answers. */
    outcome: async () => {
      for (const until = Date.now() + 240_000; Date.now() < until; await sleep(100)) {
        const found = await state().catch(() => undefined)
        if (found?.outcome && !found.progress) return found.outcome
      }
      return assert.fail(`${server.printed()} ${JSON.stringify(await state())}`)
    },
  }
}

const signIn = (server: Server): Promise<Response> =>
  fetch(`${server.url}/api/user/signIn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })

/** 'bare' or 'restored', and nothing between: its tables, key and box are one shop's. */
async function whichShop(server: Server): Promise<'bare' | 'restored'> {
  const found = await server.call('/api/manage/box?size=100')
  assert.equal(found.status, 200)
  const { rows } = (await found.json()) as { rows: { boxID: string }[] }
  const signedIn = (await signIn(server)).status === 200
  const isThere = rows.some((box) => box.boxID === boxID)
  assert.equal(signedIn, isThere)
  return isThere ? 'restored' : 'bare'
}

const kinds = [
  { kind: 'embedded', open: startServer, skip: false as const },
  { kind: 'PostgreSQL', open: startServerOnPostgres, skip: withoutPostgres },
]

for (const { kind, open, skip } of kinds)
  test(`${kind}: killed at any moment of a restore, a start finds the bare shop or the restored one`, {
    skip,
  }, async () => {
    await using first = await open({ env: BARE, mayLogErrors: true })
    const env = { ...BARE, ...('databaseUrl' in first && { DATABASE_URL: String(first.databaseUrl) }) }
    let server: Server = first
    const again = async () => {
      await server.kill()
      server = await startServer({ env, dataDir: first.dataDir, mayLogErrors: true })
    }
    try {
      const seen: string[] = []
      // Later each time, until one is done before it is killed.
      for (let ms = 0; seen.at(-1) !== 'restored'; ms = ms * 3 + 500) {
        const at = restoringAt(server, linkOf(server))
        const id = await at.send() // what was sent before the kill is there
        const begun = await at.whenFree('', { id, passphrase: PASSPHRASE })
        assert.equal(begun.status, 202, await begun.text())
        await Promise.race([sleep(ms), at.outcome()])
        await again()
        seen.push(await whichShop(server))
      }
      assert.ok(seen.length > 2, seen.join())
      const left = await readdir(join(first.dataDir, 'restore'))
      assert.deepEqual(
        left.filter((name) => /shop|switch|upload/.test(name)),
        [],
      )
      assert.ok((await stat(join(first.dataDir, 'secret.key'))).size > 0)
      await server.stop()
    } finally {
      await server.kill()
    }
  })
