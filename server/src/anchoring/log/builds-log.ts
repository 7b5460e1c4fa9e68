import type { BuildView } from '@befaqt/domain/api/box-api'
import { BUILDS, type BuildKind, buildEntry, parseBuildEntry } from '@befaqt/provenance/log/builds'
import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { parseNote, verifierKeyText } from '@befaqt/provenance/log/note'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { anchorLogs, otherLogs, startedBuilds } from '#server/db/schema/anchor-log.ts'
import type { PagesBuild } from './build-manifest.ts'
import { newestSigned } from './cosignatures.ts'
import { appendEntries, entryCount } from './log-rows.ts'
import { baseOf, buildsLog } from './shop-logs.ts'
import type { FollowAnchors, LogSettings } from './sign-log.ts'
import { faultless, type Log, LogFault, type SignDeps, sign, signedBefore, signerOf } from './signing.ts'

/*
 * The log of builds: what visitors are given to run. Each process notes at its start what it serves, and the leader appends
 * what is not in the log yet, whoever noted it: so two builds of a rolling upgrade get in, and one that was gone back to is
 * there already. Source: witness.md, Two logs.
 */

/** The entries that a build is to have. */
export const entriesOfBuild = ({ build, checker, version }: PagesBuild): string[] =>
  [
    { kind: 'build' as const, hash: build, version },
    ...(checker === null ? [] : [{ kind: 'checker' as const, hash: checker, version }]),
  ].map((entry) => Buffer.from(buildEntry(entry)).toString())

/** Notes that a process serves this build. */
export async function noteStartedBuild(db: Db, build: PagesBuild): Promise<void> {
  const values = entriesOfBuild(build).map((entry) => ({ entry }))
  await db.insert(startedBuilds).values(values).onConflictDoNothing()
}

type BuildsSettings = Pick<LogSettings, 'secrets' | 'file'>

/** Follows what processes serve in the log of builds, which begins once that of anchors has a name. */
export function followBuilds(settings: BuildsSettings): FollowAnchors {
  let done: string | undefined
  return async (deps) => {
    const state = JSON.stringify(await stateOf(deps.db))
    if (state !== done) done = (await follow(deps, settings)) ? state : undefined
  }
}

/** What the log depends on; while it is the same there is nothing to be done. */
const stateOf = (db: Db | Tx): Promise<object[]> =>
  rows(
    db,
    sql`select (select count(*) from started_builds)::int as started,
          (select origin from anchor_logs limit 1) as origin,
          (select jsonb_agg(jsonb_build_array(origin, key, seen)) from other_logs where kind = 'builds') as builds`,
  )

async function follow(deps: Parameters<FollowAnchors>[0], settings: BuildsSettings): Promise<boolean> {
  const log = await openBuilds(deps, settings)
  if (log === undefined) return false
  return faultless(deps, log, async () => {
    const [size, signed] = await append(deps, log)
    if (signed < size) await sign(deps, log, size)
    return true
  })
}

const OF_BUILDS = { called: 'log of builds', entries: 'builds' } as const

/** The log of builds of this database; undefined: it has not begun. */
export async function knownBuildsLog(
  db: Db | Tx,
  { secrets, file }: BuildsSettings,
): Promise<Log | undefined> {
  const [known] = await db.select().from(otherLogs).where(eq(otherLogs.kind, 'builds')).limit(1)
  return known && { ...known, ...OF_BUILDS, of: known.origin, file, signer: signerOf(known.origin, secrets) }
}

async function openBuilds(
  { db, checkLead, log: told }: SignDeps,
  settings: BuildsSettings,
): Promise<Log | undefined> {
  const known = await knownBuildsLog(db, settings)
  if (known !== undefined) return known
  const { secrets, file } = settings
  const kept = await file?.read()
  const [ofAnchors] = await db.select().from(anchorLogs).limit(1)
  const origin =
    kept === undefined
      ? ofAnchors && buildsOrigin(ofAnchors.origin)
      : parseCheckpoint(parseNote(kept).text).origin
  if (origin === undefined) return undefined
  const signer = signerOf(origin, secrets)
  const row = { origin, key: verifierKeyText(signer.key) }
  await db.transaction(async (tx) => {
    await checkLead(tx)
    await tx.insert(otherLogs).values({ ...row, kind: 'builds' })
  })
  told.info(row, 'the log of builds begins')
  return { ...row, ...OF_BUILDS, of: origin, file, seen: null, signer }
}

/** Name of the log of builds beside a log of anchors, also where that was begun anew. */
export const buildsOrigin = (origin: string): string => baseOf(origin) + BUILDS

/**
 * Appends what was noted and is not in the log. Nothing is kept of that where the log then does not continue what was signed:
 * a database that forgot an entry gets it again at the next start of the same build. Returns its size, and that which is signed.
 * @throws LogFault
 */
async function append(deps: SignDeps, log: Log): Promise<[size: number, signed: number]> {
  return deps.db.transaction(async (tx) => {
    await deps.checkLead(tx)
    const before = await entryCount(tx, log.of)
    const missing = await rows<{ entry: string }>(
      tx,
      sql`select entry from started_builds s where not exists (
            select 1 from other_log_entries e where e.origin = ${log.origin} and e.entry = s.entry)
          order by created_at, entry collate "C"`,
    )
    const entries = missing.map(({ entry }) => entry)
    for (const entry of entries) requireBuild(entry)
    await appendEntries(tx, before, entries, log.of)
    const size = before + entries.length
    return [size, await signedBefore({ ...deps, db: tx }, log, size)]
  })
}

function requireBuild(entry: string): void {
  try {
    parseBuildEntry(Buffer.from(entry))
  } catch {
    throw new LogFault(`A process noted what is no build: ${entry.slice(0, 200)}`)
  }
}

/** Where what a process serves stands in the log, as far as that is signed. */
export async function buildInLog(db: Db, { build, checker, version }: PagesBuild): Promise<BuildView> {
  const log = await buildsLog(db)
  const signed = log && (await newestSigned(db, log.origin))
  const found = await rows<{ index: number; entry: string }>(
    db,
    sql`select index, entry from other_log_entries
        where origin = ${log?.origin ?? ''} and index < ${signed?.size ?? 0}
          and entry in ${entriesOfBuild({ build, checker, version, manifest: '' })}`,
  )
  const placed = (kind: BuildKind, hash: string) => {
    const entry = Buffer.from(buildEntry({ kind, hash, version })).toString()
    return { hash, index: found.find((one) => one.entry === entry)?.index ?? null }
  }
  return {
    version,
    build: placed('build', build),
    checker: checker === null ? null : placed('checker', checker),
    log: signed === undefined ? null : { origin: signed.origin, size: signed.size },
  }
}
