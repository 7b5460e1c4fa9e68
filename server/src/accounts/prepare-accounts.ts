import type { AccountDeps } from './account-deps.ts'
import { forgetDaily } from './forget-old.ts'
import { ensureOperatorKey } from './keys/operator-key.ts'
import { ensureFirstAdmin } from './sign-up/first-admin.ts'

/**
 * What accounts need at every start: the operator's key, and the first administrator or the link to set one up.
 * @param alone no other machine can have this database
 * @param print shows a line to the person at the terminal; not the log, which others may read
 */
export async function prepareAccounts(
  deps: AccountDeps,
  alone: boolean,
  print: (text: string) => void,
): Promise<void> {
  await ensureOperatorKey(deps, alone)
  await forgetDaily(deps.db, deps.now())
  const link = await ensureFirstAdmin(deps)
  if (link !== undefined)
    print(`\nThere is no administrator yet. Set one up here, once, within a day:\n${link}\n`)
}
