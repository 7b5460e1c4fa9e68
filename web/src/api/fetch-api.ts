import type { ShopApi } from '@befaqt/domain/api/shop-api'
import { fetchJson } from './fetch-json.ts'

const part = encodeURIComponent

const pageQuery = (query: object): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}

/** A list of managers: with a page asked for, the answer is one page. Never from the browser's cache. */
const managed = <Answer>(path: string, query: object): Promise<Answer> =>
  fetchJson(`${path}?${pageQuery({ page: 1, ...query })}`, { cache: 'no-store' })

/** The shop as the browser sees it: every call is one request to /api/…. Failures are `ShopError`s. */
export const fetchApi: ShopApi = {
  site: () => fetchJson('/api/site'),
  viewer: () => fetchJson('/api/viewer', { cache: 'no-store' }),
  content: (slug) => fetchJson(`/api/content/${slug.split('/').map(part).join('/')}`),
  productsActive: () => fetchJson('/api/product/active'),
  categoriesActive: () => fetchJson('/api/category/active'),
  categoryByTitle: (title) => fetchJson(`/api/category/byTitle/${part(title)}`),
  productsByCategory: (id) => fetchJson(`/api/product/byCategory/${part(id)}`),
  product: (id) => fetchJson(`/api/product/${part(id)}`),
  profile: () => fetchJson('/api/user', { cache: 'no-store' }),
  sessions: () => fetchJson('/api/user/sessions', { cache: 'no-store' }),
  passkeys: () => fetchJson('/api/user/passkeys', { cache: 'no-store' }),
  boxPage: (boxID) => fetchJson(`/api/box/${part(boxID)}/page`),
  manageUsers: (query) => managed('/api/user/all', query),
  manageCategories: (query) => managed('/api/category', query),
  manageProducts: (query) => managed('/api/product', query),
  manageBoxes: (query) => managed('/api/manage/box', query),
  manageBox: (boxID) => fetchJson(`/api/manage/box/${part(boxID)}`, { cache: 'no-store' }),
  categoryChoices: () => fetchJson('/api/category', { cache: 'no-store' }),
  history: (query) => managed('/api/history', query),
  heldMail: (query) => managed('/api/manage/mail', query),
  keys: () => fetchJson('/api/key', { cache: 'no-store' }),
  attention: () => fetchJson('/api/manage/attention', { cache: 'no-store' }),
  ledgerHealth: () => fetchJson('/api/chain/health', { cache: 'no-store' }),
  boxes: (query) => fetchJson(`/api/box?${pageQuery(query)}`),
}
