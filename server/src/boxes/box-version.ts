import { sql } from 'drizzle-orm'
import type { LedgerLocation } from '#server/chain/ledger-location.ts'
import type { Config } from '#server/config/config.ts'
import { type Db, rows } from '#server/db/client.ts'
import { Singleflight } from '#server/http/caching/singleflight.ts'
import { boxNotFound } from './lock-box.ts'

/**
 * Reads the stamp of a box: a short text that is another one as soon as anything was written that the answers about
 * the box are made of. Each throws ShopError `box.not_found`.
 */
export type BoxVersions = {
  /**
   * Of the box, its records, the confirmed anchors that cover it, and where the ledger is; written by any process
   * and in any way, behind our back too.
   */
  ofBox(boxID: string): Promise<string>
  /** Of what names addresses too, which come from elsewhere. What is on sale is not in it. */
  ofPage(boxID: string): Promise<string>
}

/** How long a page may lack an address that the provider failed to give. */
const ADDRESS_RETRY_MS = 5 * 60_000

/** What stamps are made of. */
export type BoxStampDeps = {
  db: Db
  ledger: LedgerLocation
  config: Pick<Config, 'GEOCODER_URL'>
  now: () => Date
}

/** Stamps for a process: those who ask for the same one at once share the reading. */
export function boxVersions(deps: BoxStampDeps): BoxVersions {
  const { db, ledger, config, now } = deps
  const reads = new Singleflight<string>()
  const ofBox = async (boxID: string): Promise<string> => {
    const { chainId, contract } = await ledger.locate()
    return `${await reads.run(boxID, () => rowVersion(db, boxID))} ${chainId} ${contract}`
  }
  const asksElsewhere = config.GEOCODER_URL !== undefined
  const since = (): number => (asksElsewhere ? Math.floor(now().getTime() / ADDRESS_RETRY_MS) : 0)
  return { ofBox, ofPage: async (boxID) => `${await ofBox(boxID)} ${since()}` }
}

/** PostgreSQL notes in every row which transaction wrote it (`xmin`), so no content is read. */
async function rowVersion(db: Db, boxID: string): Promise<string> {
  const [found] = await rows<{ stamp: string }>(
    db,
    sql`select concat_ws(' ', b.xmin,
          (select concat_ws(' ', count(*), sum(r.xmin::text::bigint)) from records r where r.box_id = b.id),
          (select concat_ws(' ', count(*), sum(l.xmin::text::bigint), sum(a.xmin::text::bigint))
            from anchor_leaves l join anchors a on a.index = l.anchor_index and a.state = 'confirmed'
            where l.box_id = b.id)) as stamp
        from boxes b where b.id = ${boxID}`,
  )
  if (found === undefined) throw boxNotFound()
  return found.stamp
}
