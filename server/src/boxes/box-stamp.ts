import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import type { Deps } from '#server/deps.ts'
import { boxNotFound } from './hold-box.ts'

/**
 * A short text that is another one as soon as anything was written that the answers about a box are made of: the
 * box, its records, the confirmed anchors that cover it, where the ledger is; by any process and in any way, behind
 * our back too. PostgreSQL notes in every row which transaction wrote it (`xmin`), so no content is read.
 * @throws ShopError `box.not_found`
 */
export async function boxStamp({ db, ledger }: Pick<Deps, 'db' | 'ledger'>, boxID: string): Promise<string> {
  const { chainId, contract } = await ledger.where()
  return `${await rowStamp(db, boxID)} ${chainId} ${contract}`
}

/** How long a page may lack an address that the provider failed to give. */
const ADDRESS_PATIENCE_MS = 5 * 60_000

/** `boxStamp` for what names addresses too: they come from elsewhere. What is on sale is not in it. */
export async function boxPageStamp(
  deps: Pick<Deps, 'db' | 'ledger' | 'config' | 'now'>,
  boxID: string,
): Promise<string> {
  const asksElsewhere = deps.config.GEOCODER_URL !== undefined
  const since = asksElsewhere ? Math.floor(deps.now().getTime() / ADDRESS_PATIENCE_MS) : ''
  return `${await boxStamp(deps, boxID)} ${since}`
}

async function rowStamp(db: Db, boxID: string): Promise<string> {
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
