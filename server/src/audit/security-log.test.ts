import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '@befaqt/domain/durations'
import pino from 'pino'
import { CONFIRMED_MINUTES } from '#server/accounts/sessions/authenticate.ts'
import { cheapPasswords, makeUser } from '#server/testing/accounts.ts'
import { AUTHORIZED, cardShop, packed, paid } from '#server/testing/card-shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved } from '#server/testing/orders.ts'
import { testShop } from '#server/testing/shop.ts'
import { logSecurityOfRequests, noteSecurity, openSecurityLog, shortened } from './security-log.ts'

type Line = Record<
  'log' | 'time' | 'what' | 'outcome' | 'who' | 'object' | 'detail' | 'address' | 'request',
  string
>

const FIELDS = ['log', 'time', 'what', 'outcome', 'who', 'object', 'detail', 'address', 'request']

/** A log in a folder of its own. */
async function opened() {
  const own = await mkdtemp(join(tmpdir(), 'befaqt-security-'))
  const path = join(own, 'security.log')
  const close = openSecurityLog(path, pino({ level: 'silent' }))
  const text = async (): Promise<string> => {
    await close()
    return readFile(path, 'utf8')
  }
  return {
    text,
    /** Closes it and reads it. */
    lines: async (): Promise<Line[]> =>
      (await text())
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    [Symbol.asyncDispose]: async () => {
      await close()
      await rm(own, { recursive: true })
    },
  }
}

const short = ({ what, outcome, who, object, detail }: Line): string =>
  [what, outcome, who, object, detail].map((part) => part ?? '-').join(' ')

const olga = { email: 'olga@example.com', password: 'herring-and-ice', role: 'ADMIN' } as const
const ann = { email: 'ann@example.com', password: 'cod-and-chips' } as const

for (const [name, open] of testDatabases)
  test(`${name}: sign-ins, refusals, confirmations, rights, keys, settings and exports are each written once, with ids alone`, async () => {
    await using log = await opened()
    let now = Date.now()
    const deps = { passwords: cheapPasswords, now: () => new Date(now) }
    await using shop = await testShop({ open, deps })
    const [owner, user] = [await makeUser(shop, olga), await makeUser(shop, ann)]
    const secrets: string[] = [
      olga.email,
      olga.password,
      ann.email,
      ann.password,
      'new@example.com',
      '203.0.113.77',
    ]
    const call = async (
      token: string,
      method: 'GET' | 'POST' | 'PUT' | 'PATCH',
      url: string,
      payload?: object,
    ) =>
      shop.app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token}` },
        remoteAddress: '203.0.113.77',
        ...(payload && { payload }),
      })
    const signIn = async (payload: object): Promise<string> => {
      const reply = await call('', 'POST', '/api/user/signIn', payload)
      const { token = '' } = reply.json()
      secrets.push(token)
      return token || reply.json().error.code
    }
    const done = async (...args: Parameters<typeof call>) => {
      const reply = await call(...args)
      assert.ok(reply.statusCode < 300, `${args[2]}: ${reply.body}`)
      return reply
    }
    assert.equal(await signIn({ ...ann, password: 'guessed' }), 'signin.refused')
    const [asOwner, asUser] = [await signIn(olga), await signIn(ann)]
    assert.equal((await call(asUser, 'GET', '/api/manage/staff')).statusCode, 403)
    now += (CONFIRMED_MINUTES + 1) * MINUTE_MS
    assert.equal((await call(asOwner, 'PATCH', `/api/user/${user}`, { role: 'ADMIN' })).statusCode, 403)
    await call(asOwner, 'POST', '/api/user/confirmation', { password: 'guessed' })
    await done(asOwner, 'POST', '/api/user/confirmation', { password: olga.password })
    await done(asOwner, 'PATCH', `/api/user/${user}`, { role: 'ADMIN' })
    const key = (await done(asOwner, 'POST', '/api/key', { name: 'till', rights: ['box:write'] })).json()
    secrets.push(key.key, 'till')
    const invitation = { email: 'new@example.com', rights: ['order:read'] }
    const invited = (await done(asOwner, 'POST', '/api/manage/staff/invitation', invitation)).json()
    const seller = {
      part: 'seller',
      name: 'Fish',
      abn: '51 824 753 556',
      address: '1 Bank St',
      email: 'new@example.com',
      phone: '(02) 9004 1100',
    }
    await done(asOwner, 'PUT', '/api/manage/site', seller)
    await done(asOwner, 'GET', '/api/manage/desk/export.csv?list=user')
    await done(asOwner, 'GET', '/api/user/data')
    let code = ''
    for (let i = 0; i < 40 && code !== 'rate.limited'; i++)
      code = await signIn({ ...ann, password: 'guessed' })

    const written = await log.text()
    const lines = (await log.lines()).map((line) => {
      assert.deepEqual(Object.keys(line), FIELDS)
      assert.deepEqual([line.log, line.address], ['security', '203.0.113.0/24'])
      assert.match(line.request, /./)
      assert.ok(Math.abs(Date.parse(line.time) - Date.now()) < 600_000)
      return short(line)
    })
    const [first = ''] = lines
    assert.match(first, /^sign-in refused account:[0-9a-f]{16} - signin\.refused$/)
    const again = lines.filter((line) => line === first).length
    const [locked, ...more] = lines.filter((line) => line.startsWith('sign-in locked'))
    assert.equal(locked, first.replace('refused', 'locked').replace('signin.refused', 'rate.limited'))
    assert.deepEqual(more, [])
    assert.deepEqual(lines.slice(1, -again), [
      `sign-in done ${owner} - -`,
      `sign-in done ${user} - -`,
      `access refused ${user} listStaff auth.forbidden`,
      `step-up refused ${owner} updateUser:${user} auth.confirm`,
      `step-up refused ${owner} - input.invalid`,
      `step-up done ${owner} - -`,
      `account done ${owner} user:${user} update: role`,
      `key done ${owner} key:${key._id ?? key.id} create`,
      `rights done ${owner} staff:${invited.id} create`,
      `settings done ${owner} site:seller update: name, abn, address, email, phone`,
      `export done ${owner} exportList user`,
      `export done ${owner} copyPersonalData -`,
    ])
    for (const secret of secrets.filter((one) => one !== '' && one !== undefined))
      assert.ok(!written.includes(secret), secret)
  })

for (const [name, open] of testDatabases)
  test(`${name}: money and cancelled orders are written once each, also by a job and when the provider repeats itself`, async () => {
    await using log = await opened()
    await using shop = await cardShop({ open })
    const order = await shop.byCard()
    const url = await paid(shop, order)
    await shop.send(shop.stripe.event(AUTHORIZED, url))
    await packed(shop, order, 2_000)
    await shop.settle()
    await moved(shop, order.id, 'CANCELLED', { reason: 'Sold out.' })
    await shop.settle()
    await shop.send(shop.stripe.event('charge.refunded', url))
    const other = await shop.byCard()
    await paid(shop, other)
    await packed(shop, other, 2_000)
    await shop.stripe[Symbol.asyncDispose]()
    await shop.settle()
    await shop.settle()
    const lines = (await log.lines()).filter(({ what }) => what !== 'sign-in')
    const kinds = (id: string): string[] =>
      lines
        .filter((line) => JSON.stringify(line).includes(id))
        .map(({ what, outcome, detail }) => `${what} ${outcome} ${detail.split(' ')[0]}`)
    assert.deepEqual(kinds(order.id), [
      'payment done authorized',
      'payment done captured',
      'order done cancelled',
      'payment done refunded',
    ])
    assert.deepEqual(kinds(other.id), ['payment done authorized', `payment failed order:${other.id}`])
    const [authorized, captured, cancelled] = lines
    assert.match(authorized?.detail ?? '', /^authorized of 6600, captured 0, refunded 0, order:/)
    assert.deepEqual([captured?.who, captured?.request], ['system', null])
    assert.equal(cancelled?.object, `order:${order.id}`)
    for (const secret of ['@', 'Sold out', 'whsec', 'sk_'])
      assert.ok(!JSON.stringify(lines).includes(secret), secret)
  })

test('a request whose body comes over the network in parts is known by its line', async () => {
  await using log = await opened()
  await using shop = await testShop({ deps: { passwords: cheapPasswords } })
  const owner = await makeUser(shop, olga)
  const url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const body = new ReadableStream({
    async start(controller) {
      const text = new TextEncoder().encode(JSON.stringify(olga))
      for (const part of [text.slice(0, 9), text.slice(9)]) {
        controller.enqueue(part)
        await sleep(50)
      }
      controller.close()
    },
  })
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body, duplex: 'half' } as const
  assert.equal((await fetch(`${url}/api/user/signIn`, init)).status, 200)
  const [line, ...more] = await log.lines()
  assert.deepEqual([line?.what, line?.who, line?.address], ['sign-in', owner, '127.0.0.0/24'])
  assert.ok(line?.request)
  assert.deepEqual(more, [])
})

const entry = { what: 'backup', outcome: 'done' } as const

for (const [name, open] of testDatabases)
  test(`${name}: what a transaction did is written after its commit, and what was rolled back is not`, async () => {
    await using log = await opened()
    await using database = await open()
    await database.db.transaction(async () => noteSecurity({ ...entry, detail: 'kept' }))
    const failing = database.db.transaction(async () => {
      noteSecurity({ ...entry, detail: 'undone' })
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.deepEqual(
      (await log.lines()).map(({ detail, who, address }) => [detail, who, address]),
      [['kept', 'system', null]],
    )
  })

test('a log that is off takes nothing and adds nothing to requests', async () => {
  const close = openSecurityLog(undefined, pino({ level: 'silent' }))
  noteSecurity(entry)
  const hooks: string[] = []
  logSecurityOfRequests({ addHook: (hook: string) => hooks.push(hook) } as never)
  assert.deepEqual(hooks, [])
  await close()
})

test('only the network of an address is written', () => {
  assert.deepEqual(
    ['203.0.113.77', '::ffff:203.0.113.77', '2001:db8:1:2:3:4:5:6', '203.0.113.77:4711'].map(shortened),
    ['203.0.113.0/24', '203.0.113.0/24', '2001:db8:1:2::/64', '203.0.113.0/24'],
  )
})
