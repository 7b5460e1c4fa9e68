import assert from 'node:assert/strict'
import { test } from 'node:test'
import { users } from '#server/db/schema/accounts.ts'
import { installation } from '#server/db/schema/installation.ts'
import { secretsOf } from '#server/secrets/secrets.ts'
import { makeUser, testAccounts } from '#server/testing/accounts.ts'
import { testDatabases } from '#server/testing/database.ts'
import { secretContext } from './second-factor.ts'
import { checkSecretKey, countSecondFactors, discardSecretKey } from './secret-key.ts'

const right = secretsOf(new Uint8Array(32).fill(1))
const wrong = secretsOf(new Uint8Array(32).fill(2))
const words =
  /Wrong setting\. DATA_DIR: .*shop-data.secret\.key is not the key that this database was written with/

for (const [name, open] of testDatabases) {
  test(`${name}: the first start records which secret key it uses, and no other is accepted`, async () => {
    await using t = await testAccounts(open)
    const check = (secrets: typeof right) => checkSecretKey(t.deps.db, secrets, '/shop-data')
    await check(right)
    await check(right)
    await assert.rejects(check(wrong), words)
    await check(right)
    assert.equal((await t.deps.db.select().from(installation)).length, 1)
  })

  test(`${name}: a database from before keys were recorded is not claimed by another key`, async () => {
    await using t = await testAccounts(open)
    const id = await makeUser(t, { email: 'ann@example.com', password: 'ice-cold prawns' })
    await t.deps.db.update(users).set({ totpSecret: right.encrypt('SECRET', secretContext(id)) })
    await assert.rejects(checkSecretKey(t.deps.db, wrong, '/shop-data'), words)
    await checkSecretKey(t.deps.db, right, '/shop-data')

    await discardSecretKey(t.deps.db)
    assert.equal(await countSecondFactors(t.deps.db), 0)
    await checkSecretKey(t.deps.db, wrong, '/shop-data')
  })
}
