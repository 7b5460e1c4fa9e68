import { parseNumber } from '@befaqt/domain/typed-number'
import type { Form } from './multipart-form.ts'

/**
 * Converts text fields of a form to numbers and booleans ('24.05', '1,200', 'true'); text that is neither stays, for
 * the schema to reject. JSON has types of its own and is left alone.
 */
export function coerceFormFields(
  { typed, body }: Pick<Form, 'typed' | 'body'>,
  names: { numbers: readonly string[]; booleans: readonly string[] },
): Record<string, unknown> {
  if (typed) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, unknown] => {
      if (typeof value !== 'string') return [name, value]
      const text = value.trim()
      if (names.numbers.includes(name)) return [name, parseNumber(text)]
      if (names.booleans.includes(name) && (text === 'true' || text === 'false'))
        return [name, text === 'true']
      return [name, value]
    }),
  )
}
