import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { freePort } from '../../tools/test/free-port.ts'
import { linkIn } from './account.ts'
import { admin, type Server, startServer } from './server.ts'
import { startMailbox } from './smtp.ts'
import { within } from './within.ts'

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

/** A way to the shop that can be cut: what a phone at sea has. Use with `await using`. */
export type Coverage = AsyncDisposable & {
  cut(): void
  restore(): void
}

/** Passes connections from `port` on to the port that `target` answers, while there is coverage. */
async function startCoverage(port: number, target: () => number): Promise<Coverage> {
  let isCut = false
  const open = new Set<Socket>()
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createServer((phone) => {
    keep(phone)
    if (isCut) return void phone.destroy()
    const shop = connect(target(), '127.0.0.1')
    keep(shop)
    shop.on('close', () => phone.destroy())
    phone.on('close', () => shop.destroy())
    phone.pipe(shop).pipe(phone)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    cut,
    restore: () => {
      isCut = false
    },
    [Symbol.asyncDispose]: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What the browser's Bluetooth does in place of a tag, which no test machine has: all else is the page's own. */
type Tag = 'missing' | 'off' | 'refused' | 'none found' | 'silent' | { heard: string } | { connected: string }

/** Makes the page's Bluetooth behave so from now on. */
export const beTag = (page: Page, tag: Tag) =>
  page.evaluate((tag) => {
    const bytes = (hex: string) =>
      new DataView(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)).buffer)
    const device = Object.assign(new EventTarget(), { name: 'Ruuvi 884F' })
    if (typeof tag === 'object' && 'heard' in tag) {
      const manufacturerData = new Map([[0x0499, bytes(tag.heard)]])
      const heard = Object.assign(new Event('advertisementreceived'), { manufacturerData })
      Object.assign(device, { watchAdvertisements: async () => void device.dispatchEvent(heard) })
    }
    if (typeof tag === 'object' && 'connected' in tag) {
      const value = bytes(tag.connected)
      const source = Object.assign(new EventTarget(), { value, startNotifications: async () => undefined })
      source.startNotifications = async () =>
        void source.dispatchEvent(new Event('characteristicvaluechanged'))
      const service = { getCharacteristic: async () => source }
      const server = { getPrimaryService: async () => service }
      Object.assign(device, { gatt: { connect: async () => server, disconnect: () => undefined } })
    }
    const requestDevice = async () => {
      if (tag === 'refused') throw new DOMException('', 'NotAllowedError')
      if (tag === 'none found') throw new DOMException('', 'NotFoundError')
      return device
    }
    const value =
      tag === 'missing' ? undefined : { getAvailability: async () => tag !== 'off', requestDevice }
    Object.defineProperty(navigator, 'bluetooth', { value, configurable: true })
  }, tag)

/** A phone's browser with storage that outlives it. Use with `await using`: it is killed. */
export type Phone = AsyncDisposable & { context: BrowserContext; page: Page }

const START_S = 60
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
]

/**
 * Starts Chromium on a profile of its own, so that it can be killed like a phone whose battery dies.
 * @param folder its storage; the same again goes on with what was kept
 */
export async function startPhone(folder: string): Promise<Phone> {
  const program = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const args = [...flags, '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const ended = once(child, 'exit')
  const address = (async () => {
    for await (const line of createInterface({ input: child.stderr })) {
      const found = /DevTools listening on (\S+)/.exec(line)?.[1]
      if (found) return found
    }
    throw new Error('the browser did not start')
  })()
  const browser = await chromium.connectOverCDP(await within(START_S, 'the browser starts', address))
  child.stderr.resume()
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('a browser without a window')
  context.setDefaultTimeout(60_000)
  const page = context.pages()[0] ?? (await context.newPage())
  await page.setViewportSize({ width: 360, height: 740 })
  return {
    context,
    page,
    [Symbol.asyncDispose]: async () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL')
      await ended
    },
  }
}
