import { numberOf } from '@befaqt/domain/typed-number'
import type { Form } from './read-form.ts'

/**
 * The fields of a form with numbers and booleans where text says one ('24.05', '1,200', 'true'); other text stays as
 * it is, for the schema to refuse. JSON has types of its own and is left alone.
 */
export function typedFields(
  { typed, body }: Pick<Form, 'typed' | 'body'>,
  names: { numbers: readonly string[]; booleans: readonly string[] },
): Record<string, unknown> {
  if (typed) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, unknown] => {
      if (typeof value !== 'string') return [name, value]
      const text = value.trim()
      if (names.numbers.includes(name)) return [name, numberOf(text)]
      if (names.booleans.includes(name) && (text === 'true' || text === 'false'))
        return [name, text === 'true']
      return [name, value]
    }),
  )
}
