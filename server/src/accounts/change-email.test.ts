import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignUp } from '@befaqt/domain/account'
import { asc, eq } from 'drizzle-orm'
import { LOOK_QUEUE } from '#server/catalogue/index.ts'
import { purge } from '#server/db/retention.ts'
import { users } from '#server/db/schema/accounts.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { stockNotices } from '#server/db/schema/shop.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { MAIL_QUEUE, queueEmail } from '#server/mail/send-email.ts'
import {
  linkIn,
  makeUser,
  somewhere,
  type TestAccounts,
  testAccounts,
  tokenIn,
} from '#server/testing/accounts.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { answerEmailChange, beginEmailChange, dropEmailChange, readEmailChange } from './change-email.ts'
import { noticeAddress } from './own-notices.ts'
import { accountRetention } from './retention.ts'
import { signIn } from './sign-in/sign-in.ts'
import { signUp as signUpWith } from './sign-up/sign-up.ts'
import { issueToken } from './tokens.ts'

const ann = { email: 'ann@example.com', password: 'right one' }
const wanted = { email: 'Ann.Lee@example.org' }

/** Asks for the change, and returns the tokens of the old and of the new address. */
async function asked(t: TestAccounts, userId: string, email = wanted.email): Promise<[string, string]> {
  const before = (await t.post()).length
  await beginEmailChange(t.deps, userId, { email })
  const [old, newer] = (await t.post()).slice(before)
  assert.deepEqual([old?.kind, newer?.kind, newer?.to], ['email-change', 'email-change', email])
  return [tokenIn(old), tokenIn(newer)]
}

const answered = (t: TestAccounts, token: string, isRight = true) =>
  answerEmailChange(t.deps, { token, isRight }, somewhere).then(({ state }) => state)

const signedIn = (t: TestAccounts, email: string) =>
  signIn(t.deps, { email, password: ann.password }, somewhere)

const invalid = (reason: string) => ({ code: 'token.invalid', details: { reason } })
const toAndKind = (mails: readonly EmailMessage[]) => mails.map(({ to, kind }) => `${to} ${kind}`)

for (const [name, open] of testDatabases) {
  test(`${name}: the email changes once both addresses have confirmed it, in any order, and both are told`, async () => {
    await using t = await testAccounts(open)
    const id = await makeUser(t, ann)
    const [old, newer] = await asked(t, id)
    assert.equal(await answered(t, newer), 'half')
    assert.equal(await answered(t, newer), 'half', 'again')
    const waiting = await readEmailChange(t.deps, id)
    assert.deepEqual([waiting?.oldConfirmed, waiting?.newConfirmed], [false, true])
    assert.ok(await signedIn(t, ann.email))
    assert.equal(await answered(t, old), 'done')
    assert.equal(await answered(t, old), 'done', 'again')
    assert.equal(await answered(t, newer), 'done', 'again')
    await assert.rejects(answered(t, old, false), invalid('used'))
    await assert.rejects(signedIn(t, ann.email), { code: 'signin.refused' })
    assert.ok(await signedIn(t, wanted.email.toUpperCase()))
    assert.equal(await readEmailChange(t.deps, id), null)
    assert.deepEqual(toAndKind((await t.post()).slice(2)), [
      `${ann.email} email-changed`,
      `${wanted.email} email-changed`,
    ])
    const back = await asked(t, id, ann.email)
    for (const token of back) await answered(t, token)
    assert.ok(await signedIn(t, ann.email), 'and back again')
  })

  test(`${name}: what the old address waits for is told to the new one, once`, async () => {
    await using t = await testAccounts(open)
    const { db, secrets } = t.deps
    const id = await makeUser(t, ann)
    const endsAt = new Date('2027-01-01')
    const wish = (of: string, email: string, species: string, confirmedAt: Date | null = endsAt) => ({
      id: of,
      email,
      address: noticeAddress(secrets, email),
      species,
      confirmedAt,
      endsAt,
    })
    await db
      .insert(stockNotices)
      .values([
        { ...wish('kept', ann.email, 'gemfish'), userId: id },
        wish('by a guest', ann.email, 'oyster'),
        wish('of both', wanted.email, 'oyster', null),
        wish('typed', ann.email, 'snapper', null),
        wish('of another', 'bea@example.com', 'gemfish'),
      ])
    const content = { subject: 'It is back', heading: '', blocks: [] }
    for (const receipt of ['stock kept', 'stock of another'])
      await queueEmail(db, secrets, { kind: 'stock-back', to: '', content, receipt }, t.deps.now())
    const waiting = (await db.select({ key: jobs.uniqueKey }).from(jobs)).map(({ key }) => key)
    assert.deepEqual(waiting.sort(), ['stock kept', 'stock of another'])
    await db.update(jobs).set({ runAt: endsAt })
    for (const token of await asked(t, id)) await answered(t, token)
    const now = await db.select().from(stockNotices).orderBy(asc(stockNotices.id))
    assert.deepEqual(
      now.map(({ id, email, userId, address }) => [id, email, userId, address]),
      [
        ['by a guest', wanted.email, id, noticeAddress(secrets, wanted.email)],
        ['kept', wanted.email, id, noticeAddress(secrets, wanted.email)],
        ['of another', 'bea@example.com', null, noticeAddress(secrets, 'bea@example.com')],
        ['typed', ann.email, null, noticeAddress(secrets, ann.email)],
      ],
    )
    const left = await db.select({ queue: jobs.queue, key: jobs.uniqueKey }).from(jobs).orderBy(asc(jobs.id))
    const later = left.filter(({ queue, key }) => queue === LOOK_QUEUE || key !== null)
    assert.deepEqual(later, [
      { queue: MAIL_QUEUE, key: 'stock of another' },
      { queue: LOOK_QUEUE, key: null },
    ])
  })

  test(`${name}: both links pressed at once change it once`, async () => {
    await using t = await testAccounts(open)
    const tokens = await asked(t, await makeUser(t, ann))
    const states = await Promise.all(tokens.map((token) => answered(t, token)))
    assert.deepEqual(states.sort(), ['done', 'half'])
    assert.equal((await t.post()).filter(({ kind }) => kind === 'email-changed').length, 2)
  })
}

test('one that was dropped, replaced or is late changes nothing, and its links say why', async () => {
  await using t = await testAccounts()
  const id = await makeUser(t, ann)
  const [old, newer] = await asked(t, id)
  assert.equal(await answered(t, newer), 'half')
  assert.equal(await answered(t, old, false), 'dropped')
  for (const token of [old, newer]) await assert.rejects(answered(t, token), invalid('unknown'))
  const [first] = await asked(t, id)
  const [second, third] = await asked(t, id, 'other@example.org')
  await assert.rejects(answered(t, first), invalid('unknown'))
  t.wait(24 * 3_600)
  for (const token of [second, third]) await assert.rejects(answered(t, token), invalid('expired'))
  assert.equal(await readEmailChange(t.deps, id), null)
  assert.ok(await signedIn(t, ann.email))
})

test('an address with an account is told so, gets no link, and who asks sees no difference', async () => {
  await using t = await testAccounts()
  const id = await makeUser(t, ann)
  await makeUser(t, { email: 'bea@example.com', password: 'another' })
  const free = await beginEmailChange(t.deps, id, wanted)
  const taken = await beginEmailChange(t.deps, id, { email: 'BEA@example.com' })
  assert.deepEqual({ ...taken, email: '' }, { ...free, email: '' })
  const mails = await t.post()
  assert.deepEqual(toAndKind(mails.slice(2)), [`${ann.email} email-change`, 'BEA@example.com address-taken'])
  assert.equal(await answered(t, tokenIn(mails[2])), 'half')
  await assert.rejects(beginEmailChange(t.deps, id, { email: ann.email.toUpperCase() }), {
    code: 'input.invalid',
    fields: [{ path: 'email', message: 'is the one that you have' }],
  })
})

test('an address that got an account meanwhile is not taken from it', async () => {
  await using t = await testAccounts()
  const [old, newer] = await asked(t, await makeUser(t, ann))
  assert.equal(await answered(t, newer), 'half')
  await makeUser(t, { ...wanted, password: 'another' })
  await assert.rejects(answered(t, old), { code: 'conflict' })
  assert.ok(await signedIn(t, ann.email))
})

test('links to set a new password that went to the old address end with it', async () => {
  await using t = await testAccounts()
  const userId = await makeUser(t, ann)
  await t.deps.db.transaction((tx) => issueToken(tx, 'reset', { userId }, t.deps.now()))
  for (const token of await asked(t, userId)) await answered(t, token)
  assert.equal((await t.deps.db.query.oneTimeTokens.findMany()).length, 0)
})

test('bad input is refused, and no email names the other address', async () => {
  await using shop = await testShop()
  const call = await callerOf(shop, 'ann', 'USER')
  for (const bad of [{}, { email: 'no address' }, { ...wanted, more: 1 }, { email: 7 }])
    assert.equal((await call('POST', '/api/user/email', bad)).statusCode, 400)
  assert.equal((await call('GET', '/api/user/email')).json(), null)
  assert.equal((await call('DELETE', '/api/user/email')).statusCode, 200)
  const payload = { token: 'x'.repeat(43), isRight: true }
  const stranger = await shop.app.inject({ method: 'POST', url: '/api/user/email/answer', payload })
  assert.equal(stranger.json().error.code, 'token.invalid', stranger.body)

  await using t = await testAccounts()
  await asked(t, await makeUser(t, ann))
  const [old, newer] = await t.post()
  assert.doesNotMatch(`${old?.text}${old?.html}`, /ann\.lee/i)
  assert.doesNotMatch(`${newer?.text}${newer?.html}`, /ann@/i)
  assert.match(linkIn(newer), /^https:\/\/shop\.example\/user\/email\/[\w-]{43}$/)
})

test('an account that is deleted takes its change with it', async () => {
  await using t = await testAccounts()
  const id = await makeUser(t, ann)
  const [old] = await asked(t, id)
  await t.deps.db.delete(users).where(eq(users.id, id))
  await assert.rejects(answered(t, old), invalid('unknown'))
})

for (const [name, open] of testDatabases)
  test(`${name}: of two accounts that want one address at once, one gets it, and the other is told why not`, async () => {
    await using t = await testAccounts(open)
    const bea = { email: 'bea@example.com', password: 'right one' }
    const links = [await asked(t, await makeUser(t, ann)), await asked(t, await makeUser(t, bea))]
    for (const [, newer] of links) assert.equal(await answered(t, newer), 'half')
    const answers = await Promise.allSettled(links.map(([old]) => answered(t, old)))
    assert.deepEqual(
      answers.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)).sort(),
      ['conflict', 'done'],
    )
    assert.equal((await t.post()).filter(({ kind }) => kind === 'email-changed').length, 2)
  })

test('a sign-up that nobody activated does not keep an address from who has proved to own it', async () => {
  await using t = await testAccounts()
  const id = await makeUser(t, ann)
  const signUp = SignUp.parse({
    ...{ fname: 'Eve', lname: 'Ray', phone: '0412 345 678', email: wanted.email.toUpperCase() },
    ...{ password: 'squatter', confirmPassword: 'squatter' },
  })
  await signUpWith(t.deps, signUp, somewhere)
  for (const token of await asked(t, id)) await answered(t, token)
  assert.ok(await signedIn(t, wanted.email))
  assert.deepEqual(await t.deps.db.select({ id: users.id }).from(users), [{ id }])
})

test('emails about a change are sent although one of its addresses has no account yet, or any more', async () => {
  await using t = await testAccounts()
  const id = await makeUser(t, ann)
  const purged = () => purge(t.deps.db, t.deps.now(), accountRetention)
  await beginEmailChange(t.deps, id, wanted)
  await purged()
  const asking = await t.post()
  assert.deepEqual(toAndKind(asking), [`${ann.email} email-change`, `${wanted.email} email-change`])
  for (const mail of [...asking]) await answered(t, tokenIn(mail))
  await purged()
  assert.equal((await t.post()).length, 4, 'both are told')

  await beginEmailChange(t.deps, id, ann)
  await t.deps.db.update(jobs).set({ failedAt: t.deps.now() })
  await purged()
  const [left, ...more] = await t.deps.db.select({ payload: jobs.payload }).from(jobs)
  assert.deepEqual([Object(left?.payload).to, more], [wanted.email, []], 'what failed for good is forgotten')
})

test('an account that was disabled keeps its email', async () => {
  await using t = await testAccounts()
  const id = await makeUser(t, ann)
  const [old, newer] = await asked(t, id)
  assert.equal(await answered(t, newer), 'half')
  await t.deps.db.update(users).set({ status: 'DISABLED' }).where(eq(users.id, id))
  await assert.rejects(answered(t, old), invalid('unknown'))
})

test('a change is dropped as often as its owner likes, and not once it is made', async () => {
  await using t = await testAccounts()
  const id = await makeUser(t, ann)
  const [old] = await asked(t, id)
  for (const _ of 'twice') await dropEmailChange(t.deps, id)
  await assert.rejects(answered(t, old), invalid('unknown'))
  for (const token of await asked(t, id)) await answered(t, token)
  await assert.rejects(dropEmailChange(t.deps, id), { code: 'conflict' })
})
