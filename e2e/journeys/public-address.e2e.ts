import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLoggedIn, logIn } from '../support/account.ts'
import { visit } from '../support/browser.ts'
import { admin, startServer } from '../support/server.ts'

test('a shop opened as 127.0.0.1 redirects to its public URL before anything is typed or put into the cart', async () => {
  await using server = await startServer()
  const home = new URL(server.url)
  const typed = `http://127.0.0.1:${home.port}`
  const products: { _id: string; title: string; stock: number }[] = await (
    await fetch(`${typed}/api/product/active`)
  ).json()
  const fish = products.find(({ stock }) => stock > 1)
  assert.ok(fish)
  await using visitor = await visit(server.url, { viewport: { width: 1280, height: 900 }, baseURL: typed })
  visitor.expectProblem(/^request to elsewhere: http:\/\/127\.0\.0\.1:\d+\/[^.]*$/) // pages, no file and no call
  const { page } = visitor
  await page.goto(`/product/${fish._id}?from=mail`)
  assert.equal(page.url(), `${home.origin}/product/${fish._id}?from=mail`)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByText(/^Added\. 1 .* in your cart\.$/).waitFor()
  await logIn(page, admin)
  await assertLoggedIn(page, 'Admin')
  await page.goto(typed)
  assert.equal(page.url(), `${home.origin}/`)
  await assertLoggedIn(page, 'Admin')
  await page.goto('/cart')
  assert.equal(page.url(), `${home.origin}/cart`)
  await page.getByRole('main').getByText(fish.title).first().waitFor()
  await page.goto('/manage/user')
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(page.url(), `${home.origin}/manage/user`)
})
