import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KEY_CHECK, KEY_FILE, keyCheck, secretsOf } from '#server/secrets/secrets.ts'
import type { Head } from './content.ts'
import type { Session } from './session.ts'
import { hasTable, migrationsOf } from './tables.ts'

/** By which a shop is told from another, and how far it is. */
export async function factsOf(session: Session): Promise<Pick<Head, 'shop' | 'migrations'>> {
  const ifThere = async <Row extends Record<string, unknown>>(table: string, statement: string) =>
    (await hasTable(session, table)) ? session.query<Row>(statement) : []
  const [key] = await ifThere<{ value: string }>(
    'public.installation',
    `select value from public.installation where name = '${KEY_CHECK}'`,
  )
  const [log] = await ifThere<{ origin: string }>(
    'public.anchor_logs',
    'select origin from public.anchor_logs order by created_at limit 1',
  )
  const [count] = await ifThere<{ n: number }>(
    'public.anchors',
    `select count(*)::int as n from public.anchors where state = 'confirmed'`,
  )
  const ledgers = await ifThere<{ chainId: number; contract: string }>(
    'public.ledgers',
    'select chain_id as "chainId", contract from public.ledgers order by chain_id',
  )
  return {
    migrations: await migrationsOf(session),
    shop: { key: key?.value ?? null, ledgers, anchors: count?.n ?? 0, log: log?.origin ?? null },
  }
}

/** By which the key of this folder is recognized; undefined: there is none. */
export async function keyOf(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, KEY_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  return keyCheck(secretsOf(Buffer.from(text.trim(), 'hex')))
}
