import type { AccountDeps } from './account-deps.ts'
import { ensureOperatorKey } from './keys/operator-key.ts'
import { schedulePurge } from './purge-expired.ts'
import { ensureFirstAdmin } from './sign-up/first-admin.ts'

/**
 * Ensures at every start that there is an operator key, and a first administrator or the link to set one up.
 * @param alone no other machine uses this database
 * @param print writes to the terminal; not to the log, which others may read
 */
export async function bootstrapAccounts(
  deps: AccountDeps,
  alone: boolean,
  print: (text: string) => void,
): Promise<void> {
  await ensureOperatorKey(deps, alone)
  await schedulePurge(deps.db, deps.now())
  const link = await ensureFirstAdmin(deps)
  if (link !== undefined)
    print(`\nThere is no administrator yet. Set one up here, once, within a day:\n${link}\n`)
}
