import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Server } from './server.ts'

/** Some fields of a product as managers read it. */
export type Product = {
  _id: string
  title: string
  category_id: string
  price: number
  discount: number
  stock: number
  status: string
  images: { path: string; alt: string }[]
}

/** All products, on sale or not. */
export const productsOf = async (server: Server): Promise<Product[]> =>
  (await server.call('/api/product')).json()

/** The product with this title. Fails if there is none. */
export async function productNamed(server: Server, title: string): Promise<Product> {
  const found = (await productsOf(server)).find((one) => one.title === title)
  assert.ok(found, `${title} is in the shop`)
  return found
}

/** The edit form of a product's row. */
export const editOf = (page: Page, title: string) => page.getByRole('form', { name: `Edit ${title}` })
