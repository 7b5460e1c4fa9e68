import { ShopError } from '@befaqt/domain/errors'
import type { schemas } from './schemas.ts'

type Schemas = typeof schemas

const NOT_FETCHED =
  'What this form is checked with could not be fetched. Check your connection and try again.'

/**
 * How to fetch the schema of a form: with zod it weighs a quarter of what a page's script may.
 * The answered function rejects with ShopError `unavailable` when it can't be had.
 */
export const schemaOf =
  <Name extends keyof Schemas>(name: Name) =>
  async (): Promise<Schemas[Name]> => {
    const fetched = await import('./schemas.ts').catch((cause: unknown) => {
      throw new ShopError('unavailable', NOT_FETCHED, { cause })
    })
    return fetched.schemas[name]
  }
