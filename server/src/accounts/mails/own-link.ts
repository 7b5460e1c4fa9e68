import { ShopError } from '@befaqt/domain/errors'

/**
 * Where a mailed link leads: the page's address that the client sent with the token as its last part. It must be
 * a page of this site, or anybody could have us mail our users a link to elsewhere. Source: product.md.
 * @throws ShopError `link.foreign_origin`
 */
export function ownLinkBase(
  publicUrl: string,
  sent: string | undefined,
  field: string,
  page: string,
): string {
  if (sent === undefined) return `${publicUrl}${page}`
  const url = URL.canParse(sent) ? new URL(sent) : undefined
  const plain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!plain || url.origin !== new URL(publicUrl).origin) {
    const message = 'The link must lead to this site.'
    throw new ShopError('link.foreign_origin', message, { fields: [{ path: field, message }] })
  }
  return url.href.replace(/\/+$/, '')
}

/** The address that goes into the mail. */
export const linkWith = (base: string, token: string): string => `${base}/${token}`

/** Pages that mailed and printed links lead to. */
export const ACTIVATION_PAGE = '/user/activate'
export const RESET_PAGE = '/user/resetpassword'
export const FIRST_ADMIN_PAGE = '/user/firstadmin'
