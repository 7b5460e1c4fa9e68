import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleAcross, banner, openManaged, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

type DeskView = { _id: string; name: string; query: string; shared: boolean; opens: boolean }

const VIEWS = '/api/manage/desk/view'
/** Calls the shop as the person whose page it is: views are people's. */
const calling =
  (page: Page) =>
  async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const [isOk, text] = await page.evaluate(
      async ([method, path, body]) => {
        const headers = { 'content-type': 'application/json' }
        const reply = await fetch(path, body === undefined ? { method } : { method, headers, body })
        return [reply.ok, await reply.text()] as const
      },
      [method, path, body && JSON.stringify(body)] as const,
    )
    assert.ok(isOk, text)
    return JSON.parse(text === '' ? 'null' : text)
  }

test('a list is kept as a view, changed, opened with, deleted and brought back', async () => {
  await using at = await visitAsManager(server, '/manage/product')
  at.expectProblem(/status of 409/)
  const { page } = at
  const tabs = page.getByRole('navigation', { name: 'Views' })
  const current = () => tabs.locator('[aria-current=true]').textContent()
  const asks = () => new URL(page.url()).searchParams
  assert.equal(
    await page.getByRole('button', { name: 'Save as a view' }).count(),
    0,
    'the list as it is has nothing to keep',
  )

  await page.getByRole('search').getByLabel('Status').selectOption('INACTIVE')
  await press(page, 'Save as a view')
  await page.getByLabel('Name', { exact: true }).fill('Off the shelf')
  await press(page, 'Save view')
  await page.getByText('Saved Off the shelf.').waitFor()
  await eventually(current, 'Off the shelf')
  assert.equal(asks().get('status'), 'INACTIVE')

  await page.getByLabel('Sort by').selectOption('price')
  await eventually(async () => asks().get('sort'), 'price')
  assert.ok(asks().has('view'), 'what is narrowed further is still of the view')
  await press(page, 'Save changes to view')
  await page.getByText('Saved Off the shelf as the list is now.').waitFor()
  await tabs.getByRole('link', { name: 'Standard' }).click()
  await eventually(current, 'Standard')
  await eventually(() => page.getByRole('search').getByLabel('Status').inputValue(), '')
  await tabs.getByRole('link', { name: 'Off the shelf' }).click()
  await eventually(() => page.getByLabel('Sort by').inputValue(), 'price')

  await page.getByLabel('Search products').fill('ling')
  await page.getByLabel('Search products').press('Enter')
  await eventually(async () => asks().get('q'), 'ling')
  await press(page, 'Save as another view')
  await page.getByLabel('Name', { exact: true }).fill('OFF THE SHELF')
  await press(page, 'Save view')
  await page.getByText('You have a view of this name already', { exact: false }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Ling')
  await press(page, 'Save view')
  await eventually(current, 'Ling')
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-views')

  await press(page, 'View settings')
  await press(page, 'Open the list with this view')
  await page.getByText('The list opens with Ling from now on.').waitFor()
  await openManaged(page, '/manage/product')
  await eventually(current, 'Ling')
  assert.equal(asks().get('q'), 'ling', 'also as a document')
  await page.getByRole('link', { name: 'Clear' }).click()
  await eventually(current, 'Standard')
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Today' }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Products' }).click()
  await eventually(current, 'Ling')

  await press(page, 'View settings')
  await page.getByLabel('Name', { exact: true }).fill('Only ling')
  await page.getByLabel('Everybody who may see this list has it, too').check()
  await press(page, 'Save')
  await eventually(current, 'Only ling')
  await press(page, 'View settings')
  await press(page, 'Delete view')
  await page.getByText('Deleted Only ling.').waitFor()
  await eventually(current, 'Standard')
  await press(page, 'Undo')
  await page.getByText('Only ling is back.').waitFor()
  await eventually(current, 'Only ling')

  const { views } = await calling(page)<{ views: DeskView[] }>('GET', `${VIEWS}?list=product`)
  const id = views.find(({ name }) => name === 'Only ling')?._id
  assert.deepEqual(
    views.map(({ name, query, shared, opens }) => [name, query, shared, opens]),
    [
      ['Off the shelf', 'status=INACTIVE&sort=price', false, false],
      ['Only ling', 'q=ling&status=INACTIVE&sort=price', true, true],
    ],
  )
  await calling(page)('DELETE', `${VIEWS}/${id}`)
  await openManaged(page, `/manage/product?q=ling&view=${id}`)
  await page.getByText('This view is not there any more.', { exact: false }).waitFor()
  assert.equal(await page.getByLabel('Search products').inputValue(), 'ling', 'what it asked for stays')
})

test('a view of a category that is gone opens with what is left, and says so', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  const query = `status=ACTIVE&category=${randomUUID()}`
  const view = { list: 'product', name: 'This week', query, shared: false }
  const { _id } = await calling(page)<DeskView>('POST', VIEWS, view)
  await openManaged(page, `/manage/product?${query}&view=${_id}`)
  await page
    .getByText('What this view asks for under “Category” is not there any more.', { exact: false })
    .waitFor()
  assert.equal(await page.getByText('No products match.').count(), 0)
  assert.equal(await page.getByRole('search').getByLabel('Status').inputValue(), 'ACTIVE')
  await calling(page)('PATCH', `${VIEWS}/${_id}`, { name: 'Next week' })
  at.expectProblem(/status of 409/)
  await press(page, 'Save changes to view')
  await banner(page).getByText('Somebody else changed this', { exact: false }).waitFor()
  await eventually(() => page.getByRole('link', { name: 'Next week' }).count(), 1, 'the page was read again')
  await press(page, 'Save changes to view')
  await eventually(() => page.getByText('is not there any more.', { exact: false }).count(), 0)
})

test('on a phone views are a menu, every list has its own, and who is searched for is not kept', async () => {
  await using at = await visitAsManager(server, '/manage', {
    viewport: { width: 360, height: 740 },
  })
  const { page } = at
  const view = { list: 'box', name: 'On the way', query: 'stage=on+the+road', shared: true }
  await calling(page)('POST', VIEWS, view)
  await openManaged(page, '/manage/box')
  await page.getByText('View: Standard').click()
  await page.getByRole('link', { name: 'On the way' }).click()
  await page.getByText('View: On the way').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('stage'), 'on the road')
  await openManaged(page, '/manage/order?status=PACKED&q=ann')
  await press(page, 'Save as a view')
  await page.getByText('What is searched for is not kept', { exact: false }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Packed')
  await press(page, 'Save view')
  await page.getByText('View: Packed').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('q'), null)
  for (const [path, view] of [
    ['/manage/excursion?state=closed', 'Done'],
    ['/manage/slot?kind=delivery', 'By van'],
  ] as const) {
    await openManaged(page, path)
    await press(page, 'Save as a view')
    await page.getByLabel('Name', { exact: true }).fill(view)
    await press(page, 'Save view')
    await page.getByText(`View: ${view}`).waitFor()
  }
})

test('a state of excursions is of the view that is shown, also where another opens', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  const asks = () => Object.fromEntries(new URL(page.url()).searchParams)
  const keep = (name: string, query: string): Promise<DeskView> =>
    calling(page)<DeskView>('POST', VIEWS, { list: 'excursion', name, query, shared: false })
  const { _id: view } = await keep('Going on now', 'state=open')
  await openManaged(page, `/manage/excursion?state=open&view=${view}`)
  const states = page.getByRole('navigation', { name: 'Which excursions' })
  await states.getByRole('link', { name: 'Closed' }).click()
  await eventually(async () => asks(), { state: 'closed', view })
  await press(page, 'Save changes to view')
  await page.getByText('Saved Going on now as the list is now.').waitFor()
  await states.getByRole('link', { name: 'To review' }).click()
  await eventually(async () => asks(), { view })
  await eventually(() => states.locator('[aria-current=true]').textContent(), 'To review')

  const { _id: opening } = await keep('Withdrawn first', 'state=withdrawn')
  await calling(page)('PUT', '/api/manage/desk/opening', { list: 'excursion', view: opening })
  await openManaged(page, '/manage/excursion?state=closed')
  await states.getByRole('link', { name: 'To review' }).click()
  await eventually(async () => asks(), { view: 'all' })
})
