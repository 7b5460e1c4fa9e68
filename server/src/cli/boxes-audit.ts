import pino from 'pino'
import { auditBoxes, rebuild } from '#server/box-audit/audit-boxes.ts'
import type { AuditDeps } from '#server/box-audit/derived.ts'
import { readConfig } from '#server/config/config.ts'
import { openFileStore } from '#server/files/file-store.ts'
import { readSiteFile } from '#server/site/site.ts'
import { print, runAudit } from './command.ts'

const USAGE = `Usage: npm run -s boxes:audit -- [--rebuild]

Compares what is derived of every box with what it is derived of: the figures that lists, cards and pages show with its
records, excursions with its readings as they are now, what its records say was sold with orders and losses, the newest
map of anchors with its records. The settings are the shop's, which may run on PostgreSQL meanwhile.
  --rebuild   figures and excursions that differ are made anew, excursions by a running process
Exit status: 0 all agree; 1 something differs; 2 it could not be done.`

runAudit(USAGE, async (db, isRebuilt) => {
  const log = pino({ level: 'silent' })
  const files = await openFileStore(readConfig(process.env), log)
  // Running processes hear of a change by its event.
  const deps: AuditDeps = {
    db,
    files,
    log,
    siteFile: await readSiteFile(),
    catalogue: { changed: () => undefined },
  }
  const different = new Set<string>()
  for await (const difference of auditBoxes(deps)) {
    const { boxID, of, words, canRebuild } = difference
    different.add(boxID)
    for (const one of words) print(`${boxID}, ${of}: ${one}`)
    if (isRebuilt) await rebuild(deps, difference)
    if (!canRebuild) print(`${boxID}, ${of}: a person has to look, nothing makes this anew.`)
  }
  if (different.size === 0) print('All boxes are as their rows are.')
  else print(different.size === 1 ? '1 box differs.' : `${different.size} boxes differ.`)
  return different.size
})
