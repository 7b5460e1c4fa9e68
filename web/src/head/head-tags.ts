import type { Site } from '@befaqt/domain/api/site-api'

/** What a page says of itself to search engines and link previews. */
export type Head = {
  /** Without the shop's name, which is added; absent on the home page. */
  title?: string
  description?: string
  /** Path of the one address under which this page should be known; absent: not to be indexed. */
  canonical?: string
  /** Path of a picture for link previews. */
  image?: string
  /** schema.org objects. */
  jsonLd?: readonly object[]
}

/** A route's `head`: from what its loader answered to what the page says of itself. */
export type Describe<Data> = (data: Data, site: Site) => Head

/** One element of the head, ready to be rendered. */
export type HeadTags = {
  title: string
  metas: { name?: string; property?: string; content: string }[]
  canonical: string | null
  jsonLd: string[]
}

const DESCRIPTION_MAX = 160

/** At most 160 characters, cut between words. */
export const shortened = (text: string): string => {
  const plain = text.replace(/\s+/gu, ' ').trim()
  if (plain.length <= DESCRIPTION_MAX) return plain
  return `${plain.slice(0, DESCRIPTION_MAX - 1).replace(/\s+\S*$/u, '')}…`
}

function openGraph(head: Head, title: string, site: Site): HeadTags['metas'] {
  const metas = [
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: site.name },
    { property: 'og:title', content: title },
    { property: 'og:image', content: new URL(head.image ?? '/og-default.png', site.publicUrl).href },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
  if (head.description) metas.push({ property: 'og:description', content: shortened(head.description) })
  if (head.canonical)
    metas.push({ property: 'og:url', content: new URL(head.canonical, site.publicUrl).href })
  return metas
}

/** The head elements of a page. Addresses become absolute on the site's own origin. */
export function headTags(head: Head, site: Site): HeadTags {
  const title = head.title ? `${head.title} · ${site.name}` : `${site.name}: ${site.fullName}`
  const metas = openGraph(head, title, site)
  if (head.description) metas.push({ name: 'description', content: shortened(head.description) })
  if (!head.canonical) metas.push({ name: 'robots', content: 'noindex' })
  return {
    title,
    metas,
    canonical: head.canonical ? new URL(head.canonical, site.publicUrl).href : null,
    jsonLd: (head.jsonLd ?? []).map((thing) =>
      JSON.stringify({ '@context': 'https://schema.org', ...thing }).replaceAll('<', '\\u003c'),
    ),
  }
}
