import { ShopError } from '@befaqt/domain/errors'
import { refusedField } from '@befaqt/domain/field-labels'

/** A validation error of one field, in the same shape as a schema's. */
export const fieldError = (path: string, message: string): ShopError =>
  new ShopError('input.invalid', refusedField(path, message), { fields: [{ path, message }] })
