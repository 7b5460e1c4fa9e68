import { ShopError } from '@befaqt/domain/errors'

/**
 * The base of a link in an email: the URL of the page as the client sent it, to which the token is appended. It must
 * have this site's origin, or anybody could have us send our users a link to another site. Source: product.md.
 * @throws ShopError `link.foreign_origin`
 */
export function sameOriginUrl(
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

/** The URL in the email. */
export const withToken = (base: string, token: string): string => `${base}/${token}`

/** Paths of the pages that one-time links lead to. */
export const ACTIVATION_PAGE = '/user/activate'
export const RESET_PAGE = '/user/resetpassword'
export const FIRST_ADMIN_PAGE = '/user/firstadmin'
