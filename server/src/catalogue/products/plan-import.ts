import { isDeepStrictEqual } from 'node:util'
import type { ImportReport } from '@befaqt/domain/api/manage-api'
import { ProductInput, ProductPatch } from '@befaqt/domain/catalogue'
import { EXAMPLE } from '@befaqt/domain/csv-cells'
import { titleKey } from '@befaqt/domain/page-paths'
import { preparationsError } from '@befaqt/domain/preparation'
import { MAX_IMAGES } from '@befaqt/domain/upload-limits'
import type { z } from 'zod'
import { productColumns } from '#server/catalogue/columns.ts'
import { shownFields, storedColumns } from '#server/db/column-map.ts'
import { toValidationError } from '#server/http/errors.ts'
import { coerceFormFields } from '#server/http/multipart-form.ts'
import { isAddress, pictureAddressError } from './fetch-picture.ts'
import type { NewLink } from './linked-pictures.ts'
import { nearestTitle } from './nearest-title.ts'
import { type BadRow, type CsvRow, pictureNames } from './product-csv.ts'
import { typedColumns } from './product-form.ts'
import { pictureKey } from './product-zip.ts'
import { batched, type ProductRow } from './read-products.ts'
import type { RowChange } from './write-many.ts'
import type { ZipPictures } from './zip-pictures.ts'

/** Bad rows in the report. */
export const MAX_BAD_ROWS = 1_000

/** A new product, and the paths of its pictures. */
type Created = { id: string; input: ProductInput; imagePaths: string[] }

/** The changes of an import. `rows` is for the report; `created` and `changed` are for the database. */
export type ImportPlan = {
  created: Created[]
  changed: RowChange[]
  unchanged: number
  examples: number
  rows: ImportReport['rows']
  bad: BadRow[]
  /** Keys of the pictures that lines name. */
  named: Set<string>
  /** Pictures to be fetched, and how many products change by nothing else. */
  links: NewLink[]
  onlyLinked: number
}

/** The state before an import: products by id with their pictures, and titles of categories by id. */
export type Present = {
  products: ReadonlyMap<string, ProductRow>
  images: ReadonlyMap<string, readonly string[]>
  /** Addresses that were asked for before, by the product's id. */
  asked: ReadonlyMap<string, ReadonlySet<string>>
  /** Hosts of our own network that pictures may be fetched from. */
  allowedHosts: readonly string[]
  categories: ReadonlyMap<string, string>
  /** Those that came along; undefined: the file came without a ZIP. */
  pictures: ZipPictures | undefined
  /** The id of the product that a line of this file makes. */
  idOf: (line: number) => string
}

/** Categories that a file has otherwise, each with the title that it is said to mean. */
export type Meant = readonly (readonly [typed: string, title: string])[]

/** Compares a file with the current state. Writes nothing. Every bad row is reported with its line. */
export async function planImport(
  file: readonly CsvRow[],
  present: Present,
  meant: Meant,
): Promise<ImportPlan> {
  const plan: ImportPlan = {
    created: [],
    changed: [],
    unchanged: 0,
    examples: 0,
    rows: [],
    bad: [],
    named: new Set(),
    links: [],
    onlyLinked: 0,
  }
  const byTitle = new Map([...present.categories].map(([id, title]) => [titleKey(title), id]))
  const around: Around = {
    present,
    byTitle,
    seen: new Set(),
    meant: new Map(meant.map(([typed, title]) => [titleKey(typed), title])),
    unknown: new Map(),
  }
  for await (const part of batched(file)) planPart(plan, part, around)
  return plan
}

/**
 * `seen`: ids of the rows before; `meant`: titles by the key of what is typed; `unknown`: what is said of a category that
 * there is not, looked for once.
 */
type Around = {
  present: Present
  byTitle: ReadonlyMap<string, string>
  seen: Set<string>
  meant: ReadonlyMap<string, string>
  unknown: Map<string, Unknown>
}

type Unknown = Pick<BadRow, 'message' | 'nearest'>

function planPart(plan: ImportPlan, part: readonly CsvRow[], around: Around): void {
  const { present, byTitle, seen } = around
  for (const row of part) {
    const { _id = '', version = '', category: typed, pictures = '', ...cells } = row.cells
    const category = typed === undefined ? undefined : meantBy(typed, around)
    const categoryId = category === undefined ? undefined : byTitle.get(titleKey(category))
    const fields = {
      ...coerceFormFields({ typed: false, body: cells }, typedColumns),
      ...(category !== undefined && { category_id: categoryId ?? '' }),
    }
    const before = present.products.get(_id)
    const images = picturesOf(plan, pictures, present)
    if (_id === '' && cells.title?.startsWith(EXAMPLE)) plan.examples++
    else if (category !== undefined && categoryId === undefined)
      plan.bad.push({ line: row.line, path: 'category', ...noCategory(category, around) })
    else if (typeof images === 'string') plan.bad.push({ line: row.line, path: 'pictures', message: images })
    else if (_id === '') planNew(plan, row.line, { fields, images }, present)
    else if (seen.has(_id)) plan.bad.push({ line: row.line, path: '_id', message: 'is in this file twice' })
    else if (before === undefined)
      plan.bad.push({ line: row.line, path: '_id', message: 'There is no such product' })
    else planChange(plan, row.line, { before, fields, version, images }, present)
    seen.add(_id)
  }
}

/** A category that there is means itself, whatever was said of it while there was none. */
const meantBy = (typed: string, { byTitle, meant }: Around): string =>
  byTitle.has(titleKey(typed)) ? typed : (meant.get(titleKey(typed)) ?? typed)

/** Of what is longer, none is named: no title is nearly so long. */
const MAX_TYPED = 120

/** The nearest title is named and never taken: somebody says that it is meant, or mends the file. */
function noCategory(typed: string, { present: { categories }, unknown }: Around): Unknown {
  const said = unknown.get(typed)
  if (said !== undefined) return said
  const isLookedFor = unknown.size < MAX_BAD_ROWS && typed.length <= MAX_TYPED
  const title = isLookedFor ? nearestTitle(typed, [...categories.values()]) : undefined
  const message = `There is no category “${typed.slice(0, 60)}”`
  const answer: Unknown =
    title === undefined
      ? { message }
      : { message: `${message}. Did you mean “${title}”?`, nearest: { typed, title } }
  // Past this many, nobody reads the others' answers: the report ends there too.
  if (unknown.size < MAX_BAD_ROWS) unknown.set(typed, answer)
  return answer
}

/** One that came along, its path null before it was looked at; or one that is to be fetched. */
type Picture = { name: string; path: string | null; isLink?: true }

/** The pictures that a cell names; or what is wrong with them. */
function picturesOf(plan: ImportPlan, cell: string, { pictures, allowedHosts }: Present): Picture[] | string {
  const found = new Map<string, Picture>()
  for (const name of pictureNames(cell)) {
    const shown = name.slice(0, 80)
    if (isAddress(name)) {
      const problem = pictureAddressError(name, allowedHosts)
      if (problem !== undefined) return `“${shown}” ${problem}`
      found.set(name, { name, path: null, isLink: true })
      continue
    }
    if (pictures === undefined)
      return `“${shown}” did not come along: put this file and its pictures into one ZIP, or name their addresses`
    plan.named.add(pictureKey(name))
    const picture = pictures.get(pictureKey(name))
    if (picture === undefined) return `There is no “${shown}” in the ZIP`
    if ('refused' in picture) return `“${shown}” ${picture.refused}`
    found.set(picture.path ?? pictureKey(name), picture)
  }
  return found.size > MAX_IMAGES ? TOO_MANY_IMAGES : [...found.values()]
}

const TOO_MANY_IMAGES = `at most ${MAX_IMAGES} images are allowed`

/**
 * An empty cell means the default of a new product. It is ACTIVE only where the file says so and it has a picture, as all
 * that is on sale, or once one was fetched: else somebody adds one and then sets it ACTIVE. A line whose product this very
 * file made before is left as it is.
 */
function planNew(
  plan: ImportPlan,
  line: number,
  { fields, images }: { fields: object; images: readonly Picture[] },
  { categories, products, idOf }: Present,
): void {
  const id = idOf(line)
  if (products.has(id)) {
    plan.unchanged++
    return
  }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  const parsed = ProductInput.safeParse(given)
  if (!parsed.success) {
    addBad(plan, line, parsed.error)
    return
  }
  const error = preparationsError(parsed.data)
  if (error !== null) {
    plan.bad.push({ line, path: 'preparations', message: error })
    return
  }
  const isOnSale = images.some(({ isLink }) => !isLink) && 'status' in given
  const { status } = parsed.data
  const made: ProductInput = {
    ...parsed.data,
    status: status === 'ACTIVE' && !isOnSale ? 'INACTIVE' : status,
  }
  plan.created.push({ id, input: made, imagePaths: pathsOf(images) })
  const sellsVersion = status === 'ACTIVE' && !isOnSale && 'status' in given ? 1 : null
  for (const { name, isLink } of images)
    if (isLink) plan.links.push({ productId: id, address: name, sellsVersion })
  const { category_id, ...rest } = made
  const after = { ...rest, category: categories.get(category_id) ?? '', ...named(images) }
  const diff = Object.fromEntries(Object.entries(after).map(([name, to]) => [name, { from: null, to }]))
  plan.rows.push({ line, _id: null, title: parsed.data.title, diff })
}

const pathsOf = (images: readonly Picture[]): string[] => images.flatMap(({ path }) => path ?? [])

/** For the report: files that a product gets as pictures. */
const named = (images: readonly Picture[]): { pictures?: string[] } =>
  images.length === 0 ? {} : { pictures: images.map(({ name }) => name) }

type Asked = { before: ProductRow; fields: object; version: string; images: readonly Picture[] }

function planChange(plan: ImportPlan, line: number, asked: Asked, present: Present): void {
  const parsed = ProductPatch.safeParse(asked.fields)
  if (!parsed.success) {
    addBad(plan, line, parsed.error)
    return
  }
  const { before } = asked
  const has = present.images.get(before.id) ?? []
  const askedBefore = present.asked.get(before.id)
  const added = asked.images.filter(({ name, path, isLink }) =>
    isLink ? !askedBefore?.has(name) : path === null || !has.includes(path),
  )
  const links = added.filter(({ isLink }) => isLink)
  const after: ProductRow = { ...before, ...storedColumns(productColumns, parsed.data) }
  const diff = differences(before, after, present.categories)
  for (const [field, to] of Object.entries(named(added))) diff[field] = { from: null, to }
  if (Object.keys(diff).length === 0) {
    plan.unchanged++
    return
  }
  // Whether an unread picture is new is not known yet.
  const isChanged =
    Object.keys(diff).some((field) => field !== 'pictures') ||
    added.some(({ path, isLink }) => isLink || path !== null)
  if (isChanged && asked.version !== '' && asked.version !== String(before.version)) {
    plan.bad.push({ line, path: 'version', message: 'Somebody else changed this product after the export' })
    return
  }
  const error = preparationsError(after)
  if (error !== null) {
    plan.bad.push({ line, path: 'preparations', message: error })
    return
  }
  const paths = pathsOf(added)
  if (has.length + paths.length + links.length > MAX_IMAGES) {
    plan.bad.push({ line, path: 'pictures', message: TOO_MANY_IMAGES })
    return
  }
  const images = paths.length === 0 ? {} : { images: { before: has, added: paths } }
  const isOnlyLinked =
    Object.keys(diff).every((field) => field === 'pictures') && added.every(({ isLink }) => isLink)
  if (isOnlyLinked) plan.onlyLinked++
  else plan.changed.push({ before, after, ...images })
  for (const { name } of links) plan.links.push({ productId: before.id, address: name, sellsVersion: null })
  plan.rows.push({ line, _id: before.id, title: before.title, diff })
}

type FieldChange = { from: unknown; to: unknown }

function differences(before: ProductRow, after: ProductRow, categories: Present['categories']) {
  const was = byHeading(before, categories)
  const is = byHeading(after, categories)
  return Object.fromEntries<FieldChange>(
    Object.keys(was)
      .filter((name) => !isDeepStrictEqual(was[name], is[name]))
      .map((name) => [name, { from: was[name], to: is[name] }]),
  )
}

/** A row by column headings. */
function byHeading(row: ProductRow, categories: Present['categories']): Record<string, unknown> {
  const { category_id: _, ...rest } = shownFields(productColumns, row)
  return { ...rest, category: categories.get(row.categoryId) }
}

function addBad(plan: ImportPlan, line: number, error: z.ZodError): void {
  for (const { path, message } of toValidationError(error).fields)
    plan.bad.push({ line, path: path === 'category_id' ? 'category' : path, message })
}
