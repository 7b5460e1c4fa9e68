import { type Account, ProfileInput } from '@befaqt/domain/account'
import { ProfileView } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/account'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { recoveryCodesLeft } from '#server/accounts/credentials/second-factor.ts'
import type { Db } from '#server/db/client.ts'
import { shownFields, storedColumns } from '#server/db/column-map.ts'
import { users } from '#server/db/schema/accounts.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { type AccountDeps, accountColumns, emailKey, lockUser, type UserRow, userById } from './account.ts'
import { listAddresses } from './addresses.ts'

const own = { access: 'user', limits: 'account', responses: { 200: ProfileView } } as const

export const profileOperations = defineRoutes(endpoints, {
  readProfile: { ...own, summary: 'Own profile, with the delivery addresses that it keeps.' },
  updateProfile: { ...own, summary: 'Change own names and phone.', body: ProfileInput },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const profileReads = {
  readProfile: ({ db }, { principal }) => readProfile(db, requireUser(principal).userId),
} satisfies Reads<typeof profileOperations, Pick<AccountDeps, 'db'>>

/** One's own account. Whose it is comes from the session, never from the request. */
export function profileRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerReads(app, profileOperations, profileReads, deps)
  registerRoute(app, profileOperations.updateProfile, ({ principal, body }) =>
    updateProfile(deps, requireUser(principal).userId, body),
  )
}

/** An account as its owner and managers may see it: no credentials. */
export const accountView = (user: UserRow): Account => ({
  _id: user.id,
  ...shownFields(accountColumns, user),
})

const gone = () => new ShopError('auth.required', 'Please log in.')

/** The user's own account. @throws ShopError `auth.required` when it was deleted in the meantime */
async function readProfile(db: Db, userId: string): Promise<ProfileView> {
  const user = await userById(db, userId)
  if (user === undefined) throw gone()
  return {
    ...accountView(user),
    twoFa: user.totpConfirmedAt !== null,
    recoveryCodesLeft: await recoveryCodesLeft(db, userId),
    addresses: await listAddresses(db, userId),
  }
}

/**
 * Changes the names and phone of the user's own account, and nothing else. The email is shown but not editable
 * (spec §2): the current one may be sent along, another is rejected.
 * @throws ShopError `input.invalid` at `email`
 */
async function updateProfile(deps: AccountDeps, userId: string, input: ProfileInput): Promise<ProfileView> {
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (user === undefined) throw gone()
    if (input.email !== undefined && emailKey(input.email) !== user.emailKey) {
      const message = 'email cannot be changed'
      throw new ShopError('input.invalid', `email: ${message}`, { fields: [{ path: 'email', message }] })
    }
    const { email: _, ...typed } = input
    await tx
      .update(users)
      .set({ ...storedColumns(accountColumns, typed), version: user.version + 1, updatedAt: deps.now() })
      .where(eq(users.id, userId))
  })
  return readProfile(deps.db, userId)
}
