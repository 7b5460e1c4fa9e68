import { ShopError } from '@befaqt/domain/errors'
import type { schemas } from './schemas.ts'

type Schemas = typeof schemas

/** ShopError for a part of the page's script that can't be had. */
export const notFetched = (what: string, cause: unknown): ShopError =>
  new ShopError('unavailable', `${what} could not be fetched. Check your connection and try again.`, {
    details: { answered: null },
    cause,
  })

/**
 * How to fetch the schema of a form: with zod it weighs a quarter of what a page's script may.
 * The answered function rejects with ShopError `unavailable` when it can't be had.
 */
export const schemaOf =
  <Name extends keyof Schemas>(name: Name) =>
  async (): Promise<Schemas[Name]> => {
    const fetched = await import('./schemas.ts').catch((cause: unknown) => {
      throw notFetched('Part of this form', cause)
    })
    return fetched.schemas[name]
  }
