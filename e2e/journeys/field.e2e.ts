import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll } from '../support/accessible.ts'
import type { Coverage } from '../support/coverage.ts'
import { type Field, here, recordCatch, startField, untilSent } from '../support/field.ts'
import { type Phone, startPhone } from '../support/phone.ts'
import { saveScreenshot } from '../support/screens.ts'
import { beTag } from '../support/tag.ts'
import { eventually } from '../support/within.ts'

const CATCHES = 20
/** What a phone without room allows us, in bytes: the pages' own files take one. */
const QUOTA = 6_000_000
const DAY_MS = 86_400_000
let field: Field
let coverage: Coverage
let url: string

before(async () => {
  field = await startField()
  coverage = field.coverage
  url = field.url
})
after(() => field[Symbol.asyncDispose]())

/** Boxes and kinds of records as the shop has them. */
async function recorded(box: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/box/${box}/proof`)
  const { records } = await answer.json()
  return records.map(({ kind }: { kind: string }) => kind)
}

test('a supplier joins by a link, records a catch with a photo and hands it over', async () => {
  await using phone = await startPhone(await field.newPhone())
  const { page, context } = phone
  await here(context, url)
  await field.joinShop(page, 'Ada')
  await assertAccessible(page)
  await saveScreenshot(page, 'field-home')
  await page.getByRole('button', { name: 'New catch' }).click()
  await page.getByText('Position known to 12 m').waitFor()
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  await saveScreenshot(page, 'field-catch')
  await page.getByRole('button', { name: 'Save catch' }).click()
  await page.getByText('Something is missing or wrong').waitFor()
  await page.getByText('Snapper', { exact: true }).click()
  const weight = page.getByLabel('Net weight in kg')
  for (const [typed, wrong] of [
    ['a lot', 'must be whole grams'],
    ['0', 'must be at least 1 g'],
    ['10000', 'must be at most 1,000 kg'],
  ] as const) {
    await weight.fill(typed)
    await page.getByRole('button', { name: 'Save catch' }).click()
    await page.getByText(wrong).waitFor()
  }
  await saveScreenshot(page, 'field-catch-weight')
  await weight.fill('41.25')
  const photo = await page.screenshot({ type: 'jpeg' })
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'p.jpg', mimeType: 'image/jpeg', buffer: photo })
  await page.getByAltText('Of this catch').waitFor()
  const box = await page.getByLabel('Box number').inputValue()
  await page.getByRole('button', { name: 'Save catch' }).click()
  await untilSent(page)
  await page.getByRole('button', { name: 'Hand over' }).click()
  await page.getByLabel('Box number').fill(box)
  await page.getByLabel('To whom').fill('Sydney Fish Market')
  await page.getByLabel('Probe temperature').fill('1,5')
  await page.getByText('Refused', { exact: true }).click()
  await page.getByRole('button', { name: 'Save hand-over' }).click()
  await page.getByText('is required when a box is refused').waitFor()
  await page.getByLabel('Why was it refused?').fill('Too little ice')
  await saveScreenshot(page, 'field-handover')
  await page.getByRole('button', { name: 'Save hand-over' }).click()
  await untilSent(page)
  assert.deepEqual(await recorded(box), ['registration', 'catch', 'weight', 'handover'])
  const { catchProv } = await (await fetch(`${url}/api/box/${box}`)).json()
  assert.equal((await fetch(`${url}/api/file/${catchProv.img}`)).status, 200)
  await page.getByRole('button', { name: 'My boxes' }).click()
  await page.getByText('Held by Ada.').waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'field-boxes')
})

test('what is refused says why and can be mended; what a phone has no room for is said not to be saved', async () => {
  await using phone = await startPhone(await field.newPhone())
  const { page, context } = phone
  await here(context, url)
  const session = await context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: url, quotaSize: QUOTA })
  await field.joinShop(page, 'Bea')
  const taken = await recordCatch(page)
  await untilSent(page)
  await page.getByRole('button', { name: 'New catch' }).click()
  await page.getByText('Snapper', { exact: true }).click()
  await page.getByLabel('Box number').fill(taken)
  await page.getByRole('button', { name: 'Save catch' }).click()
  await page.getByText('has a catch already.').waitFor()
  await page.getByRole('button', { name: 'Discard' }).dblclick()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await saveScreenshot(page, 'field-refused')
  await page.getByRole('button', { name: 'Fix it' }).click()
  await page.getByText('The shop refused this').waitFor()
  await page.getByLabel('Box number').fill('F-2345-MEND')
  await page.getByRole('button', { name: 'Save catch' }).click()
  await untilSent(page)
  assert.deepEqual(await recorded('F-2345-MEND'), ['registration', 'catch'])

  await page.getByRole('button', { name: 'New catch' }).click()
  await page.getByText('Snapper', { exact: true }).click()
  await page.getByLabel('Size (optional)').fill('52 cm')
  const written = await page.getByLabel('Box number').inputValue()
  await page.reload()
  await eventually(() => page.getByLabel('Box number').inputValue(), written, 'it may be on the box already')
  await eventually(() => page.getByLabel('Size (optional)').inputValue(), '52 cm')
  const large = { name: 'p.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(QUOTA) }
  await page.locator('input[type=file]').setInputFiles(large)
  await page.getByAltText('Of this catch').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Save catch' }).click()
  await page.getByText('the entry is NOT saved').waitFor()
  await saveScreenshot(page, 'field-full')
  await page.getByRole('button', { name: 'Without photo' }).click()
  await page.getByText('Saved on this phone.').waitFor()
  await untilSent(page)
  const stored = await (await fetch(`${url}/api/box/${written}`)).json()
  assert.deepEqual([stored.catchProv.species, stored.catchProv.size], ['Snapper', '52 cm'])

  await page.getByRole('button', { name: 'New catch' }).click()
  assert.notEqual(await page.getByLabel('Box number').inputValue(), written, 'what was saved is over')
  await page.getByText('Snapper', { exact: true }).click()
  await page.getByLabel('Box number').fill(taken)
  await page.getByRole('button', { name: 'Save catch' }).click()
  await page.getByText('has a catch already.').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Discard for good' }).click()
  await page.getByText('has a catch already.').waitFor({ state: 'detached' })
})

test('a tag nearby is read into a box without coverage; without Bluetooth, permission or a tag the page says so', async () => {
  await using phone = await startPhone(await field.newPhone())
  const { page, context } = phone
  await here(context, url)
  await field.joinShop(page, 'Dora')
  const box = await recordCatch(page)
  await untilSent(page)
  await beTag(page, 'missing')
  await page.getByRole('button', { name: 'Read a tag' }).click()
  await page.getByText('it has no Web Bluetooth', { exact: false }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Find a tag nearby' }).count(), 0)
  await assertAccessible(page)
  await saveScreenshot(page, 'field-tag-none')
  await page.getByRole('button', { name: '‹ Field' }).click()
  await beTag(page, 'off')
  await page.getByRole('button', { name: 'Read a tag' }).click()
  await page.getByLabel('Box number').fill(box)
  const find = page.getByRole('button', { name: 'Find a tag nearby' })
  for (const [tag, text] of [
    ['off', 'Bluetooth is off'],
    ['refused', 'Bluetooth is not allowed for this page.'],
    ['none found', 'No tag was chosen.'],
    ['silent', 'The tag did not answer.'],
  ] as const) {
    await beTag(page, tag)
    await find.click()
    await page.getByText(text, { exact: false }).waitFor()
  }
  await eventually(() => page.getByRole('button', { name: 'Save reading' }).isDisabled(), true)
  await beTag(page, { heard: '0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F' })
  await find.click()
  await page.getByText('24.30 °C').waitFor()
  await beTag(page, { connected: '0500F85394C37C0004FFFC040CAC364200CE' })
  await page.getByRole('button', { name: 'Read again' }).click()
  await page.getByText('1.24 °C').waitFor()
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  await saveScreenshot(page, 'field-tag')
  coverage.cut()
  await page.getByRole('button', { name: 'Save reading' }).click()
  await page.getByText('1.24 °C, Ruuvi 884F').waitFor()
  await page.getByText('1 waiting to be sent.').waitFor()
  coverage.restore()
  await page.getByRole('button', { name: 'Send now' }).click()
  await untilSent(page)
  assert.deepEqual(await recorded(box), ['registration', 'catch', 'tracking', 'freshness'])
  const { iotResult } = await (await fetch(`${url}/api/box/${box}`)).json()
  const [{ iotID, temperature }] = iotResult.iotTracking
  assert.deepEqual([iotID, temperature], ['Ruuvi 884F', 1.24])
})

test('twenty catches without coverage outlive a dead phone and a wrong clock, and arrive once each', async () => {
  const folder = await field.newPhone()
  const boxes: string[] = []
  let email = ''
  const open = async (phone: Phone): Promise<Page> => {
    await here(phone.context, url)
    return phone.page
  }
  {
    await using phone = await startPhone(folder)
    const page = await open(phone)
    email = await field.joinShop(page, 'Cem')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    coverage.cut()
    for (let i = 0; i < CATCHES - 1; i++) boxes.push(await recordCatch(page))
    await phone.context.clock.setFixedTime(Date.now() + DAY_MS)
    boxes.push(await recordCatch(page))
    await page.getByText(`${CATCHES} waiting to be sent.`).waitFor()
  }
  await using phone = await startPhone(folder)
  const page = await open(phone)
  await page.goto(`${url}/field`)
  await page.getByText(`${CATCHES} waiting to be sent.`).waitFor()
  await saveScreenshot(page, 'field-queue')

  coverage.restore()
  const token = (await phone.context.cookies()).find(({ name }) => name === 'befaqt_session')?.value
  await field.post('/api/user/signOut', '', token)
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByText('You are logged out.').waitFor()
  await page.getByText(`${CATCHES} waiting to be sent.`).waitFor()
  const other = await phone.context.newPage()
  await other.goto(`${url}/field`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('saltwater')
  await page.getByRole('button', { name: 'Log in' }).click()
  await other
    .getByRole('button', { name: 'Send now' })
    .click({ timeout: 5_000 })
    .catch(() => undefined)
  await untilSent(page)
  await untilSent(other)
  assert.equal(new Set(boxes).size, CATCHES)
  for (const box of boxes) assert.deepEqual(await recorded(box), ['registration', 'catch'], box)
  const own = await page.evaluate(async () => (await fetch('/api/field/box')).json())
  assert.equal(own.length, CATCHES)
  const flagged = own.filter(({ flags }: { flags: { clockWrong: boolean }[] }) =>
    flags.some((one) => one.clockWrong),
  )
  assert.deepEqual(
    flagged.map(({ boxID }: { boxID: string }) => boxID),
    [boxes.at(-1)],
  )
})

test('another person on the same phone neither sees nor sends what the first one has queued', async () => {
  await using phone = await startPhone(await field.newPhone())
  const { page, context } = phone
  await here(context, url)
  const email = await field.joinShop(page, 'Dee')
  coverage.cut()
  const box = await recordCatch(page)
  await page.getByText('1 waiting to be sent.').waitFor()
  const token = (await context.cookies()).find(({ name }) => name === 'befaqt_session')?.value
  coverage.restore()
  await field.post('/api/user/signOut', '', token)

  await field.joinShop(page, 'Eve')
  await page.getByText('1 entry waits here until whoever made it logs in.').waitFor()
  const own = await recordCatch(page, 'Snapper')
  await untilSent(page)
  await saveScreenshot(page, 'field-another')
  assert.ok(!(await page.locator('body').innerText()).includes(box), 'not a word of it')
  assert.deepEqual(await recorded(own), ['registration', 'catch'])
  assert.equal((await fetch(`${url}/api/box/${box}`)).status, 404)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Email').fill(email)
  const left = await page.locator('body').innerText()
  assert.ok(![box, own].some((one) => left.includes(one)), 'who logged out left nothing in sight')
  await page.getByLabel('Password').fill('saltwater')
  await page.getByRole('button', { name: 'Log in' }).click()
  await untilSent(page)
  assert.deepEqual(await recorded(box), ['registration', 'catch'])
})
