import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RestoreState } from '@befaqt/domain/restore'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { readConfig } from '#server/config/config.ts'
import { rows } from '#server/db/client.ts'
import { installation } from '#server/db/schema/installation.ts'
import { makeUser, testAccounts } from '#server/testing/accounts.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { freePort } from '../../../../tools/test/free-port.ts'
import { Replacement, watchForAnother } from './replace-shop.ts'
import { restoreFolder } from './restore-folder.ts'
import { stateOf } from './restore-state.ts'
import { RESTORED, RESTORED_CHANNEL } from './switch-shops.ts'

for (const [name, open] of testDatabases)
  test(`${name}: an account of the last moment keeps the shop; meanwhile every address says what goes on`, async () => {
    await using t = await testAccounts(open)
    const folder = await mkdtemp(join(tmpdir(), 'befaqt-replace-'))
    const port = await freePort()
    const config = readConfig({ DATA_DIR: folder, PORT: String(port), HOST: '127.0.0.1' })
    await mkdir(restoreFolder(config))
    const replacement = new Replacement()
    try {
      replacement.ask({ owner: null, passphrase: undefined, tab: 'x' })
      assert.equal((await replacement.asked)?.tab, 'x')
      await makeUser(t, { email: 'late@example.org', password: 'at the last moment' })
      await replacement.lastLook(t.deps.db)
      await replacement.run(config, pino({ level: 'silent' }))

      const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init)
      const page = await ask('/product/1')
      const html = await page.text()
      assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '3'])
      assert.match(html, /<h1>This shop is being restored<\/h1>/)
      assert.match(
        page.headers.get('content-security-policy') ?? '',
        /^default-src 'none'; style-src 'sha256-/,
      )
      assert.deepEqual(
        [page.headers.get('x-content-type-options'), page.headers.get('cache-control')],
        ['nosniff', 'no-store'],
      )
      for (const [path, method] of [
        ['/api/product/active', 'GET'],
        ['/api/order', 'POST'],
        ['/user/signin', 'POST'],
        ['/api/restore', 'POST'],
      ] as const) {
        const refused = await ask(path, { method })
        assert.equal(refused.status, 503, path)
        assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'unavailable', path)
      }
      for (const probe of ['/healthz', '/readyz']) assert.equal((await ask(probe)).status, 200, probe)
      const state = RestoreState.parse(await (await ask('/api/restore')).json())
      assert.equal(state.progress?.step, 'restoring')
      await replacement.beforeListen()
      await assert.rejects(ask('/'), 'its port is free')

      const outcome = (await stateOf(restoreFolder(config)))?.outcome
      assert.deepEqual([outcome?.ok, outcome?.words.length], [false, 1])
      assert.match(outcome?.words.join() ?? '', /in use: it has accounts/)
    } finally {
      await replacement.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })

test('a database that was lost and is back starts no process again; one that another shop is in does, told of or not', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const heard: string[] = []
  await t.listen('more', (payload) => heard.push(payload))
  const lose = async (): Promise<void> => {
    const before = heard.length
    await rows(
      t.db,
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    while (heard.length === before) await sleep(20)
  }
  const restore = (value: string) =>
    t.db
      .insert(installation)
      .values({ name: RESTORED, value })
      .onConflictDoUpdate({ target: installation.name, set: { value } })
  const watch = async () => {
    const another = Promise.withResolvers<void>()
    let found = 0
    const stop = await watchForAnother(t, () => {
      found++
      another.resolve()
    })
    await lose()
    await sleep(300)
    assert.equal(found, 0, 'it is the same shop')
    return { another: another.promise, stop }
  }
  const missed = await watch()
  await restore('first')
  await lose()
  await missed.another
  await missed.stop()

  const told = await watch()
  await restore('second')
  await rows(t.db, sql`select pg_notify(${RESTORED_CHANNEL}, '')`)
  await told.another
  await told.stop()
})
