import { tags } from './cdn.ts'

/** Pages of one product or box; all others show some of many. */
const OF_ONE = /^\/(?:product\/[^/?]+|SFMBox\/byId\/[^/?]+)(?:\?|$)/i
const LINK = /href="\/(product)\/([\w.~%-]+)["?#]/g
const OWN = /^\/(product|SFMBox\/byId)\/([\w.~%-]+)/i

/**
 * Tags of a public page: the product or box that it is of, and each product that it links to, since that is what it shows.
 * Not the boxes: what shows of one beside its own page changes with its products.
 * @param url normalized
 * @param category that it is of
 */
export function pageTags(url: string, html: string, category?: string): string[] {
  const found = new Set<string>([tags.pages])
  if (!OF_ONE.test(url)) found.add(tags.lists)
  if (/^\/SFMBox(?:\/|\?|$)/i.test(url)) found.add(tags.boxes)
  if (category !== undefined) found.add(tags.category(category))
  const own = OWN.exec(url)
  for (const [, kind = '', id = ''] of [...(own ? [own] : []), ...html.matchAll(LINK)])
    found.add(kind.toLowerCase() === 'product' ? tags.product(plain(id)) : tags.box(plain(id)))
  return [...found]
}

/** As events have it. What can't be decoded, or would end a tag, is left as the address has it. */
function plain(id: string): string {
  try {
    const decoded = decodeURIComponent(id)
    return /[\s,]/.test(decoded) ? id : decoded
  } catch {
    return id
  }
}
