/** GS1's vocabulary of link types. */
const VOCABULARY = 'https://ref.gs1.org/voc/'
const PREFIXES = ['gs1:', VOCABULARY, 'https://gs1.org/voc/', 'https://www.gs1.org/voc/']

export const LINKSET_TYPE = 'application/linkset+json'

/** What a thing leads to. */
export type Target = { href: string; type: string; title: string }

/** The targets of one thing by their link type, without GS1's prefix. The first of a type is its default. */
export type Links = ReadonlyMap<string, readonly Target[]>

/** The link type of a query without its prefix: `gs1:pip` is `pip`; null when it is none of GS1's. */
export function linkTypeOf(text: string): string | null {
  const prefix = PREFIXES.find((prefix) => text.startsWith(prefix))
  return prefix === undefined ? null : text.slice(prefix.length)
}

/** All links of a thing as a link set; every page and document is in English. Source: RFC 9264 §4.2. */
export function linkSet(anchor: string, links: Links) {
  const byRelation = [...links].map(([type, targets]) => [
    `${VOCABULARY}${type}`,
    targets.map((target) => ({ ...target, hreflang: ['en'] })),
  ])
  return { linkset: [{ anchor, ...Object.fromEntries(byRelation) }] }
}

/** What a resolver says of itself. Source: GS1-Conformant Resolver Standard 1.2.0 §7. */
export const resolverDescription = (name: string, resolverRoot: string) => ({
  name,
  resolverRoot,
  supportedPrimaryKeys: ['00', '01'],
  supportedLinkType: [
    { namespace: VOCABULARY, prefix: 'gs1:', profile: 'https://www.gs1.org/voc/?show=linktypes' },
  ],
  linkTypeDefaultCanBeLinkset: false,
})
