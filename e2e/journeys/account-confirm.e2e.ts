import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertLoggedIn, logOut } from '../support/account.ts'
import { openManaged, visitAsManager } from '../support/manager.ts'
import { startServerOnPostgres, withoutPostgres } from '../support/postgres.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'
import { eventually } from '../support/within.ts'

const empty = { env: { SAMPLE_DATA: 'off' } }

test('what needs the password again asks for it over the form, and goes on with what was typed', {
  skip: withoutPostgres,
}, async () => {
  await using server = await startServerOnPostgres(empty)
  const elevenMinutesPass = () =>
    server.query("update sessions set confirmed_at = confirmed_at - interval '11 minutes'")
  const keysMade = async () =>
    (await server.query<{ name: string }>("select name from api_keys where name like '%Gannet'")).length
  await using at = await visitAsManager(server, '/manage')
  at.expectProblem(/status of 40[03]/)
  const { page } = at
  await openManaged(page, '/manage/key')
  await page.getByRole('heading', { name: 'Create API key' }).click()
  const form = page.getByRole('form', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Logger on the Gannet')
  await form.getByLabel('record:write').check()
  await elevenMinutesPass()
  await form.getByRole('button', { name: 'Create key' }).click()

  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'confirm-identity')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Not confirmed: nothing was changed.').waitFor()
  await eventually(() => form.getByLabel('Name').inputValue(), 'Logger on the Gannet')
  assert.equal(await keysMade(), 0)

  await form.getByRole('button', { name: 'Create key' }).click()
  const password = dialog.getByRole('textbox', { name: 'Your password', exact: true })
  await password.fill('wrong')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('the password is wrong').waitFor()
  assert.equal(await keysMade(), 0)
  await password.fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Key “Logger on the Gannet”' }).waitFor()
  await eventually(() => dialog.count(), 0)
  assert.equal(await keysMade(), 1)
})

test('logging out in one tab is seen in the others at once, and what only a manager sees is gone there', async () => {
  await using server = await startServer(empty)
  await using at = await visitAsManager(server, '/manage')
  const { page, context } = at
  at.expectProblem(/status of 40[13]/)
  const other = await context.newPage()
  await other.goto(`${server.url}/`)
  await assertLoggedIn(other, 'Admin')
  const list = await context.newPage()
  await openManaged(list, `${server.url}/manage/user`)
  const address = list.getByText(admin.email).first()
  await address.waitFor()
  await logOut(page, 'Admin')
  await other.getByRole('link', { name: 'Log in' }).first().waitFor()
  await address.waitFor({ state: 'detached' })
  await list.getByRole('heading', { name: 'Please log in' }).waitFor()
})
