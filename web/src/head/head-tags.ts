import type { Site } from '@befaqt/domain/api/site-api'

/** What a page says of itself to search engines and link previews. */
export type Head = {
  /** Without the shop's name, which is added; absent on the home page. */
  title?: string
  description?: string
  /** Path of the one URL under which this page should be known; absent: not to be indexed. */
  canonical?: string
  /** Paths of the pages of a list before and after this one. */
  prev?: string
  next?: string
  /** Path of a picture for link previews. */
  image?: string
  /** schema.org objects. */
  jsonLd?: readonly object[]
}

const DESCRIPTION_MAX = 160

/** At most 160 characters, cut between words. */
export const shortened = (text: string): string => {
  const plain = text.replace(/\s+/gu, ' ').trim()
  if (plain.length <= DESCRIPTION_MAX) return plain
  const cut = plain.slice(0, DESCRIPTION_MAX - 1)
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`
}

export const pageTitle = ({ title }: Head, site: Site): string =>
  title ? `${title} · ${site.name}` : `${site.name}: ${site.fullName}`

/** A path on the site's own origin, as a whole URL. */
export const absolute = (site: Site, path: string): string => new URL(path, site.publicUrl).href

/** Description and OpenGraph. */
export function previewTags(head: Head, site: Site): { name?: string; property?: string; content: string }[] {
  const description = head.description && shortened(head.description)
  return [
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: site.name },
    { property: 'og:title', content: pageTitle(head, site) },
    { property: 'og:image', content: absolute(site, head.image ?? '/og-default.png') },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...(description
      ? [
          { name: 'description', content: description },
          { property: 'og:description', content: description },
        ]
      : []),
    ...(head.canonical ? [{ property: 'og:url', content: absolute(site, head.canonical) }] : []),
  ]
}

/** Objects of schema.org as JSON that may be put inside a script element. */
export const jsonLdText = (things: readonly object[]): string =>
  JSON.stringify({ '@context': 'https://schema.org', '@graph': things }).replaceAll('<', '\\u003c')
