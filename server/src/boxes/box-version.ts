import { HOUR_MS } from '@befaqt/domain/durations'
import { sql } from 'drizzle-orm'
import type { LedgerLocation } from '#server/chain/port.ts'
import type { Config } from '#server/config/config.ts'
import { type Db, rows } from '#server/db/client.ts'
import { boxNotFound } from './lock-box.ts'

/** How long a page may lack an address that the provider failed to give. */
const ADDRESS_RETRY_MS = 5 * 60_000

/** What versions are made of. */
export type BoxVersionDeps = {
  db: Db
  ledger: LedgerLocation
  config: Pick<Config, 'GEOCODER_URL'>
  now: () => Date
}

/**
 * A short text that differs as soon as the page of a box does, whichever process wrote: of the box's row, the newest
 * confirmed anchor in which it had grown, where the ledger is, the provider of addresses, the hour, and whether its state
 * is unknown by now. What is on sale is not in it. Two rows are read, whatever the length of the history.
 * @throws ShopError `box.not_found`
 */
export async function boxVersion(
  { db, ledger, config, now }: BoxVersionDeps,
  boxID: string,
): Promise<string> {
  const { chainId, contract } = await ledger.locate()
  const addresses = config.GEOCODER_URL === undefined ? 0 : Math.floor(now().getTime() / ADDRESS_RETRY_MS)
  return `${await rowsVersion(db, boxID, now())} ${chainId} ${contract} ${addresses} ${hourOf(now())}`
}

/** The hours since 1970 that are over. */
export const hourOf = (now: Date): number => Math.floor(now.getTime() / HOUR_MS)

/**
 * PostgreSQL notes in every row which transaction wrote it (`xmin`). All who add records write the box's row too, and
 * triggers do when a record is altered. A reorganisation takes anchors back from the newest on, so an older one does
 * not change while the newest stays.
 */
async function rowsVersion(db: Db, boxID: string, now: Date): Promise<string> {
  const [found] = await rows<{ version: string }>(
    db,
    sql`select concat_ws(' ', b.xmin,
          (b.projection #>> '{figures,lastMeasured,unknownFrom}') collate "C" <= ${now.toISOString()},
          (select concat_ws(' ', a.index, a.xmin)
            from anchor_leaves l join anchors a on a.index = l.anchor_index and a.state = 'confirmed'
            where l.box_id = b.id
            order by l.anchor_index desc limit 1)) as version
        from boxes b where b.id = ${boxID}`,
  )
  if (found === undefined) throw boxNotFound()
  return found.version
}
