import { z } from 'zod'
import { schemaNames } from '../fields.ts'

/** Schema of the body of every error response, `ErrorBody`. Further fields depend on the code. */
export const Problem = z
  .strictObject({
    error: z.looseObject({
      /** Stable, for programs. */
      code: z.string(),
      /** For people. */
      message: z.string(),
      /** Invalid fields; `path` is '' for the whole body. */
      fields: z.array(z.strictObject({ path: z.string(), message: z.string() })).exactOptional(),
      /** Seconds to wait, as in Retry-After. */
      retryAfterS: z.number().exactOptional(),
    }),
  })
  .register(schemaNames, { id: 'Problem' })

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  undefined: 'left out',
  date: 'a date',
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', set: ' entries' }

/**
 * What is wrong with a value whose schema has no words of its own for it, as a person would say it: the schema library's
 * own texts speak of types and options. Given to `safeParse` as `error`.
 */
export function plainIssue(issue: z.core.$ZodRawIssue): string {
  const unit = 'origin' in issue ? (units[`${issue.origin}`] ?? '') : ''
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `must ${unit === '' ? 'be' : 'have'} ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit}`
    case 'too_big':
      return `must ${unit === '' ? 'be' : 'have'} ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return 'has fields that are not known'
    default:
      return 'is not as it should be'
  }
}
