import type { Page } from 'playwright-core'
import type { Server } from './server.ts'

/** What the shop sells, as the cart's lines begin. */
type Sold = { _id: string; title: string; price: number; stock: number } & Record<string, unknown>

/** A line as the browser keeps it. Source: domain/src/cart.ts. */
const storedLine = ({ price, ...product }: Sold) => {
  const { _id, title, imagePaths, includeGST, unit, shelfPos, status, description, discount, stock } = product
  const kept = { _id, title, imagePaths, includeGST, unit, shelfPos, status, description, discount, stock }
  return { ...kept, priceCents: Math.round(price * 100), quantity: 1 }
}

/** Lines of products of the shop, one of each. */
export async function linesOf(server: Server, titles: readonly string[]) {
  const sold: Sold[] = await (await fetch(`${server.url}/api/product/active`)).json()
  return titles.map((title) => {
    const product = sold.find((one) => one.title === title)
    if (product === undefined) throw new Error(`${title} is not on sale`)
    return storedLine(product)
  })
}

/** Puts lines into the browser's storage and opens the cart. */
export async function openCart(page: Page, lines: readonly object[]): Promise<void> {
  await page.evaluate((text) => localStorage.setItem('befaqt.cart', text), JSON.stringify({ v: 1, lines }))
  await page.goto('/cart')
}

/** 'Pipis 2' for each line of the cart's page, in its order. */
export const shownLines = (page: Page): Promise<string[]> =>
  page
    .getByRole('region', { name: 'In your cart' })
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => `${item.querySelector('h2')?.textContent} ${item.querySelector('output')?.value}`),
    )
