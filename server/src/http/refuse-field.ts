import { ShopError } from '@befaqt/domain/errors'

/** A refusal of one field, in the same shape as a schema's. */
export const refuseField = (path: string, message: string): ShopError =>
  new ShopError('input.invalid', path === '' ? message : `${path}: ${message}`, {
    fields: [{ path, message }],
  })
