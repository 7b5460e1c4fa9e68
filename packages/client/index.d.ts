import type { Client } from 'openapi-fetch'
import type { paths } from './api.js'

export type { components, operations, paths } from './api.js'

export interface ShopClientOptions {
  /** A key of a machine, or the token that signing in returned; a function is asked before every call. */
  readonly token?: string | (() => string | undefined) | undefined
  /** Instead of the platform's own. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/**
 * Calls of one shop: `GET`, `POST`, `PUT`, `PATCH` and `DELETE`, each with a path of the API. A call resolves to `data` of a
 * success or to `error`, and rejects only where the network fails.
 * @param baseUrl the shop's address, as `https://shop.example`
 */
export declare function shopClient(baseUrl: string, options?: ShopClientOptions): Client<paths>
