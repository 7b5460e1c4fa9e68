import { ShopError } from '@befaqt/domain/errors'
import { isSameSite } from '#server/http/site-origin.ts'

/**
 * The page that a link in an email leads to. What a client sends is checked for this site's origin, and the page is
 * always our own: the specification names no base, and a wrong path would mail a dead link. Source: product.md.
 * @param sent a URL of this site, or one relative to it
 * @throws ShopError `link.foreign_origin`
 */
export function sameOriginUrl(
  publicUrl: string,
  sent: string | undefined,
  field: string,
  page: string,
): string {
  if (sent !== undefined && !isOfSite(publicUrl, sent)) {
    const message = 'The link must lead to this site.'
    throw new ShopError('link.foreign_origin', message, { fields: [{ path: field, message }] })
  }
  return `${publicUrl}${page}`
}

function isOfSite(publicUrl: string, sent: string): boolean {
  if (!URL.canParse(sent, publicUrl)) return false
  const url = new URL(sent, publicUrl)
  return url.username === '' && url.password === '' && isSameSite(url.origin, publicUrl)
}

/** The URL in the email. */
export const withToken = (base: string, token: string): string => `${base}/${token}`

/** Paths of the pages that one-time links lead to. */
export const ACTIVATION_PAGE = '/user/activate'
export const RESET_PAGE = '/user/resetpassword'
export const FIRST_ADMIN_PAGE = '/user/firstadmin'
