import type { ProofBundle } from '../bundle.ts'
import { isWithheld } from '../bundle-parts.ts'
import { latenessIn } from '../lateness.ts'
import { blockTimeSeconds } from '../validate.ts'
import type { MissingStatements, SignatureResult, StatementNotes } from '../verdict.ts'
import { FIRST, type Signed } from './statement.ts'

type Level = SignatureResult['level']

/** A statement whose signature holds, once for each record of what it says, and who signed it. */
export type Link = { readonly seq: number; readonly level: Level; readonly statement: Signed }

/** In which series a key counts: what it weighs is apart from its readings. */
export const seriesOf = (level: Level, key: string): string => (level === 'scale' ? `scale ${key}` : key)

/** After so long nothing of before is taken any more: what is missing then will not come. */
const SETTLED_S = 86_400

/**
 * Follows the statements of each key about a box by what each names as the one before it, in the order of their counters:
 * what is missing among them, where a device began anew, and which are of the older form; `notes` is null where there is
 * none of that. A gap counts once the reading behind it is 24 hours older than the bundle's last anchor, or that anchor
 * holds the seal. `forks`: statements that go on from one from which another of a lower counter does.
 * Source: protocol §6, 'Signed statements are chained'.
 */
export function followChains(
  bundle: ProofBundle,
  links: readonly Link[],
  timeZone: string,
): { readonly notes: StatementNotes | null; readonly forks: readonly Link[] } {
  const newest = bundle.anchors.at(-1)
  const latenessFrom = latenessIn(timeZone)
  const anchoredS = blockTimeSeconds(newest?.time ?? '') ?? 0
  const isSettled = ({ before }: MissingStatements): boolean =>
    newest?.leaf.sealed === true || (latenessFrom(before, anchoredS) ?? 0) > SETTLED_S
  const series = new Map<string, Link[]>()
  for (const link of links) {
    const name = seriesOf(link.level, link.statement.key)
    if (!series.get(name)?.push(link)) series.set(name, [link])
  }
  const chains = Array.from(series.values(), follow)
  const missing = chains.flatMap((chain) => chain.missing.filter(isSettled))
  const anew = chains.flatMap((chain) => chain.anew)
  const older = chains.reduce((sum, chain) => sum + chain.older, 0)
  const unshown = chains.reduce((sum, chain) => sum + chain.readings, 0) - links.length
  const forks = chains.flatMap((chain) => chain.forks)
  if (missing.length + anew.length + older + unshown === 0) return { notes: null, forks }
  const found = { missing, anew, older, unshown, lacking: missing.length + unshown > 0 }
  const words = wordsOf(found, chains.length, bundle.records.some(isWithheld), timeZone)
  return { notes: { ...found, words }, forks }
}

/** The statements of one key. How many are missing is known of a device that counts by ones wherever its chain is whole. */
function follow(links: readonly Link[]) {
  const byCounter = new Map(links.map((link) => [link.statement.counter, link]))
  const sorted = [...byCounter.values()].sort((a, b) => a.statement.counter - b.statement.counter)
  const shown = new Set(sorted.map(({ statement }) => statement.hash))
  const continued = new Set<string>()
  const forked = new Set<number>()
  const steps = new Set<number>()
  const lower = new Set<string>()
  const missing: MissingStatements[] = []
  const anew: StatementNotes['anew'][number][] = []
  let [older, readings] = [0, 0]
  let former: Signed | undefined
  for (const { level, statement } of sorted) {
    const { key, prev, counter } = statement
    const before = timesOf(statement)[0] ?? ''
    // One that names a statement of a higher counter continues nothing.
    const isOnward = prev !== null && prev !== FIRST && (lower.has(prev) || !shown.has(prev))
    if (isOnward && continued.has(prev)) forked.add(counter)
    if (isOnward) continued.add(prev)
    if (prev === null) older++
    else if (prev === FIRST) {
      if (lower.size > older) anew.push({ key, level, at: before })
    } else if (!lower.has(prev)) {
      const after = former === undefined ? null : (timesOf(former).at(-1) ?? null)
      missing.push({ key, level, count: former ? counter - former.counter - 1 : 0, after, before })
    } else if (prev === former?.hash) steps.add(counter - former.counter)
    readings += statement.readings.length
    lower.add(statement.hash)
    former = statement
  }
  const countsByOnes = steps.size === 1 && steps.has(1)
  return {
    missing: missing.map((gap) => ({ ...gap, count: countsByOnes && gap.count ? gap.count : null })),
    anew,
    older,
    readings,
    forks: links.filter(({ statement }) => forked.has(statement.counter)),
  }
}

/** Those of one statement are written alike, so that their text is in the order of time. */
const timesOf = ({ readings }: Signed): string[] => readings.map(({ time }) => time).sort()

/** Gaps that are named one by one, and devices that began anew. */
const NAMED = 3

function wordsOf(
  { missing, anew, older, unshown }: Omit<StatementNotes, 'words'>,
  keys: number,
  hasWithheld: boolean,
  timeZone: string,
): string {
  const clock = clockIn(timeZone)
  const gone = hasWithheld ? ' missing or withheld' : ' missing'
  const nameOf = ({ key, level }: { key: string; level: Level }): string => {
    const what = level === 'gateway' ? 'phone or gateway' : level
    return keys > 1 ? `the ${what} ${key.slice(0, 8)}` : `this ${what}`
  }
  const gaps = missing.slice(0, NAMED).map((gap) => {
    const subject = gap.count === null ? 'Statements' : `${gap.count} statement${gap.count === 1 ? '' : 's'}`
    const verb = gap.count === 1 ? 'is' : 'are'
    return `${subject} of ${nameOf(gap)} ${verb}${gone} ${clock.between(gap.after, gap.before)}.`
  })
  const starts = anew.slice(0, NAMED).map((start) => {
    const name = nameOf(start)
    return `${name.charAt(0).toUpperCase()}${name.slice(1)} began anew at ${clock.at(start.at)}: what it signed last before that may be missing.`
  })
  const more = missing.length + anew.length - gaps.length - starts.length
  return [
    ...gaps,
    ...starts,
    ...(more > 0 ? [`So in ${more} more place${more === 1 ? '' : 's'}.`] : []),
    ...(unshown > 0
      ? [`${unshown} reading${unshown === 1 ? ' is' : 's are'}${gone} of statements that are shown.`]
      : []),
    ...(older > 0
      ? [
          `${older} statement${older === 1 ? ' is' : 's are'} of an older form, which does not show whether one was left out.`,
        ]
      : []),
  ].join(' ')
}

/** Times as people say them, in the market's zone: `8:10 am on 21 Nov`, `between 8:10 and 9:10 am on 21 Nov`. */
function clockIn(timeZone: string) {
  const latenessFrom = latenessIn(timeZone)
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h12',
  })
  const partsOf = (time: string) => {
    const parts = format.formatToParts(-(latenessFrom(time, 0) ?? 0) * 1000)
    const { day, month, hour, minute, dayPeriod } = Object.fromEntries(
      parts.map(({ type, value }) => [type, value]),
    )
    return { hour: `${hour}:${minute}`, half: ` ${dayPeriod?.toLowerCase()}`, day: ` on ${day} ${month}` }
  }
  const at = (time: string): string => Object.values(partsOf(time)).join('')
  const between = (after: string | null, before: string): string => {
    if (after === null) return `before ${at(before)}`
    const [from, to] = [partsOf(after), partsOf(before)]
    const day = from.day === to.day ? '' : from.day
    return `between ${from.hour}${day === '' && from.half === to.half ? '' : from.half}${day} and ${at(before)}`
  }
  return { at, between }
}
