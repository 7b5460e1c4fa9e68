import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { signInByApi } from '../support/account.ts'
import { type Visit, visit } from '../support/browser.ts'
import { type Field, startField } from '../support/field.ts'
import { assertAccessibleAcross, desktop, openManaged, press, rowsOf } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin } from '../support/server.ts'

const LINKS = 'Open links of phones'
const INVITATIONS = 'Open invitations'

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
  assert.equal(await name.getAttribute('aria-invalid'), 'true', 'a phone without a name')
  await name.fill('Phone of the Gannet')
  manager.expectProblem(/phone.*ERR_FAILED|Failed to load resource/)
  await page.route('**/api/manage/supplier/*/phone', (route) => route.abort('failed'), { times: 1 })
  await press(page, 'Make the link')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  assert.equal(await name.inputValue(), 'Phone of the Gannet')
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
  assert.equal(await rowsOf(page, LINKS).count(), 0, 'a link that was used is not open')

  const lost = await makeLink(page, 'Phone that was lost')
  await press(page, 'Revoke the link of Phone that was lost')
  await page.keyboard.press('Escape')
  assert.equal(await rowsOf(page, LINKS).count(), 1, 'nothing was revoked yet')
  await press(page, 'Revoke the link of Phone that was lost')
  await press(page, 'Revoke it for good')
  await page.getByText('The link of Phone that was lost works no more.').waitFor()
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
  assert.equal(await rowsOf(page, INVITATIONS).count(), 2)
  await press(page, 'Revoke the invitation of bo@example.org')
  await press(page, 'Revoke it for good')
  await page.getByText('The link sent to bo@example.org works no more.').waitFor()
  await rowsOf(page, INVITATIONS).filter({ hasText: 'bo@example.org' }).waitFor({ state: 'detached' })
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    'Revoke the invitation of cy@example.org',
  )
})
