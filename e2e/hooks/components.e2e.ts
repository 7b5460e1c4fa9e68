import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, assertNoSidewaysScroll } from '../support/accessible.ts'
import { visit } from '../support/browser.ts'
import { serveHookPages } from '../support/hook-pages.ts'
import { startForFile } from '../support/start.ts'

const pages = await startForFile(serveHookPages())

test('every component is accessible in each of its states, in light and in dark beside it, and fits a phone', async () => {
  await using at = await visit(`${pages.url}/components`)
  const { page } = at
  await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor()
  const ground = (scheme: string): Promise<string> =>
    page.getByRole('heading', { name: `In ${scheme}` }).evaluate((element) => {
      const side = element.parentElement
      return side ? getComputedStyle(side).backgroundColor : ''
    })
  assert.notEqual(await ground('light'), await ground('dark'))
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
  }
})

test('the dialog of the components takes the focus, closes with Escape and gives it back', async () => {
  await using at = await visit(`${pages.url}/components`)
  const { page } = at
  const open = page.getByRole('region', { name: 'A dialog, dark' }).getByRole('button', { name: 'Open' })
  await open.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'A dialog in dark' })
  await dialog.getByLabel('Name').waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.waitForFunction(() => document.activeElement?.textContent === 'Open')
})
