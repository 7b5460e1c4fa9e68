import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { purge } from '#server/db/retention.ts'
import { makeUser, somewhere, testAccounts } from '#server/testing/accounts.ts'
import { accountRetention } from './retention.ts'
import { forgotPassword } from './sign-in/new-password.ts'
import { beginPasskeySignIn } from './sign-in/passkey-sign-in.ts'
import { signIn } from './sign-in/sign-in.ts'

const ann = { email: 'ann@example.com', password: 'right one' }
const tables = ['sessions', 'one_time_tokens', 'webauthn_challenges', 'rate_limits', 'known_devices'] as const

test('expired rows are purged once they can no longer be used, and not before', async () => {
  await using t = await testAccounts()
  await makeUser(t, ann)
  await signIn(t.deps, ann, somewhere)
  await forgotPassword(t.deps, ann, somewhere)
  await beginPasskeySignIn(t.deps, somewhere)
  const left = async () => {
    await purge(t.deps.db, t.deps.now(), accountRetention)
    const counts = tables.map(async (table) => {
      const [row] = await rows<{ n: number }>(
        t.deps.db,
        sql`select count(*)::int as n from ${sql.identifier(table)}`,
      )
      return row?.n === 0 ? [] : [table]
    })
    return (await Promise.all(counts)).flat()
  }
  assert.deepEqual(await left(), [...tables])
  t.wait(301)
  assert.deepEqual(
    await left(),
    tables.filter((table) => table !== 'webauthn_challenges'),
  )
  t.wait(8 * 86_400)
  assert.deepEqual(await left(), ['sessions', 'known_devices'])
  t.wait(365 * 86_400)
  assert.deepEqual(await left(), [])
})
