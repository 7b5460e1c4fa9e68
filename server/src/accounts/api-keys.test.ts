import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { NewApiKey } from '@befaqt/domain/api-key'
import { keyRights } from '@befaqt/domain/rights'
import { apiKeys } from '#server/db/schema/accounts.ts'
import { type TestAccounts, testAccounts } from '#server/testing/accounts.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { authenticateApiKey, createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { ensureOperatorKey } from './bootstrap-accounts.ts'

const asked = NewApiKey.parse({ name: 'Buoy 7', rights: ['record:write', 'box:write'], boxes: ['BOX-1'] })

for (const [name, open] of testDatabases) {
  test(`${name}: an API key is shown once, stored as a hash, limited to its rights, and can be revoked`, async () => {
    await using t = await testAccounts(open)
    const { key, ...view } = await createApiKey(t.deps.db, asked, 'mia', t.deps.now())
    assert.match(key, /^befaqt_[\w-]{43}$/)
    assert.equal(JSON.stringify(await t.deps.db.select().from(apiKeys)).includes(key), false)
    assert.deepEqual(await listApiKeys(t.deps.db), [view])
    assert.deepEqual(await authenticateApiKey(t.deps.db, key, t.deps.now()), {
      kind: 'key',
      keyId: view.id,
      rights: ['box:write', 'record:write'],
      boxes: ['BOX-1'],
    })
    assert.equal((await listApiKeys(t.deps.db))[0]?.lastUsedAt, t.deps.now().toISOString())
    assert.equal((await authenticateApiKey(t.deps.db, `${key}x`, t.deps.now())).kind, 'anonymous')
    await revokeApiKey(t.deps.db, view.id, t.deps.now())
    assert.equal((await authenticateApiKey(t.deps.db, key, t.deps.now())).kind, 'anonymous')
    await assert.rejects(revokeApiKey(t.deps.db, view.id, t.deps.now()), { code: 'not_found' })
  })

  test(`${name}: the operator's key has every right; deleting its file creates a new key and revokes the old one`, async () => {
    await using t = await inFolder(await testAccounts(open))
    await ensureOperatorKey(t.deps, name === 'embedded')
    const first = await t.key()
    assert.equal((await stat(t.file)).mode & 0o777, 0o600)
    const principal = await authenticateApiKey(t.deps.db, first, t.deps.now())
    assert.deepEqual(principal.kind === 'key' && [principal.rights, principal.boxes], [[...keyRights], null])
    await ensureOperatorKey(t.deps, name === 'embedded')
    assert.equal(await t.key(), first, 'a second start leaves it alone')
    await rm(t.file)
    await ensureOperatorKey(t.deps, name === 'embedded')
    assert.notEqual(await t.key(), first)
    assert.equal((await authenticateApiKey(t.deps.db, first, t.deps.now())).kind, 'anonymous')
    assert.equal((await authenticateApiKey(t.deps.db, await t.key(), t.deps.now())).kind, 'key')
  })

  test(`${name}: a new database adopts an existing key file, but a revoked key does not come back`, async () => {
    await using t = await inFolder(await testAccounts(open))
    await ensureOperatorKey(t.deps, name === 'embedded')
    const key = await t.key()
    await t.deps.db.delete(apiKeys)
    await ensureOperatorKey(t.deps, name === 'embedded')
    assert.equal(await t.key(), key)
    const [view] = await listApiKeys(t.deps.db)
    await revokeApiKey(t.deps.db, view?.id ?? '', t.deps.now())
    await ensureOperatorKey(t.deps, name === 'embedded')
    assert.notEqual(await t.key(), key)
  })
}

test('machines sharing a database each have their own key, and creating or losing one leaves the others alone', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testAccounts(testPostgres)
  await using one = await inFolder({ deps: t.deps })
  await using two = await inFolder({ deps: t.deps })
  const works = async (key: string): Promise<boolean> =>
    (await authenticateApiKey(t.deps.db, key, t.deps.now())).kind === 'key'
  const start = (machine: typeof one) => ensureOperatorKey(machine.deps, false)
  await Promise.all([start(one), start(one), start(two)])
  const [ofOne, ofTwo] = [await one.key(), await two.key()]
  assert.notEqual(ofOne, ofTwo)
  assert.equal((await listApiKeys(t.deps.db)).length, 2, 'two processes of a machine make one key')
  for (const machine of [one, two, one]) await start(machine)
  assert.deepEqual([await one.key(), await two.key()], [ofOne, ofTwo])

  await rm(two.file)
  await start(two)
  assert.notEqual(await two.key(), ofTwo)
  assert.deepEqual(
    [await works(ofOne), await works(ofTwo), await works(await two.key())],
    [true, false, true],
  )
  assert.match((await listApiKeys(t.deps.db))[0]?.name ?? '', /^operator at ./)
})

test('an invalid key request is rejected with the path of the bad field', () => {
  const paths = (input: unknown) =>
    NewApiKey.safeParse(input).error?.issues.map((issue) => issue.path.join('.'))
  assert.deepEqual(paths({}), ['name', 'rights'])
  assert.deepEqual(paths({ name: ' ', rights: [] }), ['name', 'rights'])
  assert.deepEqual(paths({ name: 'x', rights: ['root', 'box:write'] }), ['rights.0'])
  assert.deepEqual(paths({ name: 'x', rights: ['box:write'], boxes: [] }), ['boxes'])
  assert.deepEqual(paths({ name: 'x', rights: ['box:write'], boxes: ['BOX-1', 'no box'] }), ['boxes.1'])
})

async function inFolder(t: Pick<TestAccounts, 'deps'> & Partial<AsyncDisposable>) {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-keys-'))
  const file = join(folder, 'operator.key')
  return {
    deps: { ...t.deps, config: { ...t.deps.config, DATA_DIR: folder } },
    file,
    key: async () => (await readFile(file, 'utf8')).trim(),
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true })
      await t[Symbol.asyncDispose]?.()
    },
  }
}
