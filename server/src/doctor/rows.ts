import { sql } from 'drizzle-orm'
import { pendingRecords } from '#server/anchoring/index.ts'
import type { Config } from '#server/config/config.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { consumerStates } from '#server/db/consume.ts'
import { databaseWarnings } from '#server/db/open-database.ts'
import { readMigrations } from '#server/db/schema-version.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { fault, note, ok, type Said, warning } from './finding.ts'

/** What PostgreSQL should be set to, by a connection as the shop has them. */
export async function sayServer(db: Db): Promise<Said[]> {
  return (await databaseWarnings(db)).map((sentence) => {
    const [, words = sentence, todo = 'See docs/operations.md.'] =
      /^(.*?[.:]) ((?:Stop|Run)\b.*)$/.exec(sentence) ?? []
    return warning(words, todo)
  })
}

/** Migrations that this version has and the database has not, and the other way round. */
export async function sayMigrations(tx: Tx): Promise<Said[]> {
  const made = await migrationsIn(tx)
  if (made.length === 0) return [note('The database is empty: the first start makes its tables.')]
  const known = readMigrations().map(({ folderMillis }) => folderMillis)
  const newer = made.filter((at) => !known.includes(at))
  const missing = known.filter((at) => !made.includes(at))
  if (newer.length > 0)
    return [
      fault(
        `The database was made by a newer version of the shop: it has ${newer.length} migrations that this one does not know.`,
        'This version does not start on it. Run the newer one, or restore a backup from before the upgrade.',
      ),
    ]
  if (missing.length > 0)
    return [
      warning(
        `${missing.length} migrations of this version have not been run.`,
        'A start of this version runs them: back up before. `befaqt upgrade --check` says what they would do.',
      ),
    ]
  return [ok(`All ${known.length} migrations of this version, and no other.`)]
}

/** When the migrations that were run were made; none: it is not a shop's database. */
export async function migrationsIn(tx: Tx): Promise<number[]> {
  const [table] = await rows<{ there: boolean }>(
    tx,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (table?.there !== true) return []
  const made = await rows<{ at: number }>(
    tx,
    sql`select created_at::float8 as at from drizzle.__drizzle_migrations order by created_at`,
  )
  return made.map(({ at }) => at)
}

/** A due job that waits longer, and an event, is late. */
const LATE_S = 300

type Queue = { queue: string; waiting: number; waits: number; failed: number; retried: number }

/** Jobs that nobody does, or that failed, and what follows events and does not come along. */
export async function sayJobs(tx: Tx): Promise<Said[]> {
  const queues = await rows<Queue>(
    tx,
    sql`select queue,
          count(*) filter (where failed_at is not null)::int as failed,
          count(*) filter (where failed_at is null and last_error is not null)::int as retried,
          count(*) filter (where failed_at is null and run_at <= now())::int as waiting,
          coalesce(extract(epoch from now() - min(run_at) filter (where failed_at is null and run_at <= now()
            and (leased_until is null or leased_until < now()))), 0)::float8 as waits
        from jobs group by queue order by queue collate "C"`,
  )
  const late = queues.filter(({ waits }) => waits > LATE_S)
  const said: Said[] = []
  if (late.length > 0)
    said.push(
      warning(
        `Jobs wait that are due: ${late.map((one) => `${one.waiting} of ${one.queue}, for ${duration(one.waits)}`).join('; ')}.`,
        'Does a process with workers run? If so its log says why it does not come to them.',
      ),
    )
  for (const { queue, failed, retried } of queues) {
    const isMail = queue === MAIL_QUEUE
    if (failed > 0)
      said.push(
        warning(
          isMail ? `${failed} emails could not be sent.` : `${failed} jobs of ${queue} failed for good.`,
          isMail ? 'See them, and why, under /manage/mail.' : 'The log says why: search it for “job failed”.',
        ),
      )
    if (isMail && retried > 0)
      said.push(
        warning(
          `${retried} emails keep failing, and are tried again.`,
          'See below whether the mail server answers.',
        ),
      )
  }
  for (const { name, lagS, failingS } of await consumerStates(tx))
    if (lagS > LATE_S)
      said.push(
        warning(
          `${name} ${failingS > 0 ? 'fails at an event' : 'is behind'}: its oldest has waited for ${duration(lagS)}.`,
          'Does a process run? If so its log names the event.',
        ),
      )
  return said
}

/** Anchoring intervals after which a record is late. */
const LATE_ROUNDS = 5

/** What anchoring and its log say of themselves. */
export async function sayAnchors(
  tx: Tx,
  { ANCHOR_INTERVAL_S }: Pick<Config, 'ANCHOR_INTERVAL_S'>,
): Promise<Said[]> {
  const faults = await rows<{ of: string; fault: string }>(
    tx,
    sql`select 'ledger' as of, fault from ledgers where fault is not null
        union all select 'log', fault from anchor_logs where fault is not null
        union all select 'log', fault from other_logs where fault is not null
        union all select 'witness', name || ': ' || fault from log_witnesses where fault is not null`,
  )
  const todo: Record<string, string> = {
    ledger: 'Nothing is anchored until you decide: see Backup in docs/operations.md.',
    log: 'Nothing is signed until you decide: see The log of anchors in docs/operations.md.',
    witness: 'Ask who runs it; nothing else waits for it.',
  }
  const said = faults.map(({ of, fault: words }) =>
    of === 'witness' ? warning(words, todo[of] ?? '') : fault(words, todo[of] ?? ''),
  )
  const { records, since } = await pendingRecords(tx)
  const waits = since === null ? 0 : (Date.now() - Date.parse(since)) / 1000
  if (waits > Math.max(LATE_S, LATE_ROUNDS * ANCHOR_INTERVAL_S))
    said.push(
      warning(
        `${records} records wait for an anchor, the oldest for ${duration(waits)}.`,
        'Does a process run? If so its log, and the check of the chain, say why it does not anchor.',
      ),
    )
  const [held] = await rows<{ n: number }>(tx, sql`select count(*)::int as n from boxes where held_back`)
  if (held !== undefined && held.n > 0)
    said.push(
      warning(
        `${held.n} boxes are held back since a backup was restored: they are in no new anchor.`,
        'Look whether they lack records, then release them: npm run -s ledger:recover.',
      ),
    )
  const [newest] = await rows<{ at: number | null; n: number }>(
    tx,
    sql`select max(block_time)::float8 as at, count(*)::int as n from anchors where state = 'confirmed'`,
  )
  const aheadS = (newest?.at ?? 0) - Date.now() / 1000
  if (aheadS > MAX_AHEAD_S)
    said.push(
      fault(
        `The clock of this machine is behind: the newest anchor has a time ${duration(aheadS)} from now.`,
        'Have this machine follow a time server (timedatectl).',
      ),
    )
  return said.length > 0
    ? said
    : [ok(`${newest?.n ?? 0} anchors are final, ${records} records wait for theirs.`)]
}

/** Networks let a block's time be a little ahead. */
const MAX_AHEAD_S = 60

/** `90 s`, `5 min`, `3 h`, `2 days`. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${Math.floor(seconds / 86_400)} days`
}
