import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleAcross, press, rowsOf, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const rowOf = (page: Page, list: string, name: string) => rowsOf(page, list).filter({ hasText: name })

/** The status of a request with this key to a route that needs a right. */
const answerTo = async (key: string, path: string): Promise<number> =>
  (await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).status

test('an API key is created for a machine, shown once, works within its rights, and is revoked', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Keys' }).click()
  await rowOf(page, 'Keys', 'operator').getByText('the shop itself').waitFor()
  await page.getByRole('heading', { name: 'Create API key' }).click()
  const form = page.getByRole('form', { name: 'Create API key' })
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText('name is required').waitFor()
  await form.getByText('rights are required').waitFor()
  await form.getByLabel('Name').fill('Logger on the Gannet')
  await form.getByLabel('shop:write').check()
  await form.getByLabel('record:write').check()
  await form.getByLabel(/Only for these boxes/).fill('no/box')
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText(/must be 1 to 64 letters/).waitFor()
  await form.getByLabel(/Only for these boxes/).fill('0345579444\n0345579445')
  await assertAccessibleAcross(page)
  await form.getByRole('button', { name: 'Create key' }).click()

  const shown = page.getByRole('region', { name: 'Key “Logger on the Gannet”' })
  const key = await shown.getByLabel('Key').inputValue()
  assert.match(key, /^befaqt_[\w-]{43}$/)
  await at.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await shown.getByRole('button', { name: 'Copy' }).click()
  await shown.getByRole('button', { name: 'Copied' }).waitFor()
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()), key)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-key')
  assert.equal(await answerTo(key, '/api/product'), 200)
  assert.equal(await answerTo(key, '/api/user/all'), 403)
  await shown.getByRole('button', { name: 'I’ve saved it' }).click()
  await shown.waitFor({ state: 'detached' })
  await page.reload()
  const row = rowOf(page, 'Keys', 'Logger on the Gannet')
  await row.getByText('0345579444, 0345579445').waitFor()
  await row.getByText('Admin Admin').waitFor()
  await row.getByText('never used').waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(key))

  await press(page, 'Revoke Logger on the Gannet')
  const ask = page.getByRole('dialog', { name: 'Revoke Logger on the Gannet?' })
  await ask.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await answerTo(key, '/api/product'), 200)
  await press(page, 'Revoke Logger on the Gannet')
  await ask.getByRole('button', { name: 'Revoke it for good' }).click()
  await page.getByText('Revoked Logger on the Gannet.').waitFor()
  await row.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.ariaLabel?.startsWith('Revoke operator'))
  assert.equal(await answerTo(key, '/api/product'), 401)
  await page.getByText('1 revoked key', { exact: true }).click()
  await rowOf(page, 'Revoked keys', 'Logger on the Gannet').getByText('revoked', { exact: true }).waitFor()
  await press(page, 'History of Logger on the Gannet')
  const history = page.getByRole('dialog', { name: 'History of Logger on the Gannet' })
  await history.getByText('created this').waitFor()
  await history.getByText('Admin Admin').first().waitFor()
})

test('the list of keys fits a phone', async () => {
  await using at = await visitAsManager(server, '/manage/key', { viewport: { width: 390, height: 844 } })
  const { page } = at
  await rowOf(page, 'Keys', 'operator').waitFor()
  await saveScreenshot(page, 'manage-key-phone')
  await page.getByRole('button', { name: /^Revoke operator at / }).click()
  const ask = page.getByRole('dialog', { name: /^Revoke operator at .*\?$/ })
  await ask.getByText('It makes them a new one at its next start.', { exact: false }).waitFor()
  await ask.getByRole('button', { name: 'Cancel' }).click()
})
