import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Server } from './server.ts'

/** A product as managers read it; more is in it. */
export type Product = {
  _id: string
  title: string
  price: number
  stock: number
  images: { path: string; alt: string }[]
}

/** Everything that the shop has, on sale or not. */
export const productsOf = async (server: Server): Promise<Product[]> =>
  (await server.call('/api/product')).json()

/** The product of this title. Fails where there is none. */
export async function productNamed(server: Server, title: string): Promise<Product> {
  const found = (await productsOf(server)).find((one) => one.title === title)
  assert.ok(found, `${title} is in the shop`)
  return found
}

/** The edit form of a product's row. */
export const editOf = (page: Page, title: string) => page.getByRole('form', { name: `Edit ${title}` })
