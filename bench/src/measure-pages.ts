import { type Load, load, loadEach } from './load.ts'
import { loadRow, loadTableHead } from './load-table.ts'

const CONNECTIONS = 20

/**
 * The home page as it is kept, rendered for an address that nobody asked for before, and rendered for somebody.
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
