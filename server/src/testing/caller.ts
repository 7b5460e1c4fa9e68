import type { Role } from '@befaqt/domain/fields'
import type { Right } from '@befaqt/domain/rights'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { startSession } from '#server/accounts/sessions/sessions.ts'
import { users } from '#server/db/schema/accounts.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { TestShop } from './shop.ts'

/** Calls the shop as a signed-in person, with their token. */
export type Caller = (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  payload?: InjectOptions['payload'],
  headers?: Record<string, string>,
) => Promise<LightMyRequestResponse>

/** Somebody who owns the shop, for what is called without a request. */
export const owner: Principal = {
  kind: 'user',
  userId: 'owner',
  fname: 'Olga',
  role: 'ADMIN',
  rights: [],
  sessionId: 'none',
  via: 'bearer',
}

/** Creates an account with `role`, and rights at the desk, and signs it in. */
export async function callerOf(
  shop: TestShop,
  id: string,
  role: Role,
  rights: Right[] = [],
): Promise<Caller> {
  const email = `${id}@example.org`
  const names = { fname: id, lname: 'Sample', phone: '0400 000 000' }
  await shop.deps.db
    .insert(users)
    .values({ id, ...names, email, emailKey: email, role, rights, status: 'ACTIVE', passwordHash: 'none' })
  const client = { device: 'test', address: '127.0.0.1', network: '127.0.0.1', deviceToken: undefined }
  const { token } = await shop.deps.db.transaction((tx) => startSession(tx, id, client, shop.deps.now()))
  return (method, url, payload, headers) =>
    shop.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
}
