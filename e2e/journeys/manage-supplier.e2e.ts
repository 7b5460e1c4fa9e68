import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { signInByApi } from '../support/account.ts'
import { type Visit, visit } from '../support/browser.ts'
import { type Field, here, startField, untilSent } from '../support/field.ts'
import { assertAccessibleAcross, desktop, openManaged, press, rowsOf } from '../support/manager.ts'
import { startPhone } from '../support/phone.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin } from '../support/server.ts'
import { eventually } from '../support/within.ts'

const LINKS = 'Open links of phones'
const INVITATIONS = 'Open invitations'
const CATCHES = 'Catches to look at'

let field: Field
before(async () => {
  field = await startField()
})
after(() => field[Symbol.asyncDispose]())

async function openSuppliers(): Promise<Visit> {
  const at = await visit(field.url, {
    ...desktop,
    prepare: (context) => signInByApi(context, field.url, admin),
  })
  await openManaged(at.page, '/manage/supplier')
  return at
}

/** Makes the link of a phone of Ada’s in its dialog, and returns where it leads. */
async function makeLink(page: Page, name: string): Promise<string> {
  await press(page, 'Let a phone of Ada Sample sign')
  await page.getByLabel('Name of the phone').fill(name)
  await press(page, 'Make the link')
  const link = await page.getByRole('dialog').locator('code').innerText()
  await page.keyboard.press('Escape')
  return link
}

/** The file that is saved by doing this. */
async function saved(page: Page, act: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return readFile(await download.path(), 'latin1')
}

/** Has the focus been handed to something that can be used? */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

test('a link lets one phone sign; until it is used it is listed, and can be revoked', async () => {
  await using phone = await visit(field.url)
  phone.expectProblem(/status of 401/)
  await field.joinShop(phone.page, 'Ada')
  await using manager = await openSuppliers()
  const { page } = manager
  await press(page, 'Let a phone of Ada Sample sign')
  await press(page, 'Make the link')
  const name = page.getByLabel('Name of the phone')
  await eventually(() => name.getAttribute('aria-invalid'), 'true', 'a phone without a name')
  await name.fill('Phone of the Gannet')
  manager.expectProblem(/phone.*ERR_FAILED|Failed to load resource/)
  await page.route('**/api/manage/supplier/*/phone', (route) => route.abort('failed'), { times: 1 })
  await press(page, 'Make the link')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await eventually(() => name.inputValue(), 'Phone of the Gannet')
  await press(page, 'Make the link')
  await page.getByRole('img', { name: 'The link as a QR code' }).waitFor()
  const link = await page.getByRole('dialog').locator('code').innerText()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-supplier-phone-link')
  await page.keyboard.press('Escape')
  await rowsOf(page, LINKS).filter({ hasText: 'Phone of the Gannet' }).filter({ hasText: 'Ada' }).waitFor()
  await assertAccessibleAcross(page)

  await phone.page.goto(link)
  await phone.page.getByRole('button', { name: 'Let this phone sign' }).click()
  await phone.page.getByText('This phone signs its readings, as Phone of the Gannet.').waitFor()
  await openManaged(page, '/manage/supplier')
  await eventually(() => rowsOf(page, LINKS).count(), 0, 'a link that was used is not open')

  const lost = await makeLink(page, 'Phone that was lost')
  await press(page, 'Revoke the link of Phone that was lost')
  await page.keyboard.press('Escape')
  await eventually(() => rowsOf(page, LINKS).count(), 1, 'nothing was revoked yet')
  await press(page, 'Revoke the link of Phone that was lost')
  await press(page, 'Revoke it for good')
  await page.getByText('The link of Phone that was lost no longer works.').waitFor()
  await rowsOf(page, LINKS).waitFor({ state: 'detached' })
  assert.equal(await focused(page), 'Suppliers')
  await using another = await visit(field.url)
  const answer = await another.page.request.post('/api/user/signIn', {
    data: { email: 'ada@example.org', password: 'saltwater' },
  })
  assert.ok(answer.ok(), await answer.text())
  another.expectProblem(/status of 4\d\d/)
  await another.page.goto(lost)
  await another.page.getByRole('button', { name: 'Let this phone sign' }).click()
  await another.page.getByText('This link is not valid.', { exact: false }).waitFor()
})

test('an invitation is revoked after a question, and the focus goes to the next one', async () => {
  const fisher = { traderID: 'T-1', traderName: 'Bo', companyName: '', boat: '', address: '' }
  for (const email of ['cy@example.org', 'bo@example.org'])
    await field.manage('/api/manage/supplier/invitation', { email, fisher })
  await using manager = await openSuppliers()
  const { page } = manager
  await press(page, 'Revoke the invitation of bo@example.org')
  await press(page, 'Cancel')
  await eventually(() => rowsOf(page, INVITATIONS).count(), 2)
  await press(page, 'Revoke the invitation of bo@example.org')
  await press(page, 'Revoke it for good')
  await page.getByText('The link sent to bo@example.org no longer works.').waitFor()
  await rowsOf(page, INVITATIONS).filter({ hasText: 'bo@example.org' }).waitFor({ state: 'detached' })
  await eventually(
    () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    'Revoke the invitation of cy@example.org',
  )
})

test('labels are allotted; a catch under another number waits until a manager records it, or says why not', async () => {
  await using phone = await startPhone(await field.newPhone())
  const at = phone.page
  await here(phone.context, field.url)
  await field.joinShop(at, 'Cora')
  await using manager = await openSuppliers()
  const { page } = manager
  await press(page, 'Labels of Cora Sample')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First number').fill('B-')
  await dialog.getByLabel('How many').fill('3')
  await press(page, 'Allot')
  await dialog.getByText('must end with a digit').waitFor()
  await dialog.getByLabel('First number').fill('B-001')
  await press(page, 'Allot')
  await dialog.getByText('B-001 to B-003 are allotted to Cora Sample.').waitFor()
  await assertAccessibleAcross(page)
  await press(page, 'Print B-001 to B-003')
  assert.match(await saved(page, () => press(page, 'Save the labels')), /^%PDF-1/)
  await dialog.getByText('3 labels are saved as labels.pdf.').waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-supplier-labels')
  await page.keyboard.press('Escape')

  await at.reload()
  await at.getByRole('button', { name: 'New catch' }).click()
  await at.getByText('3 of your labels are free').waitFor()
  await assertAccessible(at)
  await saveScreenshot(at, 'field-labels')
  await at.getByRole('button', { name: 'Use label B-001' }).click()
  await at.getByText('Snapper', { exact: true }).click()
  await at.getByRole('button', { name: 'Save catch' }).click()
  await untilSent(at)
  assert.equal((await fetch(`${field.url}/api/box/B-001`)).status, 200)
  for (const box of ['Z-1', 'Z-2']) {
    await at.getByRole('button', { name: 'New catch' }).click()
    await at.getByLabel('Box number').fill(box)
    await at.getByText(`${box} is neither of a label that was allotted to you`).waitFor()
    await at.getByText('Snapper', { exact: true }).click()
    await at.getByRole('button', { name: 'Save catch' }).click()
    await untilSent(at)
  }
  await at.getByText('looks at it before it is recorded').first().waitFor()
  assert.equal((await fetch(`${field.url}/api/box/Z-1`)).status, 404)
  await at.getByRole('button', { name: 'My boxes' }).click()
  await at.getByText('This number is not of a label of yours').first().waitFor()
  const labels = at.getByRole('region', { name: 'My labels' })
  await labels.getByText('2 free').waitFor()
  await labels.getByText('Print them').click()
  await labels.getByText('Thermal printer (ZPL)').click()
  const printed = await saved(at, () => labels.getByRole('button', { name: 'Save the labels' }).click())
  assert.deepEqual(printed.match(/(?<=byId\/)B-\d+/g), ['B-002', 'B-003'], 'those that follow the used one')
  await labels.getByLabel('From number').fill('B-001')
  await labels.getByRole('button', { name: 'Save the labels' }).click()
  await labels.getByText('B-001 is used by a box already.').waitFor()
  await assertAccessible(at)
  await saveScreenshot(at, 'field-print-labels')

  await openManaged(page, '/manage/supplier')
  await rowsOf(page, CATCHES).filter({ hasText: 'Z-2' }).filter({ hasText: 'Snapper' }).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-supplier-catches')
  await press(page, 'Record the catch of box Z-1')
  await page.getByText('The catch of box Z-1 was recorded.').waitFor()
  await press(page, 'Refuse the catch of box Z-2')
  await press(page, 'Refuse it')
  await page.getByText('is required when a catch is refused').waitFor()
  await page.getByLabel('Why').fill('Z-2 is a label of the market')
  await press(page, 'Refuse it')
  await page.getByText('The catch of box Z-2 was refused: nothing was recorded.').waitFor()
  await rowsOf(page, CATCHES).waitFor({ state: 'detached' })

  await at.reload()
  await at.getByText('The catch was not recorded: Z-2 is a label of the market').waitFor()
  await at.getByRole('link', { name: 'Z-1' }).waitFor()
  await assertAccessible(at)
  await saveScreenshot(at, 'field-catches-decided')
  assert.equal((await fetch(`${field.url}/api/box/Z-2`)).status, 404)

  await press(page, 'Labels of Cora Sample')
  await press(page, 'Take back B-001 to B-003')
  await dialog.getByText('B-001 to B-003 are not Cora Sample’s any more.').waitFor()
  assert.equal((await fetch(`${field.url}/api/box/B-001`)).status, 200, 'what is registered stays')
})
