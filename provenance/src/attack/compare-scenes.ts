import { isWithheld } from '../bundle-parts.ts'
import { canonicalize, type JsonValue } from '../canonical.ts'
import { toHex } from '../digest.ts'
import { hashOfShown, type ShownRecord } from './forge.ts'
import { rootsIn, type Scene } from './scene.ts'

/** A field of a record before and after, as text; null: it was not there. */
export interface FieldChange {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** What an attack changed at one place: its hash before is the one that should be. */
export interface Change {
  readonly of: 'record' | 'proof' | 'node' | 'log' | 'seal'
  /** Number of the record, or index of the anchor; null: of neither. */
  readonly at: number | null
  /** Kind of the record, where there is one. */
  readonly kind: string | null
  readonly fields: readonly FieldChange[]
  /** null: there was nothing, or nothing is there any more. */
  readonly should: string | null
  readonly is: string | null
}

/** What is other in a scene after an attack, records first, at most `most` of each sort, and how many there are. */
export function changesBetween(
  before: Scene,
  after: Scene,
  most = 3,
): { readonly changes: readonly Change[]; readonly more: number } {
  const sorts = [recordChanges(before, after), rootChanges(before, after), logChanges(before, after)]
  return {
    changes: sorts.flatMap((sort) => sort.slice(0, most)),
    more: sorts.reduce((sum, { length }) => sum + Math.max(0, length - most), 0),
  }
}

function recordChanges(before: Scene, after: Scene): Change[] {
  const [was, is] = [byPlace(before), byPlace(after)]
  const places = [...new Set([...was.keys(), ...is.keys()])].sort((a, b) => a - b)
  return places.flatMap((at): Change[] => {
    const [one, other] = [was.get(at), is.get(at)]
    const [should, found] = [one, other].map((record) => (record ? toHex(hashOfShown(record)) : null))
    if (should === found) return []
    const kind = kindOf(one) ?? kindOf(other)
    return [
      { of: 'record', at, kind, fields: fieldChanges(one, other), should: should ?? null, is: found ?? null },
    ]
  })
}

const byPlace = ({ bundle }: Scene): Map<number, ShownRecord> =>
  new Map(bundle.records.map((record) => [record.seq, record]))

const kindOf = (record: ShownRecord | undefined): string | null =>
  record === undefined || isWithheld(record) ? null : record.kind

/** Longest text of a value. */
const MAX_TEXT = 60

function fieldChanges(one: ShownRecord | undefined, other: ShownRecord | undefined): FieldChange[] {
  const [was, is] = [valuesOf(one), valuesOf(other)]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [before = null, after = null] = [was.get(name), is.get(name)]
    return before === after ? [] : [{ name, before, after }]
  })
}

/** What a record says that somebody can read: signatures and salts are not. */
function valuesOf(record: ShownRecord | undefined): Map<string, string> {
  if (record === undefined || isWithheld(record)) return new Map()
  const { box, kind, at, by, data } = record
  const { signed: _, ...said } = data
  return new Map(
    Object.entries<JsonValue>({ box, kind, at, by, ...said }).map(([name, value]) => [name, textOf(value)]),
  )
}

const textOf = (value: JsonValue): string => {
  const text = typeof value === 'string' ? value : canonicalize(value)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text
}

const plain = { kind: null, fields: [] } as const

function rootChanges(before: Scene, after: Scene): Change[] {
  const [was, is] = [rootsIn(before.bundle), rootsIn(after.bundle)]
  const ofProof = [...new Set([...was.keys(), ...is.keys()])]
    .sort((a, b) => a - b)
    .flatMap((at): Change[] => {
      const [should = null, found = null] = [was.get(at), is.get(at)]
      return should === found ? [] : [{ ...plain, of: 'proof', at, should, is: found }]
    })
  const ofNode = [...before.answers.anchors].flatMap(([at, { root }]): Change[] => {
    const found = after.answers.anchors.get(at)?.root ?? null
    return root === found ? [] : [{ ...plain, of: 'node', at, should: root, is: found }]
  })
  const [sealed, open] = [before, after].map(({ bundle }) => bundle.anchors.at(-1)?.leaf)
  const ofSeal: Change[] =
    sealed?.sealed && open?.sealed === false
      ? [{ ...plain, of: 'seal', at: null, should: sealed.head, is: open.head }]
      : []
  return [...ofSeal, ...ofProof, ...ofNode]
}

function logChanges({ log: was }: Scene, { log: is }: Scene): Change[] {
  return was?.root === is?.root
    ? []
    : [{ ...plain, of: 'log', at: null, should: was?.root ?? null, is: is?.root ?? null }]
}
