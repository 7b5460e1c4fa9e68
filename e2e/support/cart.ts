import type { Page } from 'playwright-core'
import type { Server } from './server.ts'

/** Fields of a product in the cart's lines. */
type Sold = { _id: string; title: string; price: number; stock: number } & Record<string, unknown>

/** A line as the browser stores it. Source: domain/src/cart.ts. */
const storedLine = ({ price, ...product }: Sold) => {
  const { _id, title, imagePaths, includeGST, unit, shelfPos, status, description, discount, stock } = product
  const kept = { _id, title, imagePaths, includeGST, unit, shelfPos, status, description }
  return { ...kept, quantity: 1, discount, stock, priceCents: Math.round(price * 100) }
}

/** Lines with one of each of these products. */
export async function linesOf(server: Server, titles: readonly string[]) {
  const sold: Sold[] = await (await fetch(`${server.url}/api/product/active`)).json()
  return titles.map((title) => {
    const product = sold.find((one) => one.title === title)
    if (product === undefined) throw new Error(`${title} is not on sale`)
    return storedLine(product)
  })
}

/** Writes lines to the browser's storage and opens the cart. */
export async function openCart(page: Page, lines: readonly object[]): Promise<void> {
  await page.evaluate((text) => localStorage.setItem('befaqt.cart', text), JSON.stringify({ v: 1, lines }))
  await page.goto('/cart')
}

/** 'Pipis 2' for each line on the cart's page, in order. */
export const shownLines = (page: Page): Promise<string[]> =>
  page
    .getByRole('region', { name: 'In your cart' })
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => `${item.querySelector('h2')?.textContent} ${item.querySelector('input')?.value}`),
    )

/** Waits until the cart's page shows so many of a product. */
export const quantityIs = (page: Page, title: string, quantity: number): Promise<void> =>
  page
    .getByLabel(`Quantity of ${title}`)
    .and(page.locator(`[value="${quantity}"]`))
    .waitFor()
