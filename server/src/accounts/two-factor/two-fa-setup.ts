import type { TwoFaSetup } from '@befaqt/domain/api/account-api'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, isNull } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { codesOf } from '#server/accounts/limits/limits.ts'
import { forget, take } from '#server/accounts/limits/rate-limit.ts'
import { mailGuardChanged } from '#server/accounts/mails/account-mail.ts'
import { passwordAgain } from '#server/accounts/password/password-again.ts'
import { lockUser, type UserRow } from '#server/accounts/store.ts'
import { users } from '#server/db/schema/accounts.ts'
import { qrPath } from '#server/images/qr-path.ts'
import { dropRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { secretContext, spendSecondFactor, spendTotp } from './second-factor.ts'
import { newTotpSecret, totpUri } from './totp.ts'

const wrongCode = (path: string): ShopError => {
  const message = 'the code is wrong or was used before'
  return new ShopError('input.invalid', `${path}: ${message}`, { fields: [{ path, message }] })
}

const isOn = () => new ShopError('conflict', 'The second factor is on already.')
const isOff = () => new ShopError('conflict', 'The second factor is not on.')

/**
 * Begins a second factor: a new secret that counts only when a code of it was confirmed. Needs the password, or
 * who finds a browser open could lock its owner out.
 * @throws ShopError `input.invalid` at `password`, `conflict`, `rate.limited`
 */
export async function beginTwoFa(deps: AccountDeps, userId: string, password: string): Promise<TwoFaSetup> {
  const user = await passwordAgain(deps, userId, password, 'password')
  const secret = newTotpSecret()
  const begun = await deps.db
    .update(users)
    .set({ totpSecret: deps.secrets.seal(secret, secretContext(userId)), totpLastStep: null })
    .where(and(eq(users.id, userId), isNull(users.totpConfirmedAt)))
    .returning({ id: users.id })
  if (begun.length === 0) throw isOn()
  const uri = totpUri(secret, deps.siteFile.name, user.email)
  return { secret, uri, qr: qrPath(uri) }
}

/**
 * Switches the second factor on with a first code and answers the recovery codes, for the only time.
 * @throws ShopError `input.invalid` at `twoFaToken`, `conflict`, `rate.limited`
 */
export async function confirmTwoFa(deps: AccountDeps, userId: string, code: string): Promise<string[]> {
  return changeFactor(deps, userId, async (tx, user) => {
    if (user.totpConfirmedAt !== null) throw isOn()
    if (user.totpSecret === null) throw new ShopError('conflict', 'Begin with a new QR code.')
    if (!(await spendTotp(tx, deps, userId, user.totpSecret, code))) throw wrongCode('twoFaToken')
    await tx.update(users).set({ totpConfirmedAt: deps.now() }).where(eq(users.id, userId))
    await mailGuardChanged(tx, deps, user.email, 'on')
    return replaceRecoveryCodes(tx, deps, userId)
  })
}

/** Switches it off; takes password and code. @throws as `confirmTwoFa`, and at `password` */
export async function endTwoFa(
  deps: AccountDeps,
  userId: string,
  proof: { password: string; twoFaToken: string },
): Promise<void> {
  await passwordAgain(deps, userId, proof.password, 'password')
  await changeFactor(deps, userId, async (tx, user) => {
    await assertSecondFactor(tx, deps, user, proof.twoFaToken)
    const off = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null }
    await tx.update(users).set(off).where(eq(users.id, userId))
    await dropRecoveryCodes(tx, userId)
    await mailGuardChanged(tx, deps, user.email, 'off')
  })
}

/** New recovery codes for old ones; takes password and code. @throws as `endTwoFa` */
export async function renewRecoveryCodes(
  deps: AccountDeps,
  userId: string,
  proof: { password: string; twoFaToken: string },
): Promise<string[]> {
  await passwordAgain(deps, userId, proof.password, 'password')
  return changeFactor(deps, userId, async (tx, user) => {
    await assertSecondFactor(tx, deps, user, proof.twoFaToken)
    await mailGuardChanged(tx, deps, user.email, 'codes')
    return replaceRecoveryCodes(tx, deps, userId)
  })
}

type Tx = Parameters<typeof lockUser>[0]

async function assertSecondFactor(tx: Tx, deps: AccountDeps, user: UserRow, code: string): Promise<void> {
  if (user.totpConfirmedAt === null) throw isOff()
  if (!(await spendSecondFactor(tx, deps, user, code))) throw wrongCode('twoFaToken')
}

/** One change of the second factor: its tries are limited, and the account is held while it happens. */
async function changeFactor<Result>(
  deps: AccountDeps,
  userId: string,
  change: (tx: Tx, user: UserRow) => Promise<Result>,
): Promise<Result> {
  await take(deps.db, codesOf(userId), deps.now())
  const result = await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (user === undefined) throw new ShopError('auth.required', 'Please log in.')
    return change(tx, user)
  })
  await forget(deps.db, codesOf(userId))
  return result
}
