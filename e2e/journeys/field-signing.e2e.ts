import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll } from '../support/accessible.ts'
import { boxPath, unchanged, verdictInHead, waitUntilAnchored } from '../support/box-page.ts'
import { type Field, here, recordCatch, startField, untilSent } from '../support/field.ts'
import { startPhone } from '../support/phone.ts'
import { saveScreenshot } from '../support/screens.ts'
import { beTag } from '../support/tag.ts'
import { eventually } from '../support/within.ts'

let field: Field
before(async () => {
  field = await startField({ ANCHOR_INTERVAL_S: '1' })
})
after(() => field[Symbol.asyncDispose]())

/** Reads a tag into a box; it is kept on the phone. */
async function readTag(page: Page, box: string): Promise<void> {
  await beTag(page, { heard: '0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F' })
  await page.getByRole('button', { name: 'Read a tag' }).click()
  await page.getByLabel('Box number').fill(box)
  await page.getByRole('button', { name: 'Find a tag nearby' }).click()
  await page.getByText('24.30 °C').waitFor()
  await page.getByRole('button', { name: 'Save reading' }).click()
  await page.getByText('Saved on this phone.').waitFor()
}

type Reading = { kind: string; data: { signed?: { level: string; text: string } } }

/** What was signed of the readings of a box, in the order of its history. */
async function signedOf(box: string): Promise<Reading['data']['signed'][]> {
  const { records } = await (await fetch(`${field.url}/api/box/${box}/proof`)).json()
  return records.filter(({ kind }: Reading) => kind === 'tracking').map(({ data }: Reading) => data.signed)
}

/** Their levels. */
const levelsOf = async (box: string): Promise<(string | undefined)[]> =>
  (await signedOf(box)).map((signed) => signed?.level)

test('a phone is let in by a link, signs what it sends once there is coverage, and says when it was revoked', async () => {
  const { url, coverage } = field
  const folder = await field.newPhone()
  let [box, email] = ['', '']
  let phoneId = ''
  {
    await using phone = await startPhone(folder)
    const { page, context } = phone
    await here(context, url)
    email = await field.joinShop(page, 'Ada')
    box = await recordCatch(page)
    await untilSent(page)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    const { userId } = await page.evaluate(async () => (await fetch('/api/field/user')).json())
    const { link } = await (
      await field.manage(`/api/manage/supplier/${userId}/phone`, { name: 'Phone of the Gannet' })
    ).json()
    coverage.cut()
    await page.goto(link)
    await page.evaluate(() => {
      const value = async () => Promise.reject(new DOMException('', 'NotSupportedError'))
      Object.defineProperty(crypto.subtle, 'generateKey', { value, configurable: true })
    })
    await page.getByRole('button', { name: 'Let this phone sign' }).click()
    await page.getByText('This browser can’t sign: it has no Ed25519.', { exact: false }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Let this phone sign' }).click()
    await page.getByText('Its key is').waitFor()
    coverage.restore()
    await page.reload()
    await page.getByText('This phone signs its readings, as Phone of the Gannet.').waitFor()
    phoneId = await page.locator('code').innerText()
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
    await saveScreenshot(page, 'field-phone')
    await page.getByRole('button', { name: 'Go on' }).click()
    coverage.cut()
    await readTag(page, box)
    await page.getByText('1 waiting to be sent.').waitFor()
  }
  coverage.restore()
  await using phone = await startPhone(folder)
  const { page, context } = phone
  await here(context, url)
  await context.clearCookies() // whether a dead phone keeps its session is for the browser to say; the key stays
  await page.goto(`${url}/field`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('saltwater')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Signed by this phone.').waitFor()
  await saveScreenshot(page, 'field-signed')
  assert.deepEqual(await levelsOf(box), ['gateway'])

  let sent: string[] = []
  await page.route('**/api/field/entry', async (route) => {
    sent.push(/"signed":\{[^}]*\}/.exec(route.request().postData() ?? '')?.[0] ?? '')
    if (sent.length > 1) return route.continue()
    await route.fetch()
    return route.abort() // the answer is lost on its way
  })
  await readTag(page, box)
  await eventually(async () => (await levelsOf(box)).length, 2)
  await page.getByText('1 waiting to be sent.').waitFor()
  await eventually(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online'))) // not heard while the first try goes on
    return page.getByText('Signed by this phone.').count()
  }, 2)
  await page.unrouteAll()
  assert.deepEqual([sent.length, new Set(sent).size, sent[0] === ''], [2, 1, false], 'signed once')
  sent = (await signedOf(box)).map((signed) => signed?.text ?? '')
  const prevs = sent.map((text) => JSON.parse(text).prev)
  assert.deepEqual(prevs, ['0'.repeat(64), hash('sha256', sent[0] ?? '')], 'each goes on from the one before')
  const visitor = await context.newPage()
  await visitor.goto(url)
  await waitUntilAnchored(visitor, box)
  await waitUntilAnchored(visitor, `device:${phoneId}`)
  await visitor.goto(url + boxPath(box))
  assert.match(await verdictInHead(visitor), unchanged)
  await visitor.getByText('Of the readings: 2 signed by a phone or gateway.').waitFor()
  await saveScreenshot(visitor, 'box-signed-by-phone')

  const revoked = await field.manage(`/api/device/${phoneId}/revoke`, { reason: 'lost' })
  assert.equal(revoked.status, 200)
  await readTag(page, box)
  await page.getByText('The shop has revoked this phone’s key.').waitFor()
  await page.getByText('Unsigned: shown as typed in.').waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'field-revoked')
  assert.deepEqual(await levelsOf(box), ['gateway', 'gateway', undefined])
})

test('an entry that is sent while somebody else logs in waits for whoever made it', async () => {
  await using phone = await startPhone(await field.newPhone())
  const { page, context } = phone
  await here(context, field.url)
  await field.joinShop(page, 'Eve')
  const eve = await context.cookies()
  await context.clearCookies()
  await field.joinShop(page, 'Dee')
  const dee = await context.cookies()
  const become = async (who: typeof dee) => {
    await context.clearCookies()
    await context.addCookies(who)
  }
  await page.route('**/api/field/entry', async (route) => {
    await become(eve)
    const request = route.request()
    const token = eve.find(({ name }) => name === 'befaqt_session')?.value
    const headers = {
      'content-type': (await request.headerValue('content-type')) ?? '',
      authorization: `Bearer ${token}`,
    }
    const body = new Uint8Array(request.postDataBuffer() ?? [])
    const answer = await fetch(request.url(), { method: 'POST', headers, body })
    assert.equal(answer.status, 403)
    await route.fulfill({ status: answer.status, contentType: 'application/json', body: await answer.text() })
  })
  const box = await recordCatch(page)
  await page.getByText('1 entry waits here until whoever made it logs in.').waitFor()
  await page.unrouteAll()
  await become(dee)
  await page.reload()
  await untilSent(page)
  assert.equal((await fetch(`${field.url}/api/box/${box}`)).status, 200)
})
