import type { Chain } from '#server/chain/port.ts'
import type { Db } from '#server/db/client.ts'
import { replay } from './replay.ts'

/** Brings an embedded chain up to date before it is read: another process may have anchored. */
export async function syncEmbeddedChain({ db, chain }: { db: Db; chain: Chain }): Promise<void> {
  if (chain.kind === 'embedded') await replay(db, chain)
}
