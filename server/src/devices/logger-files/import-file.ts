import { FieldReading, MAX_FIELD_READINGS } from '@befaqt/domain/box'
import type { ColumnMap, FileReport, LineReading } from '@befaqt/domain/device-formats/logger-file'
import { rejectFutureTimes } from '@befaqt/domain/market-time'
import { boxNotFound, boxSealed } from '#server/boxes/index.ts'
import { lock } from '#server/db/lock.ts'
import { fieldError } from '#server/http/field-error.ts'
import { assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import {
  dedupeKeyOf,
  fieldErrors,
  ingestReadings,
  keyText,
  recordedKeys,
  type StoringDeps,
} from '#server/ingestion/index.ts'
import { readFile } from './read-file.ts'

const SAMPLED = 3
/** `after`, `count`: only so many lines after this one, so that a long file can be sent for in parts. */
type Asked = {
  box: string
  map: ColumnMap
  serial: string
  dryRun: boolean
  after: number
  count?: number | undefined
}
type Good = Extract<LineReading, { iotID: string }>
type Bad = FileReport['bad'][number]

/**
 * Stores the readings of a logger's file in a box, with the file's SHA-256 and each one's line in its record; a dry run
 * says what would become of them. Sent again, what is stored is a duplicate.
 * @throws ShopError `input.invalid` for a file of something else, `box.not_found`, `box.sealed`
 */
export async function importFile(
  deps: StoringDeps,
  principal: Principal,
  bytes: Uint8Array,
  asked: Asked,
): Promise<FileReport> {
  assertBoxAccess(principal, asked.box)
  const { sha256, lines: read } = await readFile(bytes, asked.map, asked.serial)
  const rest = read.filter(({ line }) => line > asked.after)
  const part = rest.slice(0, asked.count)
  const { good, bad } = checked(deps, part, asked.box)
  if (good.length === 0 && bad.length === read.length && bad.length > 0 && !asked.dryRun)
    throw fieldError('map', 'No line of this file can be read so.')
  const outcomes = asked.dryRun
    ? await foretell(deps, asked.box, good)
    : await store(deps, principal, { sha256, box: asked.box, good })
  const refused = [...bad, ...outcomes.bad].sort((a, b) => a.line - b.line)
  return {
    sha256,
    applied: !asked.dryRun,
    accepted: outcomes.accepted,
    duplicates: outcomes.duplicates,
    refused: refused.length,
    bad: refused,
    sample: good.slice(0, SAMPLED),
    next: rest.length > part.length ? (part.at(-1)?.line ?? null) : null,
    span: spanOf(good),
  }
}

/** Readings that the schema of all readings takes, and the lines that it does not. */
function checked({ now, siteFile }: StoringDeps, read: readonly LineReading[], box: string) {
  const schema = rejectFutureTimes(FieldReading, { now: now(), timeZone: siteFile.market.timeZone })
  const good: Good[] = []
  const bad: Bad[] = []
  for (const one of read) {
    if ('message' in one) {
      bad.push(one)
      continue
    }
    const parsed = schema.safeParse(readingOf(one, box))
    const [fault] = parsed.success ? [] : fieldErrors(parsed.error)
    if (fault === undefined) good.push(one)
    else bad.push({ line: one.line, ...fault })
  }
  return { good, bad }
}

const readingOf = ({ line: _, ...reading }: Good, box: string): FieldReading => ({
  box,
  ...reading,
  latitude: 0,
  longitude: 0,
})

type Outcomes = { accepted: number; duplicates: number; bad: Bad[] }

/** What storing would answer, without writing. */
async function foretell(
  { db, siteFile }: StoringDeps,
  box: string,
  good: readonly Good[],
): Promise<Outcomes> {
  const keyed = good.map((one) => ({ box, key: dedupeKeyOf(readingOf(one, box), siteFile.market.timeZone) }))
  return db.transaction(async (tx) => {
    const held = (await lock(tx).boxes([box], 'no key update'))[0].get(box)
    if (held === undefined) throw boxNotFound()
    if (held.sealed) throw boxSealed()
    const known = await recordedKeys(tx, keyed)
    const fresh = new Set(keyed.map(keyText).filter((key) => !known.has(key)))
    return { accepted: fresh.size, duplicates: good.length - fresh.size, bad: [] }
  })
}

async function store(
  deps: StoringDeps,
  principal: Principal,
  { sha256, box, good }: { sha256: string; box: string; good: readonly Good[] },
): Promise<Outcomes> {
  const sum: Outcomes = { accepted: 0, duplicates: 0, bad: [] }
  const sent = principal.kind === 'key' ? 'key' : undefined
  for (let from = 0; from < good.length; from += MAX_FIELD_READINGS) {
    const part = good.slice(from, from + MAX_FIELD_READINGS)
    const answers = await ingestReadings(
      deps,
      part.map((one) => ({ input: readingOf(one, box), sent, file: { sha256, line: one.line } })),
    )
    for (const [i, [outcome]] of answers.entries()) {
      if (outcome instanceof Error) throw outcome
      if (outcome === 'accepted') sum.accepted++
      else if (outcome === 'duplicate') sum.duplicates++
      else sum.bad.push(...(outcome?.refused ?? []).map((fault) => ({ line: part[i]?.line ?? 0, ...fault })))
    }
  }
  return sum
}

function spanOf(good: readonly Good[]): FileReport['span'] {
  const times = good.map(({ time }) => time).sort()
  const [from, to] = [times[0], times.at(-1)]
  if (from === undefined || to === undefined) return null
  const [low, high] = good.reduce(
    ([low, high], { temperature }) => [Math.min(low, temperature), Math.max(high, temperature)],
    [Infinity, -Infinity],
  )
  return { from, to, low: low ?? 0, high: high ?? 0 }
}
