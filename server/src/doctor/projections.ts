import pino from 'pino'
import { logDifferences } from '#server/anchoring/index.ts'
import { auditBoxes } from '#server/box-audit/audit-boxes.ts'
import type { Db } from '#server/db/client.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { diffBoxes } from '#server/reports/box-sums.ts'
import { diffSales } from '#server/reports/sales-audit.ts'
import type { SiteFile } from '#server/site/index.ts'
import { type Check, fault, type Said } from './finding.ts'

/** So many differences of one kind are told; more are not looked for. */
const ENOUGH = 20

/**
 * One check for each thing that is derived: it is compared with what it is derived of.
 * @param limitMs of each
 */
export function projectionChecks(
  { db, files }: { db: Db; files: FileStore },
  siteFile: SiteFile,
  limitMs: number,
): Check[] {
  const sales = { db, siteFile, files, log: pino({ level: 'silent' }) }
  const inBoxes = { ...sales, catalogue: { changed: () => undefined } }
  const of = (
    name: string,
    differences: () => AsyncIterable<string> | Promise<string[]>,
    todo: string,
  ): Check => ({
    name,
    limitMs,
    run: async (signal) => {
      const said: Said[] = []
      for await (const words of await differences()) {
        said.push(fault(words, todo))
        if (signal.aborted || said.length === ENOUGH) break
      }
      return said
    },
  })
  return [
    of(
      'boxes',
      () => inWords(auditBoxes(inBoxes)),
      'npm run -s boxes:audit -- --rebuild makes anew what can be.',
    ),
    of('sums of sales', () => diffSales(sales), 'npm run -s reports:audit -- --rebuild'),
    of('sums of boxes', () => diffBoxes(sales), 'npm run -s reports:audit -- --rebuild'),
    of(
      'log of anchors',
      () => logDifferences(db),
      'See The log of anchors in docs/operations.md, and npm run -s log:audit.',
    ),
  ]
}

async function* inWords(found: ReturnType<typeof auditBoxes>): AsyncGenerator<string> {
  for await (const { boxID, of, words } of found) for (const one of words) yield `${boxID}, ${of}: ${one}`
}
