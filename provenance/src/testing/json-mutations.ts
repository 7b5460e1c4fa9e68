import type { Chance } from './chance.ts'

/** A place in a JSON value: the names and indexes that lead to it. */
type Place = readonly (string | number)[]

/** Every place in a value, itself first. */
export const placesIn = (value: unknown, at: Place = []): Place[] =>
  typeof value === 'object' && value !== null
    ? [at, ...entriesOf(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))]
    : [at]

const entriesOf = (value: object): [string | number, unknown][] =>
  Array.isArray(value) ? [...value.entries()] : Object.entries(value)

const valueAt = (value: unknown, at: Place): unknown => at.reduce((inner, name) => Object(inner)[name], value)

/** A copy with what stands at a place replaced. */
function replaced(value: unknown, [name, ...rest]: Place, by: unknown): unknown {
  if (name === undefined) return by
  if (Array.isArray(value)) return value.with(Number(name), replaced(value[Number(name)], rest, by))
  const object = Object(value)
  return { ...object, [name]: replaced(object[name], rest, by) }
}

function changed(value: unknown, chance: Chance): unknown {
  if (typeof value === 'number') return value + (chance(2) === 0 ? 1 : -1) * (1 + chance(3))
  if (typeof value === 'boolean') return !value
  if (value === null) return [0, {}, 'x', true][chance(4)]
  if (typeof value === 'string') return changedText(value, chance)
  if (Array.isArray(value)) return changedList(value, chance)
  const names = Object.keys(Object(value))
  const gone = names[chance(names.length)]
  return Object.fromEntries(Object.entries(Object(value)).filter(([name]) => name !== gone))
}

/** One character becomes another, of the same kind where it is a digit of hex. */
function changedText(text: string, chance: Chance): string {
  const at = chance(text.length)
  const digit = Number.parseInt(text.charAt(at), 16)
  const other = Number.isNaN(digit) ? `${text.charAt(at)}x` : (digit ^ (1 << chance(4))).toString(16)
  return text.slice(0, at) + other + text.slice(at + 1)
}

function changedList(list: readonly unknown[], chance: Chance): unknown {
  const [a, b] = [chance(list.length), chance(list.length)]
  if (list.length === 0) return [['0'.repeat(64)], null][chance(2)]
  const ways: readonly (() => unknown)[] = [
    () => list.toSpliced(a, 1),
    () => list.toSpliced(b, 0, list[a]),
    () => list.with(a, list[b]).with(b, list[a]),
    () => list.slice(0, a),
    () => list.toReversed(),
    () => null,
  ]
  return ways[chance(ways.length)]?.()
}

/** The places of documents that are changed again and again. */
const known = new WeakMap<object, Place[]>()

function placesOf(document: object): Place[] {
  const places = known.get(document) ?? placesIn(document)
  known.set(document, places)
  return places
}

/** A copy of a JSON value that is changed at one place, chosen by chance. */
export function mutated(value: object, chance: Chance): unknown {
  const places = placesOf(value)
  const at = places[chance(places.length)] ?? []
  return replaced(value, at, changed(valueAt(value, at), chance))
}

/** A copy in which one value comes from a place of the same name in another document. */
export function transplanted(value: object, donor: object, chance: Chance): unknown {
  const places = placesOf(value)
  const at = places[1 + chance(places.length - 1)] ?? []
  const fitting = placesOf(donor).filter(
    (place) =>
      place.length === at.length && place.every((name, i) => typeof at[i] === 'number' || name === at[i]),
  )
  const from = fitting[chance(fitting.length)]
  return from === undefined ? value : replaced(value, at, valueAt(donor, from))
}
