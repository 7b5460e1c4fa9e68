import { ShopError } from '@befaqt/domain/errors'

/** Any other path. The error screen says '404: Page not found'. Source: spec §2. */
export function loader(): never {
  throw new ShopError('not_found', 'We can’t find that page.')
}

export default function NotFound() {
  return null
}
