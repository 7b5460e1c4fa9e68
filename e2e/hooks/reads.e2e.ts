import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { visit } from '../support/browser.ts'
import { requestsOf, serveHookPages } from '../support/hook-pages.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const pages = await startForFile(serveHookPages())

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

test('useRead shows the answer to what was asked last, keeps it when another can’t be had, and reads again when asked', async () => {
  await using at = await visit(`${pages.url}/elsewhere`)
  at.expectProblem(/404/)
  const { page } = at
  const [first, second] = [await requestsOf(page, '/data/first'), await requestsOf(page, '/data/second')]
  await page.goto(`${pages.url}/read`)
  const slow = await first()
  await press(page, 'Second thing')
  await (await second()).answer('second')
  await page.getByRole('status').getByText('second', { exact: true }).waitFor()
  await slow.answer('first')
  await press(page, 'Again')
  await (await second()).reject(404, { code: 'box.not_found', message: 'There is no such box.' })
  await page.getByRole('alert').getByText('There is no such box.').waitFor()
  await eventually(
    () => page.getByRole('status').textContent(),
    'second',
    'a late answer to an earlier question is old',
  )
  await press(page, 'Again')
  await (await second()).answer('second, newer')
  await page.getByRole('status').getByText('second, newer').waitFor()
  await eventually(() => page.getByRole('alert').count(), 0)
})

test('usePages reads one page at a time, keeps what it has when one can’t be had, and begins anew with another list', async () => {
  await using at = await visit(`${pages.url}/elsewhere`)
  at.expectProblem(/503/)
  const { page } = at
  const next = await requestsOf(page, '/data/')
  await page.goto(`${pages.url}/pages`)
  const first = await next()
  await first.answer({ rows: ['a', 'b'], page: 1, size: 2, total: 5 })
  await page.getByText('2 of 5').waitFor()
  await page.getByRole('button', { name: 'More' }).dblclick()
  const second = await next()
  assert.equal(second.url.search, '?page=2')
  await second.reject(503, { code: 'unavailable', message: 'The shop is away.' })
  await page.getByText('The shop is away.').waitFor()
  await page.getByText('a b', { exact: true }).waitFor()
  await press(page, 'More')
  const again = await next()
  assert.equal(again.url.search, '?page=2', 'neither skipped nor read twice at once')
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await again.answer({ rows: ['b', 'c'], page: 2, size: 2, total: 5 })
  await page.getByText('a b c', { exact: true }).waitFor()
  await press(page, 'More')
  const late = await next()
  await press(page, 'Second list')
  const other = await next()
  assert.equal(`${other.url.pathname}${other.url.search}`, '/data/second?page=1')
  await other.answer({ rows: ['x'], page: 1, size: 2, total: 1 })
  await page.getByText('1 of 1').waitFor()
  await late.answer({ rows: ['d'], page: 3, size: 2, total: 5 })
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
  await eventually(() => page.locator('main p').first().textContent(), 'x')
  await eventually(() => page.getByRole('button', { name: 'More' }).count(), 0)
})

test('useEarlyTap takes a press of what is not hydrated yet for one, whether React had begun or not', async () => {
  for (const isBegun of [false, true]) {
    await using at = await visit(`${pages.url}/early-tap`)
    const button = at.page.getByRole('button')
    await button.evaluate((element, begin) => {
      const start = () => element.dispatchEvent(new Event('focus'))
      if (begin) start()
      if (element instanceof HTMLElement) element.click()
      if (!begin) start()
    }, isBegun)
    await eventually(() => button.textContent(), '1')
    await button.click()
    await eventually(() => button.textContent(), '2')
  }
})
