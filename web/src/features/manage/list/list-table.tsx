import type { ComponentProps, KeyboardEvent, ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Moment } from '#web/time/time.tsx'
import { withParams } from '../read.ts'
import { type ListColumns, useColumns } from './columns.tsx'

/** A column: its heading, how it is sorted, and what its cells show. */
export type Column<Row> = {
  heading: string
  /** What the URL sorts by; without it the column is not sorted by. */
  sort?: string
  cell: (row: Row) => ReactNode
  className?: string
  /** Names the row: a header of it for screen readers, and a line of its own on a phone. */
  isName?: boolean
  /** On a phone, where there are no headings, the heading is before the cell. */
  labelled?: boolean
  /** Amounts that are compared down the column: its digits stand one below the other. */
  isNumber?: boolean
}

/** When a row was changed last. */
export const changedColumn: Column<{ updatedAt: string | null }> = {
  heading: 'Last changed',
  labelled: true,
  cell: ({ updatedAt }) => updatedAt && <Moment at={updatedAt} />,
}

const numberClass = 'tabular-nums lg:text-right xl:pr-4'
const cellClass = 'lg:px-2 lg:py-2 lg:first:pl-3 lg:last:pr-3 min-w-0'

type Props = {
  caption: string
  headings: readonly Pick<Column<never>, 'heading' | 'sort' | 'isNumber'>[]
  busy?: boolean
  children: ReactNode
}

/** A list as a table: its rows are bodies of their own. On a phone each row is a card without headings; on a tablet what fits stands in one line. */
export const ListTable = ({ caption, headings, busy = false, children }: Props) => (
  <table
    aria-label={caption}
    aria-busy={busy}
    onKeyDown={moveBetweenRows}
    className="w-full border-collapse border-line border-t text-left max-lg:block lg:border-t-0"
  >
    <thead className="border-edge border-b max-lg:hidden">
      <tr>
        {headings.map((one) => (
          <HeadCell key={one.heading} {...one} />
        ))}
      </tr>
    </thead>
    {children}
  </table>
)

/** A heading; one that can be sorted by is a link, and reverses the order when pressed again. */
function HeadCell({ heading, sort, isNumber = false }: Props['headings'][number]) {
  const [params] = useSearchParams()
  const isSorted = sort !== undefined && params.get('sort') === sort
  const isDown = params.get('dir') === 'desc'
  const className = `${cellClass} font-semibold muted ${isNumber ? numberClass : ''}`
  if (sort === undefined)
    return (
      <th scope="col" className={className}>
        {heading === ACTIONS ? <span className="sr-only">{heading}</span> : heading}
      </th>
    )
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
      className={className}
    >
      <Link
        to={withParams(params, { sort, dir: isSorted && !isDown ? 'desc' : '' })}
        preventScrollReset
        className="-my-2 tap gap-1 hover:text-teal"
      >
        {heading}
        {isSorted && <span aria-hidden="true">{isDown ? '↓' : '↑'}</span>}
      </Link>
    </th>
  )
}

/** Heading of the column that holds a row's buttons; only screen readers are told it. */
export const ACTIONS = 'Actions'

/** Classes of a row's body. On a tinted row plain badges keep a ground of their own; a moment stays on one line where there is room. */
export const bodyClass =
  'border-line border-b odd:bg-surface even:bg-ice even:[&_span.bg-ice]:bg-surface 2xl:[&_time]:whitespace-nowrap max-lg:block'

const rowClass =
  'relative max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-4 max-lg:gap-y-2 max-lg:px-3 max-lg:py-3'

type RowProps<Row> = {
  columns: readonly Column<Row>[]
  row: Row
  hidden?: boolean
  className?: string
  before?: ReactNode
  actions?: ReactNode
}

/** One row: what is before its cells, the cells, and its actions. */
export const TableRow = <Row,>({
  columns,
  row,
  hidden = false,
  className = '',
  before,
  actions,
}: RowProps<Row>) => (
  <tr hidden={hidden} className={`${rowClass} ${className}`}>
    {before && <td className={`${cellClass} max-lg:absolute max-lg:top-1 max-lg:right-1`}>{before}</td>}
    {columns.map((column) => (
      <Cell key={column.heading} column={column}>
        {column.cell(row)}
      </Cell>
    ))}
    {actions && (
      <td className={`${cellClass} max-sm:w-full sm:max-lg:ml-auto`}>
        <div className="flex flex-wrap gap-2 lg:flex-nowrap lg:justify-end">{actions}</div>
      </td>
    )}
  </tr>
)

export type PlainProps<Row> = {
  caption: string
  columns: readonly Column<Row>[] | ListColumns<Row>
  rows: readonly Row[]
  idOf: (row: Row) => string
  /** Rows whose change is under way. */
  busy?: ReadonlySet<string>
  actions?: (row: Row) => ReactNode
  /** Stands in its place where there is no row. */
  empty?: ReactNode
}

/** A list whose rows are read here and not edited. */
export function PlainTable<Row>({ caption, columns, rows, idOf, busy, actions, empty }: PlainProps<Row>) {
  const { shown, chooser } = useColumns(columns)
  return (
    <>
      {chooser}
      {rows.length === 0 && empty !== undefined ? (
        <EmptyList>{empty}</EmptyList>
      ) : (
        <ListTable caption={caption} headings={actions ? [...shown, { heading: ACTIONS }] : shown}>
          {rows.map((row) => {
            const id = idOf(row)
            return (
              <tbody key={id} data-row={id} aria-busy={busy?.has(id)} className={bodyClass}>
                <TableRow columns={shown} row={row} actions={actions?.(row)} />
              </tbody>
            )
          })}
        </ListTable>
      )}
    </>
  )
}

/** Stands in place of a list without rows. */
export const EmptyList = ({ children }: { children: ReactNode }) => (
  <p data-empty tabIndex={-1} className="border-line border-y py-8 text-lg text-slate">
    {children}
  </p>
)

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  const { heading, isName = false, labelled = false, isNumber = false } = column
  const className = `${isNumber ? numberClass : ''} ${column.className ?? ''}`
  if (isName)
    return (
      <th scope="row" className={`${cellClass} text-left font-normal max-lg:w-full ${className}`}>
        {children}
      </th>
    )
  const label = 'max-lg:before:mr-1 max-lg:before:text-slate max-lg:before:content-[attr(data-label)]'
  return (
    <td data-label={heading} className={`${cellClass} ${labelled ? label : ''} ${className}`}>
      {children}
    </td>
  )
}

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** Arrows, Home and End lead from a control that is marked `data-action` to the same one of another row. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const { target, currentTarget } = event
  if (!step || !(target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return
  const action = target.dataset.action
  if (action === undefined) return
  const all = [...currentTarget.querySelectorAll<HTMLElement>(`[data-action="${action}"]`)]
  const next = all[step(all.indexOf(target), all.length - 1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

type ActionProps = Omit<ComponentProps<typeof Button>, 'aria-label' | 'className'> & {
  /** What kind it is of: arrow keys lead to those of the same kind in other rows, and removal moves the focus so. */
  action: string
  /** What it does and to which row. */
  label: string
}

/** A button at the end of a row. */
export const RowAction = ({ action, label, variant = 'outline', ...rest }: ActionProps) => (
  <Button
    variant={variant}
    className="px-3 lg:whitespace-nowrap"
    data-action={action}
    aria-label={label}
    {...rest}
  />
)

/** Names a row by somebody and the address. */
export const PersonCell = ({ name, email }: { name: string; email: string }) => (
  <span className="wrap-anywhere">
    <b className="font-semibold">{name}</b>
    <span className="block muted">{email}</span>
  </span>
)

/** Opens what was changed of a row. */
export const HistoryAction = ({
  name,
  ...rest
}: Pick<ActionProps, 'disabled' | 'onClick'> & { name: string }) => (
  <RowAction action="history" variant="link" label={`History of ${name}`} {...rest}>
    History
  </RowAction>
)

/** Names a row, and opens the page of what it is about. */
export const RowLink = ({ className = '', ...rest }: ComponentProps<typeof Link>) => (
  <Link data-action="open" className={`link tap font-semibold ${className}`} {...rest} />
)

type RevocableProps = { name: string; onRevoke?: (() => void) | undefined; onHistory: () => void }

/** What can be done about a key or a device of a list; one that is revoked can't be revoked again. */
export function RevocableActions({ name, onRevoke, onHistory }: RevocableProps) {
  const hydrated = useHydrated()
  return (
    <>
      {onRevoke && (
        <RowAction action="revoke" label={`Revoke ${name}`} disabled={!hydrated} onClick={onRevoke}>
          Revoke
        </RowAction>
      )}
      <HistoryAction name={name} disabled={!hydrated} onClick={onHistory} />
    </>
  )
}
