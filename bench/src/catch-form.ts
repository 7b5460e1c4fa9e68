/**
 * What a catch costs on a supplier's phone: `node bench/src/catch-form.ts [times]`, after `npm run build`. From opening
 * `/field` to "saved on this phone", in Chromium of a phone's size whose processor is slowed down six times; a tap or a key
 * follows as soon as the page takes it, so that the seconds are those of the page. To them come those of a hand: 3 s a tap
 * and 1 s a key are assumed, which is slow. Goal: median under 60 s.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { SESSION_COOKIE } from '../../server/src/accounts/sessions/client.ts'
import { budgetHead, checkBudget } from './budget.ts'
import { percentile } from './percentile.ts'
import { type Shop, startShop } from './shop.ts'
import { ADMIN, signIn } from './sign-in.ts'
import { sized } from './sized.ts'

const SLOWER = sized(6, 1)
const GOAL_MS = 60_000
const TAP_MS = 3_000
const KEY_MS = 1_000
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const PLACE = { latitude: -33.9, longitude: 151.3, accuracy: 12 }
const times = Number(process.argv[2] ?? sized(15, 1))

async function post({ url }: Shop, path: string, body: object, token?: string) {
  const headers = {
    'content-type': 'application/json',
    origin: new URL(url).origin,
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Invites a supplier and joins by the link of the email. Returns the token of a session. */
async function newSupplier(shop: Shop): Promise<string> {
  const [email, password] = ['supplier@example.org', 'measured-not-guessed']
  const names = { traderID: 'B-1', traderName: 'Bench', companyName: '', boat: 'Bench', address: '' }
  await post(shop, '/api/manage/supplier/invitation', { email, fisher: names }, await signIn(shop))
  const person = { fname: 'Bench', lname: 'Sample', phone: '0400 000 000', password }
  await post(shop, '/api/field/join', { token: await tokenFor(shop, email), ...person })
  return (await post(shop, '/api/user/signIn', { email, password })).token
}

/** The token in the newest email to this address, as soon as it is there. */
async function tokenFor({ dataDir }: Shop, email: string): Promise<string> {
  const outbox = join(dataDir, 'outbox')
  for (;;) {
    for (const file of await readdir(outbox).catch(() => [])) {
      const text = file.endsWith('.eml') ? await readFile(join(outbox, file), 'utf8') : ''
      const token = /\/field\/join\/([\w-]+)/.exec(text.replaceAll('=\r\n', ''))?.[1]
      if (text.includes(email) && token) return token
    }
    await wait(100)
  }
}

type Cost = { taps: number; keys: number; ms: number }

/** Opens the pages and records a catch. `whole`: with all that the form asks for. */
async function record(page: Page, shop: Shop, whole: boolean): Promise<Cost> {
  let [taps, keys] = [0, 0]
  const tap = async (what: ReturnType<Page['locator']>): Promise<void> => {
    taps++
    await what.tap()
  }
  const type = async (label: string, text: string): Promise<void> => {
    await tap(page.getByLabel(label))
    keys += text.length
    await page.keyboard.type(text)
  }
  const began = performance.now()
  await page.goto(`${shop.url}/field`)
  await tap(page.getByRole('button', { name: 'New catch' }))
  await tap(page.locator('fieldset', { hasText: 'What is it?' }).getByText('Snapper', { exact: true }))
  if (whole) {
    await type('Size (optional)', '45 cm')
    await tap(page.locator('fieldset', { hasText: 'Method' }).locator('label').nth(1))
    await tap(page.getByText('boat and note'))
    await type('Note (optional)', 'bled and iced')
  }
  await tap(page.getByRole('button', { name: 'Save catch' }))
  await page.getByText('Saved on this phone.').waitFor()
  return { taps, keys, ms: performance.now() - began }
}

await using shop = await startShop({ SAMPLE_DATA: 'off', ...ADMIN })
const token = await newSupplier(shop)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const context = await browser.newContext({ ...PHONE, geolocation: PLACE, permissions: ['geolocation'] })
await context.addCookies([{ name: SESSION_COOKIE, value: token, url: shop.url }])
const page = await context.newPage()
const cdp = await context.newCDPSession(page)
await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
budgetHead('a catch', 'taps', 'keys', 'the page alone, median and slowest, ms')
for (const [name, whole] of [
  ['what must be there', false],
  ['all but a photo', true],
] as const) {
  const costs: Cost[] = []
  for (let i = 0; i < times; i++) costs.push(await record(page, shop, whole))
  const { taps = 0, keys = 0 } = costs[0] ?? {}
  const took = costs.map((cost) => cost.ms)
  const alone = `${Math.round(percentile(took, 0.5))}, ${Math.round(Math.max(...took))}`
  checkBudget([name, taps, keys, alone], percentile(took, 0.5) + taps * TAP_MS + keys * KEY_MS, {
    mostMs: GOAL_MS,
  })
}
await browser.close()
