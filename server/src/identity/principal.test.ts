import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { holds, keyRights, rights } from '@befaqt/domain/rights'
import { eq } from 'drizzle-orm'
import Fastify from 'fastify'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { signIn } from '#server/accounts/sign-in/sign-in.ts'
import { users } from '#server/db/schema/accounts.ts'
import { collectRoutes } from '#server/http/route.ts'
import { cheapPasswords, makeUser, somewhere } from '#server/testing/accounts.ts'
import { rulesOf } from '#server/testing/routes.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import type { AccessRule } from './principal.ts'

type Asking = {
  name: string
  headers: Record<string, string>
  passes: (rule: AccessRule) => boolean
  refusal: 401 | 403
}

const isPublic = (rule: AccessRule): boolean => rule === 'public'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** One of every kind that can ask: each role in each status, and keys with each right. */
async function everybody({ deps }: TestShop): Promise<Asking[]> {
  const asking: Asking[] = [
    { name: 'nobody', headers: {}, passes: isPublic, refusal: 401 },
    { name: 'a made-up token', headers: bearer('A'.repeat(43)), passes: isPublic, refusal: 401 },
    { name: 'a made-up key', headers: bearer('befaqt_x'), passes: isPublic, refusal: 401 },
  ]
  for (const role of ['USER', 'ADMIN', 'SUPPLIER'] as const)
    for (const status of ['ACTIVE', 'INACTIVE', 'DISABLED'] as const) {
      const person = { email: `${role}.${status}@example.com`, password: 'secret', role }
      const id = await makeUser({ deps }, person)
      const token = (await signIn(deps, person, somewhere))?.token ?? ''
      await deps.db.update(users).set({ status }).where(eq(users.id, id))
      const open = status === 'ACTIVE'
      const allowed = (rule: AccessRule) =>
        rule === 'user' || (rule === 'supplier' ? role === 'SUPPLIER' : role === 'ADMIN')
      const passes = (rule: AccessRule) => isPublic(rule) || (open && allowed(rule))
      asking.push({ name: `${status} ${role}`, headers: bearer(token), passes, refusal: open ? 403 : 401 })
    }
  for (const right of keyRights) {
    const { key } = await createApiKey(deps.db, { name: right, rights: [right] }, 'test', deps.now())
    const passes = (rule: AccessRule) =>
      isPublic(rule) || (typeof rule === 'object' && !rule.people && holds([right], rule.right))
    asking.push({ name: `key for ${right}`, headers: bearer(key), passes, refusal: 403 })
  }
  for (const right of rights) {
    const person = { email: `staff.${right}@example.com`, password: 'secret' }
    const id = await makeUser({ deps }, person)
    await deps.db
      .update(users)
      .set({ rights: [right] })
      .where(eq(users.id, id))
    const token = (await signIn(deps, person, somewhere))?.token ?? ''
    const passes = (rule: AccessRule) =>
      isPublic(rule) ||
      rule === 'user' ||
      rule === 'staff' ||
      (typeof rule === 'object' && holds([right], rule.right))
    asking.push({ name: `staff with ${right}`, headers: bearer(token), passes, refusal: 403 })
  }
  return asking
}

/** These would end the session that the walk goes on with; everything else may be called with nothing in it. */
const leavesOut = new Set(['POST /api/user/signOut', 'DELETE /api/user/sessions', 'POST /api/user/erasure'])

test('every route authorizes exactly the roles, statuses and keys that its rule names', async () => {
  await using dist = await emptyDist()
  const render = async () => ({ status: 200, html: Buffer.from('<!doctype html>'), headers: {} })
  await using shop = await testShop({
    deps: { passwords: cheapPasswords },
    render,
    env: { WEB_DIST: dist.path },
  })
  const asking = await everybody(shop)
  let asked = 0
  for (const [key, rule] of Object.entries(rulesOf(shop.app))) {
    const [method = '', url = ''] = key.split(' ')
    if (leavesOut.has(key)) continue
    for (const [i, { name, headers, passes, refusal }] of asking.entries()) {
      const path = url.replaceAll(/:\w+/g, 'none').replace('*', 'none')
      const remoteAddress = `198.51.100.${i}` // each with what a network may ask for in a minute
      const reply = await shop.app.inject({ method: method as 'GET', url: path, headers, remoteAddress })
      const said = `${name} at ${key}: ${reply.statusCode} ${reply.body.slice(0, 200)}`
      const refused = url.startsWith('/manage') ? 403 : refusal
      if (passes(rule)) assert.ok(![401, 403].includes(reply.statusCode) || isSignInError(reply.body), said)
      else assert.equal(reply.statusCode, refused, said)
      asked++
    }
  }
  assert.ok(asked > 500, `${asked} combinations`)
})

/** 401 and 403 that a handler itself answers, to whom the rule lets in. */
const isSignInError = (body: string): boolean => /"code":"(signin\.refused|auth\.required)"/.test(body)

/** What is for others than managers and keys with a right, said apart from the table. Source: spec §6, running.md. */
const openToOthers = [
  /^POST \/user\/(signin|signup|forgotpassword|resetpassword\/:emailToken)$/, // what the page's script would call decides
  /^GET \/(healthz|readyz|metrics|sitemap\.xml|robots\.txt|field|field\/\*|\*)$/,
  /^GET \/api\/(openapi\.json|docs|site|viewer|content\/\*|geocode|file\/\*)$/,
  /^GET \/api\/(product\/(active|onSale|freshest|suggestions|byIds|byCategory\/:id|:id(\/related)?)|category\/(active|byTitle\/:catTitle))$/,
  /^GET \/api\/box(\/:boxID(\/((page|proof)(\/news)?|absence|summary|label\.svg|events|epcis|trade))?)?$/,
  /^(GET|OPTIONS) \/0[01]\/\*$/,
  /^GET \/\.well-known\/(gs1resolver|security\.txt)$/,
  /^GET \/api\/anchor(\/:index)?$/,
  /^GET \/befaqt\/log\/(checkpoint|key|receipt\.(svg|txt)|tile\/\*|successor|stamps(\/:file)?|:nth\/\*)$/,
  /^GET \/(befaqt\/log-builds\/\*|api\/build)$/,
  /^GET \/check-policy\.txt$/,
  /^(POST|OPTIONS) \/api\/chain\/rpc$/,
  /^(GET|POST) \/api\/order(\/:id(\/(cancellation|acceptance|amendment|confirmation(\/email)?|boxes|complaint(\/(:complaint|photo\/:photo))?|time\.ics|invoice\.pdf|origin\.(pdf|csv)))?)?$/,
  /^GET \/api\/order\/waiting\/own$/, // of who is logged in
  /^(POST \/api\/order\/hold|DELETE \/api\/order\/hold\/:id|GET \/api\/(slot(\/next)?|delivery\/:postcode))$/,
  /^POST \/api\/(order\/:id\/payment(\/check)?|payment\/event|coupon\/check)$/,
  /^POST \/(api\/notice(\/(confirmation|stop\/:key))?|user\/notice\/stop\/:key)$/,
  /^POST \/api\/field\/(invitation|join)$/,
  /^(GET|POST|PUT|DELETE) \/api\/restore(\/upload(\/:id\/:offset)?)?$/, // of a bare shop, with the link of its start
  /^(GET|POST|PUT|PATCH|DELETE) \/api\/user(\/(?!all$|:id$).*)?$/,
]

test('only managers and keys with a right may change the shop or read what managers read', async () => {
  await using shop = await testShop()
  const open = Object.entries(rulesOf(shop.app)).filter(([, rule]) => rule === 'public' || rule === 'user')
  const unexpected = open.filter(([key]) => !openToOthers.some((pattern) => pattern.test(key)))
  assert.deepEqual(unexpected, [])
})

test('a managers’ page answers others with an error page that contains no data', async () => {
  await using dist = await emptyDist()
  let status = 401
  const render = async () => ({
    status,
    html: Buffer.from('<!doctype html><h1>Please log in</h1>'),
    headers: {},
  })
  await using shop = await testShop({ render, env: { WEB_DIST: dist.path } })
  const refused = await shop.app.inject('/manage/user')
  assert.deepEqual([refused.statusCode, refused.headers['cache-control']], [403, 'no-store'])
  assert.match(refused.body, /<h1>Please log in/)
  status = 200
  const careless = await shop.app.inject('/manage/user')
  assert.deepEqual([careless.statusCode, careless.body], [403, '403: Please log in.\n'])
})

test('a route without a definition stops the start', async () => {
  const app = Fastify()
  collectRoutes(app)
  assert.throws(() => app.get('/api/forgotten', () => ''), /No definition for GET \/api\/forgotten/)
  await app.close()
})

async function emptyDist() {
  const path = await mkdtemp(join(tmpdir(), 'befaqt-dist-'))
  await mkdir(join(path, 'client', 'assets'), { recursive: true })
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}
