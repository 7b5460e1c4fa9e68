import { BoxWeight, CatchProv, Registration } from '@befaqt/domain/box'
import { BoxLoss } from '@befaqt/domain/order'
import { parseNumber } from '@befaqt/domain/typed-number'
import { z } from 'zod'
import { typedAmount, typedGrams } from '../order/packing/packing.ts'

type Values = Record<string, unknown>

const isValues = (values: unknown): values is Values => typeof values === 'object' && values !== null
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** A box and its fisher as one form sends them; refusals name the field alone. */
export const FisherForm = z
  .object({ boxID: Registration.shape.boxID })
  .extend(Registration.shape.fisher.shape)
  .transform(({ boxID, ...fisher }): Registration => ({ boxID, fisher }))

const Catch = CatchProv.omit({ txHash: true })

/** '2026-11-21T05:40' of a date field as records have it: '2026-11-21 05:40:00', in market time. */
export const recordTime = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text.replace('T', ' ')}:00` : text.replace('T', ' ')

/** A catch as its form sends it. The codes of the place are its degrees unless something else was typed. */
function catchValues(values: unknown): unknown {
  if (!isValues(values)) return values
  const [latitude, longitude] = [parseNumber(values.latitude), parseNumber(values.longitude)]
  return {
    time: recordTime(textOf(values.time)),
    boat: textOf(values.boat),
    latitude,
    longitude,
    locationCodeLat: latitude,
    locationCodeLong: longitude,
    method: textOf(values.method),
    img: textOf(values.img),
    species: textOf(values.species),
    size: textOf(values.size),
    note: textOf(values.note),
  }
}
export const CatchForm = z.preprocess(catchValues, Catch)

/** A payload with the values that were typed in its fields: numbers where there were numbers, lists as JSON. */
export function typedPayload(before: Readonly<Values>, typed: Readonly<Values>): Values {
  return Object.fromEntries(
    Object.entries(before).map(([name, was]) => {
      const text = typed[name]
      if (typeof text !== 'string') return [name, was]
      if (typeof was === 'number') return [name, parseNumber(text)]
      if (typeof was === 'object' && was !== null) return [name, parsedJson(text)]
      return [name, text.replaceAll('\r\n', '\n')]
    }),
  )
}

/** What a JSON text says; the text itself when it is none, for the schema to refuse. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A loss as its form sends it, of these products: of what is weighed in grams or kilograms, else a number alone. */
export const lossForm = (products: readonly { _id: string; unit: string }[]) =>
  z.preprocess((values) => {
    if (!isValues(values)) return values
    const { unit = '' } = products.find(({ _id }) => _id === values.product_id) ?? {}
    return { ...values, amount: typedAmount(textOf(values.amount), unit)?.value ?? values.amount }
  }, BoxLoss)

/** The weight of a box as its form sends it, typed in grams or kilograms; without a scale it was typed. */
export const WeightForm = z.preprocess((values) => {
  if (!isValues(values)) return values
  const scale = textOf(values.scale)
  const grams = typedGrams(textOf(values.grams)) ?? values.grams
  return { of: values.of, grams, ...(scale !== '' && { scale }) }
}, BoxWeight)
