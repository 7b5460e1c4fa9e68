import { test } from 'node:test'
import { assertAccessibleAcross, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const server = await startForFile(startServer())

test('an owner makes a backup of a running shop, and reads what it lacks', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Backups' }).click()
  await page.getByText('There is no backup of this shop here.').waitFor()
  await page.getByText('No backup was ever tried').waitFor()
  const form = page.getByRole('form', { name: 'Make a backup' })
  await form.getByLabel('Passphrase', { exact: true }).fill('short')
  await form.getByRole('button', { name: 'Make backup' }).click()
  await form.getByText('must have 12 or more characters').waitFor()
  await assertAccessibleAcross(page)
  await form.getByLabel('Passphrase', { exact: true }).fill('ice and salt and a long night')
  await form.getByRole('button', { name: 'Make backup' }).click()
  const row = page.getByRole('table', { name: 'Backups' }).getByRole('row').nth(1)
  await row.getByText('encrypted, with the key').waitFor({ timeout: 120_000 })
  await row.getByText('Nothing').waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-backup')
})
