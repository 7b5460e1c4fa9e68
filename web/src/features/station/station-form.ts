import { EnoseResult, ImageResult } from '@befaqt/domain/box'
import { BoxID, Finding, Fraction, Latitude, Longitude, When } from '@befaqt/domain/box-values'
import { parseNumber } from '@befaqt/domain/typed-number'
import { z } from 'zod'
import { recordTime } from '../manage/box/box-forms.ts'

/** What a station is. */
export type Kind = 'image' | 'enose'
/** A file of a result: its number on this page, and the name under which it is sent. */
export type Named = { id: number; name: string }

type Values = Readonly<Record<string, unknown>>
/** What is typed, by the names of the fields; of a file with its number behind. */
type Typed = Record<string, unknown>

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** A fraction as typed: 0.97, or 97 %. Blank is no value. */
function fraction(value: unknown): unknown {
  const text = textOf(value)
  if (!text.endsWith('%')) return text === '' ? undefined : parseNumber(text)
  const number = parseNumber(text.slice(0, -1).trimEnd())
  return typeof number === 'number' ? number / 100 : value
}

/** A finding as typed: a word, or a fraction. */
function finding(value: unknown): unknown {
  const read = fraction(value)
  return typeof read === 'number' ? read : textOf(value)
}

/** The fields of one file, and what is typed there for it alone; blank is as for the whole. */
export const fileFields: Readonly<Record<Kind, readonly string[]>> = {
  image: ['fish', 'confidence', 'eye', 'skin'],
  enose: ['score', 'confidence'],
}
const fractions = ['score', 'confidence']

/** The name of a field of one file. */
export const fieldOf = (name: string, { id }: Named): string => `${name}-${id}`

function typedIn(values: Values, kind: Kind, files: readonly Named[]): Typed {
  const place = [textOf(values.latitude), textOf(values.longitude)]
  const [latitude, longitude] = place.every((text) => text === '') ? [0, 0] : place.map(parseNumber)
  const whole: Typed = {
    box: textOf(values.box),
    operator: textOf(values.operator),
    time: recordTime(textOf(values.time)),
    latitude,
    longitude,
    score: fraction(values.score),
    confidence: fraction(values.confidence),
  }
  for (const name of ['fish', 'eye', 'skin']) if (kind === 'image') whole[name] = finding(values[name])
  for (const file of files)
    for (const name of fileFields[kind]) {
      const field = fieldOf(name, file)
      if (textOf(values[field]) === '') continue
      whole[field] = fractions.includes(name) ? fraction(values[field]) : finding(values[field])
    }
  return whole
}

const required = (message: string) => ImageResult.shape.operator.min(1, message)

const wholeFields = {
  box: BoxID,
  operator: required('Say who or what assessed: the station, its method, its operator.'),
  time: When,
  latitude: Latitude,
  longitude: Longitude,
  score: Fraction,
  confidence: Fraction,
}

/** A result as its page sends it, checked field by field, as the server will. */
export function stationForm(kind: Kind, files: readonly Named[]) {
  const words = kind === 'image' ? { fish: Finding, eye: Finding, skin: Finding } : {}
  const own = files.flatMap((file) =>
    fileFields[kind].map(
      (name) => [fieldOf(name, file), (fractions.includes(name) ? Fraction : Finding).optional()] as const,
    ),
  )
  const schema = z.object({ ...wholeFields, ...words, ...Object.fromEntries(own) })
  return z
    .preprocess((values) => typedIn(Object(values), kind, files), schema)
    .transform((typed: Typed) => ({
      box: String(typed.box),
      result: kind === 'image' ? imageResult(typed, files) : enoseResult(typed, files),
    }))
}

/** A value of one file, or of the whole where nothing was typed for it. */
const ownOrWhole = (typed: Typed, name: string, file: Named): unknown =>
  typed[fieldOf(name, file)] ?? typed[name]

const assessed = ({ operator, time, latitude, longitude }: Typed) => ({ operator, time, latitude, longitude })

function imageResult(typed: Typed, files: readonly Named[]) {
  const names = fileFields.image
  return ImageResult.parse({
    ...assessed(typed),
    imgScore: typed.score,
    overallResult: Object.fromEntries(names.map((name) => [name, typed[name]])),
    resultPerImage: files.map((file) => ({
      image: file.name,
      ...Object.fromEntries(names.map((name) => [name, ownOrWhole(typed, name, file)])),
    })),
  })
}

function enoseResult(typed: Typed, files: readonly Named[]) {
  return EnoseResult.parse({
    ...assessed(typed),
    noseScore: typed.score,
    confidence: typed.confidence,
    resultPerTest: files.map((file) => ({
      noseScore: ownOrWhole(typed, 'score', file),
      confidence: ownOrWhole(typed, 'confidence', file),
      sensingData: file.name,
    })),
  })
}

/** A name under which a file can be sent: cameras call all of theirs the same, and a colon makes it no path. */
export function sendableName(name: string, taken: readonly string[]): string {
  const plain = name.replace(/[^\p{L}\p{N}._() -]/gu, '-').slice(-100) || 'file'
  const [, stem = plain, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(plain) ?? []
  for (let n = 1; ; n++) {
    const wanted = n === 1 ? plain : `${stem} ${n}${ending}`
    if (!taken.includes(wanted)) return wanted
  }
}
