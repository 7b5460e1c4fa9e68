import { callJson } from './order.ts'
import { productNamed } from './products.ts'
import type { Server } from './server.ts'

/** Whoever registers the boxes of tests. */
export const fisher = {
  traderID: 'SAMPLE-78',
  traderName: 'Sample Fisher',
  companyName: '',
  boat: '',
  address: '',
}

/** Kilograms of a product that come from a box. */
const BOX_KG = 5

/** Registers a box as the only one that the product with this title comes from, 5 kg of it. */
export async function registerOnlyBox(server: Server, boxID: string, title: string): Promise<void> {
  await registerBox(server, boxID)
  const { _id } = await productNamed(server, title)
  await callJson(server, 'PUT', `/api/product/${_id}/boxes`, [{ boxID, quantity: BOX_KG }])
}

/** Registers a box, from which 5 kg of the product with this title come, if one is named. */
export async function registerBox(server: Server, boxID: string, title?: string): Promise<void> {
  await callJson(server, 'POST', '/api/box/registration', { boxID, fisher })
  if (title === undefined) return
  const { _id } = await productNamed(server, title)
  await callJson(server, 'PUT', `/api/box/${boxID}/products`, [{ product_id: _id, quantity: BOX_KG }])
}
