import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inArray, sql } from 'drizzle-orm'
import { totpAt } from '#server/accounts/credentials/second-factor.ts'
import { ACTIVATION_QUEUE } from '#server/accounts/sign-up/sign-up.ts'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { orders, slots } from '#server/db/schema/orders.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { complaintsByNetwork, ordersByNetwork } from '#server/orders/order-limits.ts'
import { cheapPasswords, makeUser } from '#server/testing/accounts.ts'
import { rulesOf } from '#server/testing/routes.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { softAuthenticator } from '#server/testing/soft-authenticator.ts'
import * as limits from './limits.ts'
import { consume } from './limits.ts'
import { issueToken } from './tokens.ts'

const ann = { email: 'ann@example.com', password: 'right one' }
const person = { fname: 'Bea', lname: 'Lee', phone: '', password: 'salt wind', confirmPassword: 'salt wind' }

/** The calls that have mail sent, in an order in which each can succeed, and what each sends. */
const callsThatMail: [route: string, body: (t: Walk) => object | Promise<object>][] = [
  ['POST /api/user/signUp', () => ({ ...person, email: 'bea@example.com' })],
  ['POST /api/user/activate/again', () => ({ email: 'bea@example.com' })],
  ['PATCH /api/user/forgotpassword', () => ({ email: ann.email })],
  ['PATCH /api/user/resetpassword', (t) => t.newPassword()],
  ['POST /api/user/twoFa/confirm', async (t) => ({ twoFaToken: await t.firstCode() })],
  ['POST /api/user/twoFa/recoveryCodes', (t) => ({ password: ann.password, twoFaToken: t.code() })],
  ['POST /api/user/signIn', (t) => ({ ...ann, twoFaToken: t.recoveryCode() })],
  ['POST /api/user/twoFa/verify', (t) => ({ ...ann, twoFaToken: t.recoveryCode() })],
  ['POST /api/user/twoFa/off', (t) => ({ password: ann.password, twoFaToken: t.code() })],
  [
    'POST /api/user/password',
    () => ({ ...ann, currentPassword: ann.password, confirmPassword: ann.password }),
  ],
  ['POST /api/user/email', () => ({ email: 'cleo@example.com' })],
  ['POST /api/user/passkeys', async (t) => ({ name: 'Key', response: await t.passkey() })],
  ['DELETE /api/user/passkeys/:id', () => ({})],
  ['POST /api/order', (t) => t.order()],
  ['POST /api/order/:id/confirmation/email', () => ({})],
  ['POST /api/order/:id/amendment', () => ({ version: 1, note: 'At noon' })],
  ['POST /api/order/:id/complaint', (t) => t.complaint()],
  ['POST /api/notice', () => ({ email: 'cat@example.com', species: 'gemfish' })],
]

/** Emails of calls that send more than one. */
const emailsOf: Record<string, number> = { 'POST /api/user/email': 2 } // to the old address and the new one

/** One email for each order or change, which was counted when it was placed or asked for, and one for an account’s end. */
const callsThatMailOnce = [
  'POST /api/order/:id/complaint/:complaint',
  'POST /api/user/email/answer',
  'POST /api/user/erasure',
  'POST /api/order/:id/cancellation',
  'POST /api/order/:id/confirmation',
  'POST /api/order/:id/payment/check',
  'POST /api/payment/event',
]

/** Other changes that visitors and owners can ask for: none of them sends an email. */
const callsThatDoNot = [
  'POST /api/user/activate',
  'POST /api/user/firstAdmin',
  'POST /api/user/passkeys/signIn/options',
  'POST /api/user/passkeys/signIn',
  'POST /api/user/signOut',
  'PATCH /api/user',
  'POST /api/user/favourites',
  'DELETE /api/user/favourites/:id',
  'POST /api/user/address',
  'PUT /api/user/address/:id',
  'DELETE /api/user/address/:id',
  'DELETE /api/user/email',
  'POST /api/user/confirmation',
  'POST /api/user/confirmation/options',
  'DELETE /api/user/sessions',
  'DELETE /api/user/sessions/:id',
  'POST /api/user/twoFa/setup',
  'POST /api/user/passkeys/options',
  'POST /api/field/invitation',
  'POST /api/field/join',
  'POST /api/user/staff',
  'POST /api/user/staff/join',
  'POST /api/order/hold',
  'DELETE /api/order/hold/:id',
  'POST /api/coupon/check',
  'POST /api/notice/confirmation',
  'POST /api/notice/stop/:key',
  'POST /user/notice/stop/:key',
  'POST /api/order/:id/acceptance',
  'POST /api/order/:id/payment',
  'POST /api/restore',
  'POST /api/restore/upload',
  'DELETE /api/restore/upload',
  'PUT /api/restore/upload/:id/:offset',
]

/** Who writes emails: a file that is not here has a call that belongs into the list above. */
const writers = [
  'change-email.ts',
  'credentials/passkeys.ts',
  'credentials/second-factor.ts',
  'credentials/two-fa-setup.ts',
  'erase-account.ts',
  'sign-in/new-password.ts',
  'sign-up/sign-up.ts',
]

test('every route that sends email is listed in this test', async () => {
  await using shop = await testShop()
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !/\.test\.ts$|^testing[\\/]/.test(file))
  const holding = (words: RegExp): string[] =>
    files.filter((file) => words.test(readFileSync(`${root}/${file}`, 'utf8'))).sort()
  assert.deepEqual(holding(/\bqueueEmails?\b/), [
    'accounts/account-emails.ts',
    'accounts/staff/invite-staff.ts', // only owners invite
    'excursions/notify.ts', // managers, once for each excursion
    'field/invite-supplier.ts', // only managers invite
    'mail/send-email.ts',
    'notices/notice-emails.ts', // limited when it is asked for, and once when it is back
    'orders/complaints/complaint-emails.ts',
    'orders/order-emails.ts',
    'orders/recalling/recall-emails.ts', // only managers recall, and each buyer is told once
    'orders/waiting/waiting-order.ts',
  ])
  assert.deepEqual(holding(/from '.*\/order-emails\.ts'/), [
    'job-registry.ts', // asks of an email that is queued whether it still holds, and queues none
    'orders/amending/amend-order.ts',
    'orders/managing/change-order.ts', // only managers
    'orders/managing/pack-order.ts',
    'orders/managing/packed-lines.ts',
    'orders/move-order.ts',
    'orders/paying/apply-report.ts', // once for each state of a payment
    'orders/place-together.ts',
    'orders/waiting/confirm-order.ts', // once for each order
    'orders/waiting/end-waiting.ts',
    'orders/waiting/waiting-order.ts', // a text alone
  ])
  assert.deepEqual(
    holding(/from '(\.|#server\/accounts)\/account-emails\.ts'/),
    writers.map((file) => `accounts/${file}`),
  )
  assert.deepEqual(holding(/enqueue\([^)]*ACTIVATION_QUEUE/), ['accounts/sign-up/sign-up.ts'])
  const changing = Object.entries(rulesOf(shop.app)).flatMap(([route, rule]) =>
    (rule === 'public' || rule === 'user') && /^(?!GET|OPTIONS)/.test(route) ? [route] : [],
  )
  const known = [
    ...callsThatMail.map(([route]) => route),
    ...callsThatMailOnce,
    ...callsThatDoNot,
    'POST /api/chain/rpc',
  ]
  assert.deepEqual(changing.toSorted(), known.toSorted())
})

type Walk = Awaited<ReturnType<typeof walk>>

/** Ann's account, and what its owner has in hand at each step. */
async function walk(shop: TestShop, wait: (seconds: number) => void) {
  const { deps } = shop
  const userId = await makeUser(shop, ann)
  const from = (remoteAddress: string, method: 'POST', url: string, payload: object, token = '') =>
    shop.app.inject({
      method,
      url,
      remoteAddress,
      payload,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    })
  let token = ''
  let secret = ''
  let codes: string[] = []
  let orderId = ''
  const asOwner = async (url: string) => {
    const reply = await from('198.51.100.2', 'POST', url, { password: ann.password }, token)
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json()
  }
  const device = softAuthenticator({ origin: deps.config.PUBLIC_URL, rpId: 'localhost' })
  return {
    ask: (address: string, route: string, payload: object) => {
      const id = route.includes('/order/') ? orderId : device.answer('x').id
      const [method = '', url = ''] = route.replace(':id', id).split(' ')
      return from(address, method as 'POST', url, payload, token)
    },
    newPassword: async () => ({
      password: ann.password,
      emailToken: await deps.db.transaction((tx) => issueToken(tx, 'reset', { userId }, deps.now())),
    }),
    firstCode: async () => {
      const reply = await from('198.51.100.2', 'POST', '/api/user/signIn', ann)
      token = reply.json().token
      secret = (await asOwner('/api/user/twoFa/setup')).secret
      return totpAt(secret, deps.now())
    },
    code: () => {
      wait(30)
      return totpAt(secret, deps.now())
    },
    keep: (answer: { recoveryCodes?: string[]; _id?: string }) => {
      codes = answer.recoveryCodes ?? codes
      orderId = answer._id ?? orderId
    },
    recoveryCode: () => codes.pop() ?? '',
    order: async () => {
      const at = (hours: number) => new Date(Date.now() + hours * 3_600_000)
      const times = { startsAt: at(2), endsAt: at(3), cutOffAt: at(1), timeZone: 'UTC' }
      await deps.db.insert(categories).values({ id: 'c', title: 'Ice', titleKey: 'ice', shelfPos: '1' })
      await deps.db.insert(products).values({ id: 'ice', title: 'Ice', categoryId: 'c' })
      await deps.db.insert(slots).values({ id: 'slot', kind: 'pickup', capacity: 9, ...times })
      const contact = { fname: 'Ann', lname: 'Lee', email: ann.email, phone: '0400 000 000' }
      const fulfilment = { kind: 'pickup', slot: 'slot' }
      return { lines: [{ product_id: 'ice', quantity: 1 }], contact, fulfilment }
    },
    complaint: async () => {
      await deps.db.update(orders).set({ status: 'PACKED' })
      return { complaint: { wrong: ['late'], words: 'Where is it?', wish: 'tell' } }
    },
    passkey: async () => device.register((await asOwner('/api/user/passkeys/options')).challenge),
  }
}

/** Makes this network wait for whatever is counted by networks. */
async function crowd({ deps }: TestShop, network: string): Promise<void> {
  const before = await deps.db.select({ key: rateLimits.key }).from(rateLimits)
  const byNetwork = Object.entries({ ...limits, ordersByNetwork, complaintsByNetwork }).flatMap(
    ([name, limit]) => (name.endsWith('ByNetwork') ? [limit as typeof limits.signInsByNetwork] : []),
  )
  assert.ok(byNetwork.length >= 6)
  for (const limit of byNetwork) await consume(deps.db, limit(network), deps.now())
  const keys = (await deps.db.select({ key: rateLimits.key }).from(rateLimits))
    .map(({ key }) => key)
    .filter((key) => !before.some((old) => old.key === key))
  await deps.db
    .update(rateLimits)
    .set({ lockedUntil: new Date('2026-11-20T00:14:00Z') })
    .where(inArray(rateLimits.key, keys))
}

test('every route that sends email refuses a network that has used up its attempts, and accepts another network', async () => {
  let now = Date.parse('2026-11-20T00:00:00Z')
  await using shop = await testShop({ deps: { passwords: cheapPasswords, now: () => new Date(now) } })
  await crowd(shop, '203.0.113.9')
  const steps = await walk(shop, (seconds) => {
    now += seconds * 1_000
  })
  const queued = () => shop.deps.db.$count(jobs, inArray(jobs.queue, [MAIL_QUEUE, ACTIVATION_QUEUE]))
  for (const [route, bodyOf] of callsThatMail) {
    const body = await bodyOf(steps)
    const before = await queued()
    const held = await steps.ask('203.0.113.9', route, body)
    assert.deepEqual([held.statusCode, await queued()], [429, before], `${route}: ${held.body}`)
    const passed = await steps.ask('198.51.100.2', route, body)
    assert.ok(passed.statusCode < 300, `${route}: ${passed.body}`)
    assert.equal(await queued(), before + (emailsOf[route] ?? 1), `${route} sends no mail`)
    steps.keep(passed.body === '' ? {} : passed.json())
  }
  const [kept] = await shop.deps.db.select({ all: sql<string>`string_agg(key, ' ')` }).from(rateLimits)
  assert.doesNotMatch(kept?.all ?? '', /203\.0|198\.51|@/, 'no address stands in the table of limits')
})
