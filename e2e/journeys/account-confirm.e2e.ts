import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertLoggedIn, logOut } from '../support/account.ts'
import { openManaged, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const server = await startForFile(startServer())

/** What the server answers ten minutes after the last time; `sessions/confirmed.test.ts` shows that it does. */
const asksAgain = {
  status: 403,
  json: {
    error: {
      code: 'auth.confirm',
      message: 'Please confirm with your password or a passkey that it is you.',
    },
  },
}

test('what needs the password again asks for it over the form, and goes on with what was typed', async () => {
  await using at = await visitAsManager(server, '/manage')
  at.expectProblem(/status of 40[03]/)
  const { page } = at
  let asked = 0
  await page.route('**/api/key', (route) =>
    route.request().method() === 'POST' && asked++ < 2 ? route.fulfill(asksAgain) : route.continue(),
  )
  await openManaged(page, '/manage/key')
  await page.getByRole('heading', { name: 'Create API key' }).click()
  const form = page.getByRole('form', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Logger on the Gannet')
  await form.getByLabel('record:write').check()
  await form.getByRole('button', { name: 'Create key' }).click()

  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'confirm-identity')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Not confirmed: nothing was changed.').waitFor()
  assert.equal(await form.getByLabel('Name').inputValue(), 'Logger on the Gannet')

  await form.getByRole('button', { name: 'Create key' }).click()
  const password = dialog.getByRole('textbox', { name: 'Your password', exact: true })
  await password.fill('wrong')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('the password is wrong').waitFor()
  await password.fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Key “Logger on the Gannet”' }).waitFor()
  assert.equal(await dialog.count(), 0)
  assert.equal(asked, 3)
})

test('logging out in one tab is seen in the others at once', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  const other = await at.context.newPage()
  await other.goto(`${server.url}/`)
  await assertLoggedIn(other, 'Admin')
  await logOut(page, 'Admin')
  await other.getByRole('link', { name: 'Log in' }).first().waitFor()
})
