import type { Site } from '@befaqt/domain/api/site-api'
import { useMatches } from 'react-router'
import { JsonScript } from '#web/components/json-script.tsx'
import { useSite } from '#web/root-data.ts'
import type { RouteHandle } from '#web/route-module.ts'
import { type Describe, headTags } from './head-tags.ts'

function useDescription(site: Site) {
  const match = useMatches().at(-1)
  const handle = match?.handle as RouteHandle | undefined
  if (!match || !handle?.head || (handle.waitsForData && match.loaderData === undefined)) return null
  const describe = handle.head as Describe<unknown>
  return headTags(describe(match.loaderData, site), site)
}

/** Title, description, canonical address, OpenGraph and JSON-LD of the page that is shown. */
function Tags({ site }: { site: Site }) {
  const tags = useDescription(site)
  if (!tags) return null
  return (
    <>
      <title>{tags.title}</title>
      {tags.metas.map((meta) => (
        <meta key={meta.name ?? meta.property} {...meta} />
      ))}
      {tags.canonical && <link rel="canonical" href={tags.canonical} />}
      {tags.jsonLd.map((json) => (
        <JsonScript key={json} type="application/ld+json" json={json} />
      ))}
    </>
  )
}

/** The head of a page that can't be shown. Its title stands alone. Source: spec §8. */
export const ErrorHead = ({ title }: { title: string }) => (
  <>
    <title>{title}</title>
    <meta name="robots" content="noindex" />
  </>
)

/** What the head says of the page. Empty while it is not known: error screens have `ErrorHead`. */
export function PageHead() {
  const site = useSite()
  return site && <Tags site={site} />
}
