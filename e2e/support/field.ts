import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { freePort } from '../../tools/test/free-port.ts'
import { linkIn } from './account.ts'
import { type Coverage, startCoverage } from './coverage.ts'
import { admin, type Server, startServer } from './server.ts'
import { startMailbox } from './smtp.ts'

/** A shop whose suppliers' phones have coverage that can be cut. Use with `await using`. */
export type Field = AsyncDisposable & {
  server: Server
  coverage: Coverage
  /** Of the shop, by way of that coverage. */
  url: string
  /** Storage of a new phone. */
  newPhone(): Promise<string>
  /** Invites somebody of this name and sets up their access on this phone. Returns their email. */
  joinShop(page: Page, name: string): Promise<string>
  post(path: string, body: string, token?: string): Promise<Response>
  /** The same as the manager. */
  manage(path: string, body: object): Promise<Response>
}

/** @param env settings beside those that the phones need */
export async function startField(env: Record<string, string> = {}): Promise<Field> {
  await using opened = new AsyncDisposableStack()
  const mailbox = opened.use(await startMailbox())
  const [outside, inside] = [await freePort(), await freePort()]
  const url = `http://localhost:${outside}`
  const settings = { PORT: String(inside), PUBLIC_URL: url, SMTP_URL: mailbox.url, SAMPLE_DATA: 'off' }
  const server = opened.use(await startServer({ env: { ...settings, ...env } }))
  const coverage = opened.use(await startCoverage(outside, () => inside))
  const post: Field['post'] = (path, body, token) =>
    fetch(url + path, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        ...(token && { authorization: `Bearer ${token}` }),
      },
    })
  const { token } = await (await post('/api/user/signIn', JSON.stringify(admin))).json()
  const manage: Field['manage'] = (path, body) => post(path, JSON.stringify(body), token)
  const folders = await mkdtemp(join(tmpdir(), 'befaqt-phone-'))
  opened.defer(() => rm(folders, { recursive: true, force: true }))
  const newPhone = () => mkdtemp(join(folders, 'one-'))
  const joinShop: Field['joinShop'] = async (page, name) => {
    const email = `${name.toLowerCase()}@example.org`
    const names = { traderID: `SAMPLE-${name}`, traderName: name, companyName: '' }
    const fisher = { ...names, boat: 'Gannet', address: '' }
    const invited = await manage('/api/manage/supplier/invitation', { email, fisher })
    assert.equal(invited.status, 201, await invited.text())
    await joinAs(page, linkIn(await mailbox.waitForMail(email)), name)
    return email
  }
  const all = opened.move()
  const close = () => all.disposeAsync()
  return { server, coverage, url, post, manage, newPhone, joinShop, [Symbol.asyncDispose]: close }
}

/** Lets the pages of `url` know where this phone is. */
export async function here(context: BrowserContext, url: string): Promise<void> {
  await context.grantPermissions(['geolocation'], { origin: url })
  await context.setGeolocation({ latitude: -33.9, longitude: 151.3, accuracy: 12 })
}

/** Accepts an invitation on this phone. */
export async function joinAs(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('First name').fill(name)
  await page.getByLabel('Last name').fill('Sample')
  await page.getByLabel('Mobile phone').fill('0400 000 000')
  await page.getByLabel('New password').fill('saltwater')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('button', { name: 'New catch' }).waitFor()
}

/** Records a catch, and returns the number of its box. */
export async function recordCatch(page: Page, species = 'Snapper'): Promise<string> {
  await page.getByRole('button', { name: 'New catch' }).click()
  await page.getByText(species, { exact: true }).click()
  const box = await page.getByLabel('Box number').inputValue()
  await page.getByRole('button', { name: 'Save catch' }).click()
  await page.getByText('Saved on this phone.').waitFor()
  return box
}

/** All that this user has on this phone is with the shop. */
export const untilSent = (page: Page): Promise<void> => page.getByText('Everything is sent.').waitFor()
