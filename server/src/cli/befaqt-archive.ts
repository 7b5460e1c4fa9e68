import { sql } from 'drizzle-orm'
import pino from 'pino'
import { ledgerLocation, syncEmbeddedChain } from '#server/anchoring/index.ts'
import { type DroppingDeps, removeArchive, restoreRows } from '#server/boxes/archive/drop-rows.ts'
import { openChain } from '#server/chain/open-chain.ts'
import { readConfig } from '#server/config/config.ts'
import { rows } from '#server/db/client.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { openFileStore } from '#server/files/file-store.ts'
import { print } from './command.ts'

/** `box`: its id, or `all`. */
export type ArchiveWanted = { restore: string | undefined; remove: string | undefined }

/** Says which boxes are files, brings rows of theirs back, or removes the file of one. Returns the exit status. */
export async function runArchive({ restore, remove }: ArchiveWanted): Promise<number> {
  const config = readConfig(process.env)
  const log = pino({ level: 'silent' })
  const database = await openDatabase(config, log)
  const chain = await openChain(config)
  try {
    const { db } = database
    if (chain.kind === 'embedded') await syncEmbeddedChain({ db, chain })
    const files = await openFileStore(config, log)
    const ledger = ledgerLocation(db, chain, config.CHAIN_RPC_URL?.[0] ?? 'http://chain.invalid')
    const deps = { db, chain, files, ledger, config, log, now: () => new Date() }
    const status = await carryOut(deps, { restore, remove })
    const [sum] = await rows<{ files: number; bytes: number; dropped: number }>(
      db,
      sql`select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes,
            count(dropped_at)::int as dropped from box_archives`,
    )
    print(
      `${sum?.files} boxes are files, of ${sum?.bytes} bytes; of ${sum?.dropped} of them rows were dropped.`,
    )
    return status
  } finally {
    await chain.close()
    await database.close()
  }
}

async function carryOut(deps: DroppingDeps, { restore, remove }: ArchiveWanted): Promise<number> {
  if (remove !== undefined) {
    const isGone = await removeArchive(deps.db, remove)
    print(
      isGone
        ? `${remove}: its file is removed.`
        : `${remove} has no file, or its rows are not back: restore them first.`,
    )
    return isGone ? 0 : 1
  }
  let failed = 0
  for (const box of restore === undefined ? [] : await droppedBoxes(deps, restore)) {
    const said = await restoreRows(deps, box).then(
      (n) => `${n} rows are back.`,
      (error: unknown) => {
        failed++
        return `NOT restored: ${error instanceof Error ? error.message : String(error)}`
      },
    )
    print(`${box}: ${said}`)
  }
  return failed === 0 ? 0 : 1
}

/** Boxes whose rows were dropped, in order of their ids; the named one, or all. */
async function droppedBoxes({ db }: DroppingDeps, named: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select box_id as id from box_archives
        where dropped_at is not null and (${named} = 'all' or box_id = ${named}) order by box_id collate "C"`,
  )
  return found.map(({ id }) => id)
}
