import type { RecordRow } from '@befaqt/domain/api/box-api'
import type { ReadingLevel } from '@befaqt/domain/reading-level'
import type { RecordResult } from '@befaqt/provenance/verdict'
import { type ReactNode, useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { Time } from '#web/time/time.tsx'
import type { CheckState } from './check/check-state.ts'
import { usePageCheck } from './check/page-check.tsx'
import { Panel } from './panel.tsx'
import {
  groupText,
  levelLabels,
  openedPortion,
  type RecordGroup,
  recordGroups,
  recordLabels,
  recordStates,
} from './records.ts'

type RowProps = { row: RecordRow; found: RecordResult | undefined }
type StateProps = RowProps & { isAll?: boolean }

/** What this browser found; before that, what the shop says, without a colour of approval. */
function State({ row, found, isAll = false }: StateProps) {
  const { tone, word } = found ? recordStates[found.verdict] : { tone: 'plain' as const, word: row.state }
  return (
    <>
      <Badge tone={tone}>{isAll ? `all ${word.replace('✓\u00a0', '')}` : word}</Badge>
      {found && found.verdict !== 'anchored' && (
        <span className="mt-1 block max-w-56 text-slate text-xs">{found.words}</span>
      )}
    </>
  )
}

/** How a reading or weight came; of a signature only what this browser found. */
function Level({ level, found }: { level: ReadingLevel; found: RecordResult | undefined }) {
  const isSigned = level !== 'key' && level !== 'typed'
  const isOpen = isSigned && found?.signature?.state !== 'good'
  return (
    <span className="block muted">
      {levelLabels[level]}
      {isOpen && (found?.code === 'signature_mismatch' ? ', which is false' : ', not confirmed')}
    </span>
  )
}

function Row({ row, found }: RowProps) {
  const broken = found?.verdict === 'broken'
  return (
    <tr id={`record-${row.seq}`} className={`border-line border-b align-top ${broken ? 'bg-bad-ice' : ''}`}>
      <th scope="row" className="py-3 pr-3 text-right font-semibold">
        {row.seq}
      </th>
      <td className="py-3 pr-3">
        <span className="font-semibold">{recordLabels[row.kind] ?? row.kind}</span>
        {row.corrects !== undefined && <span className="text-slate"> of record {row.corrects}</span>}
        <span className="block muted">
          <Time at={row.at} />
        </span>
        {row.level && <Level level={row.level} found={found} />}
        <span className="block md:hidden">
          <ShortHash hash={row.recordHash} />
        </span>
        {row.txHash && (
          <span className="block md:hidden">
            <ShortHash hash={row.txHash} />
          </span>
        )}
      </td>
      <td className="hidden py-3 pr-3 md:table-cell">
        <ShortHash hash={row.recordHash} />
      </td>
      <td className="hidden py-3 pr-3 md:table-cell">{row.txHash ? <ShortHash hash={row.txHash} /> : '–'}</td>
      <td className="py-3">
        <State row={row} found={found} />
      </td>
    </tr>
  )
}

type GroupProps = {
  group: RecordGroup<RecordRow>
  opened: number
  results: ReadonlyMap<number, RecordResult>
}

/** Equal records as one row, which opens to show them a portion at a time. */
function Group({ group, opened, results }: GroupProps) {
  const { rows } = group
  const { shown, before, after } = openedPortion(group, opened)
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return null
  const isOpen = shown.length > 0
  const portionAt = (index: number) => `?records=${rows[index]?.seq}#record-${rows[index]?.seq}`
  return (
    <>
      <tr className="border-line border-b align-top">
        <th scope="row" className="py-3 pr-3 text-right font-semibold md:whitespace-nowrap">
          {first.seq}–{last.seq}
        </th>
        <td className="py-3 pr-3">
          <span className="font-semibold">{groupText(rows)}</span>
          <span className="block muted">
            <Time at={first.at} /> to <Time at={last.at} />
          </span>
          <More to={isOpen ? '?#records' : portionAt(0)}>{isOpen ? 'Hide them' : 'Show them'}</More>
        </td>
        <td className="hidden md:table-cell" />
        <td className="hidden py-3 pr-3 md:table-cell">
          {first.txHash !== null && first.txHash === last.txHash && <ShortHash hash={first.txHash} />}
        </td>
        <td className="py-3">
          <State row={first} found={results.get(first.seq)} isAll />
        </td>
      </tr>
      {before > 0 && <MoreRow to={portionAt(before - 1)}>{before} before these</MoreRow>}
      {shown.map((row) => (
        <Row key={row.seq} row={row} found={results.get(row.seq)} />
      ))}
      {after > 0 && <MoreRow to={portionAt(before + shown.length)}>{after} more</MoreRow>}
    </>
  )
}

/** Shows other rows; a link, so that it works without script. */
function More({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} preventScrollReset className="link tap font-semibold text-sm">
      {children}
    </Link>
  )
}

function MoreRow(props: { to: string; children: ReactNode }) {
  return (
    <tr className="border-line border-b">
      <td />
      <td colSpan={4}>
        <More {...props} />
      </td>
    </tr>
  )
}

const headings = 'py-2 pr-3 font-semibold muted'

/** What the browser found about this very box. */
const resultFor = (boxID: string, shop: CheckState) =>
  shop.phase === 'done' && shop.result.box === boxID ? shop.result : null

type Props = { boxID: string; records: readonly RecordRow[] }

/**
 * Every record with its fingerprint, transaction and state; what the browser found is shown beside what was claimed.
 */
export function RecordTable({ boxID, records }: Props) {
  const result = resultFor(boxID, usePageCheck().shop)
  const [query] = useSearchParams()
  const opened = Number(query.get('records'))
  const { results, groups } = useMemo(() => {
    const found = new Map(result?.records.map((record) => [record.seq, record]))
    const stateOf = ({ seq, state }: RecordRow) => {
      const own = found.get(seq)
      return own ? `${own.verdict} ${own.verdict === 'anchored' ? '' : own.words}` : state
    }
    return { results: found, groups: recordGroups(records, stateOf) }
  }, [result, records])
  return (
    <Panel className="no-print" title="Records" id="records">
      <p className="mb-4 max-w-2xl text-slate">
        Each record is one fact about this box. None can be changed or removed without a trace; mistakes are
        fixed by adding a correction, and the original stays visible.
      </p>
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">Records of this box, oldest first</caption>
        <thead>
          <tr className="border-edge border-b">
            <th scope="col" className={`${headings} text-right`}>
              No.
            </th>
            <th scope="col" className={headings}>
              Record
            </th>
            <th scope="col" className={`${headings} hidden md:table-cell`}>
              Fingerprint
            </th>
            <th scope="col" className={`${headings} hidden md:table-cell`}>
              Transaction
            </th>
            <th scope="col" className={headings}>
              State
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => {
            const [row] = group.rows
            if (!row) return null
            if (group.isFolded) return <Group key={row.seq} {...{ group, opened, results }} />
            return <Row key={row.seq} row={row} found={results.get(row.seq)} />
          })}
        </tbody>
      </table>
    </Panel>
  )
}

/** A hash, shortened to what tells it apart; the whole one is its title. */
function ShortHash({ hash }: { hash: string }) {
  return (
    <code title={hash} className="whitespace-nowrap font-mono muted">
      {hash.slice(0, hash.startsWith('0x') ? 10 : 8)}…{hash.slice(-6)}
    </code>
  )
}
