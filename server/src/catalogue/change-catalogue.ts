import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { CATALOGUE_CHANNEL } from './catalogue.ts'

declare const mayWrite: unique symbol
/** A transaction in which what is on sale may be written. Only `changeCatalogue` opens one. */
export type CatalogueTx = Tx & { readonly [mayWrite]: true }

/** What changing the catalogue takes. */
export type CatalogueWriter = {
  db: Db
  /** Hears of the new version after the commit. */
  catalogue: { changed(version: number): void }
}

/**
 * The only way to change what is on sale: categories, products, their pictures and boxes, and what cards show of a box.
 * `work` locks, writes and audits in one transaction. At its end every process is told of the new version, which takes
 * effect with the commit; what this one keeps in memory is dropped when the commit is answered.
 * @param isChange false when `work` has left everything on sale as it was: then nobody is told
 */
export async function changeCatalogue<Made>(
  { db, catalogue }: CatalogueWriter,
  work: (tx: CatalogueTx) => Promise<Made>,
  isChange: (made: Made) => boolean = () => true,
): Promise<Made> {
  const { made, version } = await db.transaction(async (tx) => {
    const made = await work(tx as CatalogueTx)
    return { made, version: isChange(made) ? await announce(tx) : undefined }
  })
  if (version !== undefined) catalogue.changed(version)
  return made
}

/**
 * Counts the change and says so, in one statement. It comes last, so that the row is locked for no longer than the
 * commit takes, during which PostgreSQL lets no other transaction with a NOTIFY commit anyway; versions thus commit in
 * their order.
 */
async function announce(tx: Tx): Promise<number> {
  const [announced] = await rows<{ version: string | number }>(
    tx,
    sql`with next as (
          insert into catalogue_version (version) values (1)
          on conflict (only_row) do update set version = catalogue_version.version + 1
          returning version)
        select version, pg_notify(${CATALOGUE_CHANNEL}, version::text) from next`,
  )
  if (announced === undefined) throw new Error('the catalogue has no version')
  return Number(announced.version)
}
