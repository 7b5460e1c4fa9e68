import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/** Converts a stored value to that of the API, and to the cell of a CSV file. */
export type Conversion<Stored, Shown> = {
  show(stored: Stored): Shown
  store(shown: Shown): Stored
  cell(shown: Shown): string
}

/** A sort key: its name in the API and its expression. */
type Sort = { readonly key: string; readonly by: SQLWrapper }

type Row<Table extends PgTable> = Table['$inferSelect']

/**
 * An editable column, under the name of its field in the API. `column` is its name in the schema; `as` converts when
 * field and column differ in value; `heading` is the CSV heading when it differs from the field's name.
 */
type EditedColumn<Table extends PgTable, Shown> = {
  [Key in keyof Row<Table> & string]: {
    column: Key
    heading?: string
    sort?: Sort
  } & (Row<Table>[Key] extends Shown
    ? { as?: Conversion<Row<Table>[Key], Shown> }
    : { as: Conversion<Row<Table>[Key], Shown> })
}[keyof Row<Table> & string]

/** The editable columns of `Table`, one for each of `Fields`. */
export type ColumnMap<Table extends PgTable, Fields extends object> = {
  readonly table: Table
  readonly columns: { readonly [Field in keyof Fields]-?: EditedColumn<Table, Fields[Field]> }
}

// The types relate fields to columns; the implementation treats all columns alike.
type AnyColumn = {
  readonly column: string
  readonly as?: { show(stored: never): unknown; store(shown: never): unknown; cell(shown: never): string }
  readonly heading?: string
  readonly sort?: Sort
}
type AnyMap = { readonly table: PgTable; readonly columns: Readonly<Record<string, AnyColumn>> }
type Columns<Map extends AnyMap> = Map['columns']

/** A row's values in the columns of a map. */
export type StoredColumns<Map extends AnyMap> = Pick<
  Row<Map['table']>,
  Columns<Map>[keyof Columns<Map>]['column'] & keyof Row<Map['table']>
>

/** The API fields of a map. */
export type ShownFields<Map extends AnyMap> = {
  -readonly [Field in keyof Columns<Map>]: Columns<Map>[Field] extends {
    as: Conversion<infer _, infer Shown>
  }
    ? Shown
    : Row<Map['table']>[Columns<Map>[Field]['column'] & keyof Row<Map['table']>]
}

const entries = new WeakMap<AnyMap, [field: string, column: AnyColumn][]>()

/** The columns by field, computed once per map: lists have thousands of rows. */
function entriesOf(map: AnyMap): [field: string, column: AnyColumn][] {
  const known = entries.get(map) ?? Object.entries(map.columns)
  entries.set(map, known)
  return known
}

/** The API fields of a row. */
export function shownFields<Map extends AnyMap>(map: Map, row: StoredColumns<Map>): ShownFields<Map> {
  const stored: Record<string, unknown> = row
  const shown: Record<string, unknown> = {}
  for (const [field, { column, as }] of entriesOf(map))
    shown[field] = as === undefined ? stored[column] : as.show(stored[column] as never)
  return shown as ShownFields<Map>
}

/** The map's fields of a larger view. */
export const pickFields = <Map extends AnyMap>(map: Map, view: ShownFields<Map>): ShownFields<Map> =>
  Object.fromEntries(Object.keys(map.columns).map((field) => [field, view[field]])) as ShownFields<Map>

/** The columns of a form's fields. Absent fields, and those that are not in the map, are left out. */
export function storedColumns<Map extends AnyMap>(map: Map, typed: ShownFields<Map>): StoredColumns<Map>
export function storedColumns<Map extends AnyMap>(
  map: Map,
  typed: { [Field in keyof ShownFields<Map>]?: ShownFields<Map>[Field] | undefined },
): Partial<StoredColumns<Map>>
export function storedColumns(map: AnyMap, typed: Record<string, unknown>): Record<string, unknown> {
  const stored = entriesOf(map).flatMap(([field, { column, as }]) => {
    const value = typed[field]
    if (value === undefined) return []
    return [[column, as === undefined ? value : as.store(value as never)]]
  })
  return Object.fromEntries(stored)
}

/** The Drizzle columns of a map, by their names in the schema. */
function schemaColumns({ table, columns }: AnyMap): [column: string, PgColumn][] {
  const all: Record<string, PgColumn> = getTableColumns(table)
  return Object.values(columns).map(({ column }) => {
    const found = all[column]
    if (found === undefined) throw new Error(`unknown column: ${column}`)
    return [column, found]
  })
}

const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `)
const named = (column: string): SQL => sql.raw(`"${column}"`)
/** A column's unqualified name: `price_cents`. */
const inDatabase = (column: string): SQL => sql`${sql.identifier(toSnakeCase(column))}`

/**
 * Arguments of `json_build_object` for one row. Many rows are read and written as JSON: PGlite parses results cell by
 * cell in JavaScript, which took longer than finding the rows.
 */
export const jsonOf = (map: AnyMap): SQL =>
  list(schemaColumns(map).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`))

/** Column definitions for `json_to_recordset`: `"priceCents" integer`. */
export const recordOf = (map: AnyMap): SQL =>
  list(schemaColumns(map).map(([name, column]) => sql`${named(name)} ${sql.raw(column.getSQLType())}`))

/** Assignments of an UPDATE from such a row: `price_cents = c."priceCents"`. */
export const setFrom = (map: AnyMap, alias: string): SQL =>
  list(schemaColumns(map).map(([name]) => sql`${inDatabase(name)} = ${sql.raw(alias)}.${named(name)}`))

/** Columns and values of an INSERT from such a row. */
export const insertFrom = (map: AnyMap, alias: string): { columns: SQL; values: SQL } => ({
  columns: list(schemaColumns(map).map(([name]) => inDatabase(name))),
  values: list(schemaColumns(map).map(([name]) => sql`${sql.raw(alias)}.${named(name)}`)),
})

/** Sort keys of a list: those of the map and `more`. */
export const sortKeys = (map: AnyMap, more: Record<string, SQLWrapper>): ReadonlyMap<string, SQLWrapper> =>
  new Map([
    ...Object.values(map.columns).flatMap(({ sort }): [string, SQLWrapper][] =>
      sort === undefined ? [] : [[sort.key, sort.by]],
    ),
    ...Object.entries(more),
  ])

/** CSV headings, in the order of the map. */
export const headingsOf = (map: AnyMap): string[] =>
  entriesOf(map).map(([field, { heading = field }]) => heading)

/** CSV cells by heading. */
export const cellsOf = <Map extends AnyMap>(map: Map, fields: ShownFields<Map>): Record<string, string> =>
  Object.fromEntries(
    entriesOf(map).map(([field, { heading = field, as }]) => {
      const value: unknown = fields[field]
      return [heading, as === undefined ? String(value) : as.cell(value as never)]
    }),
  )

/** Fields that are not text, to convert values of forms and CSV files. */
export function typedFieldsOf(map: AnyMap): { numbers: string[]; booleans: string[] } {
  const all: Record<string, PgColumn> = getTableColumns(map.table)
  const of = (type: string) =>
    entriesOf(map).flatMap(([field, { column }]) => (all[column]?.dataType === type ? [field] : []))
  return { numbers: of('number'), booleans: of('boolean') }
}
