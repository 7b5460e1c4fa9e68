import { BothFactors, ConfirmTwoFa, Reauthentication } from '@befaqt/domain/account'
import { TwoFaSetup } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/sign-in'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type AccountDeps, lockUser, type UserRow } from '#server/accounts/account.ts'
import { mailSecurityEvent } from '#server/accounts/account-emails.ts'
import { codesByUser, consume, limitNotices, reset } from '#server/accounts/limits.ts'
import { users } from '#server/db/schema/accounts.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { qrPath } from '#server/images/qr-path.ts'
import { reauthenticate } from './passwords.ts'
import {
  consumeSecondFactor,
  consumeTotp,
  deleteRecoveryCodes,
  newTotpSecret,
  replaceRecoveryCodes,
  secretContext,
  totpUri,
} from './second-factor.ts'

const own = { access: 'user', limits: 'account' } as const
const RecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) })

const twoFactorOperations = defineRoutes(endpoints, {
  beginTwoFa: {
    ...own,
    summary: 'Begin a second factor.',
    body: Reauthentication,
    responses: { 200: TwoFaSetup },
  },
  confirmTwoFa: {
    ...own,
    summary: 'Confirm it by a code; recovery codes are returned this once.',
    body: ConfirmTwoFa,
    responses: { 200: RecoveryCodes },
  },
  endTwoFa: {
    ...own,
    summary: 'Switch the second factor off.',
    body: BothFactors,
    responses: { 200: Message },
  },
  renewRecoveryCodes: {
    ...own,
    summary: 'Make new recovery codes.',
    body: BothFactors,
    responses: { 200: RecoveryCodes },
  },
})

/** The second factor of one's own account. */
export function twoFactorRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerRoute(app, twoFactorOperations.beginTwoFa, ({ principal, body }) =>
    beginTwoFa(deps, requireUser(principal).userId, body.password),
  )
  registerRoute(app, twoFactorOperations.confirmTwoFa, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    return { recoveryCodes: await confirmTwoFa(deps, requireUser(principal).userId, body.twoFaToken) }
  })
  registerRoute(app, twoFactorOperations.endTwoFa, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    await disableTwoFa(deps, requireUser(principal).userId, body)
    return { message: 'Two-step login is off.' }
  })
  registerRoute(app, twoFactorOperations.renewRecoveryCodes, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    return { recoveryCodes: await renewRecoveryCodes(deps, requireUser(principal).userId, body) }
  })
}

const wrongCode = (path: string): ShopError => {
  const message = 'the code is wrong or was used before'
  return new ShopError('input.invalid', `${path}: ${message}`, { fields: [{ path, message }] })
}

const isOn = () => new ShopError('conflict', 'Two-step login is on already.')
const isOff = () => new ShopError('conflict', 'Two-step login is not on.')

/**
 * Begins the set-up of a second factor: a new secret, which takes effect when a code of it is confirmed. Needs the
 * password, or somebody at an unlocked browser could lock its owner out.
 * @throws ShopError `input.invalid` at `password`, `conflict`, `rate.limited`
 */
export async function beginTwoFa(deps: AccountDeps, userId: string, password: string): Promise<TwoFaSetup> {
  const user = await reauthenticate(deps, userId, password, 'password')
  const secret = newTotpSecret()
  const begun = await deps.db
    .update(users)
    .set({ totpSecret: deps.secrets.encrypt(secret, secretContext(userId)), totpLastStep: null })
    .where(and(eq(users.id, userId), isNull(users.totpConfirmedAt)))
    .returning({ id: users.id })
  if (begun.length === 0) throw isOn()
  const uri = totpUri(secret, deps.siteFile.name, user.email)
  return { secret, uri, qr: qrPath(uri) }
}

/**
 * Turns the second factor on with a first code and returns the recovery codes, the only time that they can be read.
 * @throws ShopError `input.invalid` at `twoFaToken`, `conflict`, `rate.limited`
 */
export async function confirmTwoFa(deps: AccountDeps, userId: string, code: string): Promise<string[]> {
  return changeSecondFactor(deps, userId, async (tx, user) => {
    if (user.totpConfirmedAt !== null) throw isOn()
    if (user.totpSecret === null) throw new ShopError('conflict', 'Begin with a new QR code.')
    if (!(await consumeTotp(tx, deps, userId, user.totpSecret, code))) throw wrongCode('twoFaToken')
    await tx.update(users).set({ totpConfirmedAt: deps.now() }).where(eq(users.id, userId))
    await mailSecurityEvent(tx, deps, user.email, 'on')
    return replaceRecoveryCodes(tx, deps, userId)
  })
}

/** Turns it off; needs password and code. @throws as `confirmTwoFa`, and at `password` */
export async function disableTwoFa(
  deps: AccountDeps,
  userId: string,
  proof: { password: string; twoFaToken: string },
): Promise<void> {
  await reauthenticate(deps, userId, proof.password, 'password')
  await changeSecondFactor(deps, userId, async (tx, user) => {
    await assertSecondFactor(tx, deps, user, proof.twoFaToken)
    const off = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null }
    await tx.update(users).set(off).where(eq(users.id, userId))
    await deleteRecoveryCodes(tx, userId)
    await mailSecurityEvent(tx, deps, user.email, 'off')
  })
}

/** Replaces the recovery codes; needs password and code. @throws as `disableTwoFa` */
export async function renewRecoveryCodes(
  deps: AccountDeps,
  userId: string,
  proof: { password: string; twoFaToken: string },
): Promise<string[]> {
  await reauthenticate(deps, userId, proof.password, 'password')
  return changeSecondFactor(deps, userId, async (tx, user) => {
    await assertSecondFactor(tx, deps, user, proof.twoFaToken)
    await mailSecurityEvent(tx, deps, user.email, 'codes')
    return replaceRecoveryCodes(tx, deps, userId)
  })
}

type Tx = Parameters<typeof lockUser>[0]

async function assertSecondFactor(tx: Tx, deps: AccountDeps, user: UserRow, code: string): Promise<void> {
  if (user.totpConfirmedAt === null) throw isOff()
  if (!(await consumeSecondFactor(tx, deps, user, code))) throw wrongCode('twoFaToken')
}

/** Changes the second factor: attempts are limited, and the account is locked meanwhile. */
async function changeSecondFactor<Result>(
  deps: AccountDeps,
  userId: string,
  change: (tx: Tx, user: UserRow) => Promise<Result>,
): Promise<Result> {
  await consume(deps.db, codesByUser(userId), deps.now())
  const result = await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (user === undefined) throw new ShopError('auth.required', 'Please log in.')
    return change(tx, user)
  })
  await reset(deps.db, codesByUser(userId))
  return result
}
