import { type Load, load, loadEach } from './load.ts'
import { loadRow, loadTableHead } from './load-table.ts'

const CONNECTIONS = 20

/**
 * The home page from the cache, rendered for a new URL, and rendered for a signed-in user.
 * @param session headers of a signed-in request
 */
export async function measurePages(url: string, session: Record<string, string>): Promise<void> {
  let visit = 0
  const row = async (what: string, got: Load): Promise<void> => loadRow([what], got, CONNECTIONS)
  loadTableHead('home page')
  await row('kept', await load(url, {}, CONNECTIONS))
  await row('each time another address', await loadEach(url, () => `/?visit=${++visit}`, CONNECTIONS))
  await row('signed in', await load(url, session, CONNECTIONS))
}
