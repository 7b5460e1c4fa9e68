import type { Site } from '@befaqt/domain/api/site-api'
import { JsonScript } from '#web/components/trusted-html.tsx'
import { useSite } from '#web/root-data.ts'
import { absolute, type Head, jsonLdText, pageTitle, previewTags } from './head-tags.ts'

const NoIndex = () => <meta name="robots" content="noindex" />

/**
 * What a page says of itself. Each page renders one, wherever it is: React moves it into the document's head. Search
 * engines and previews read a page as it was sent, so that what only they read is no part of the browser's script.
 */
export function PageHead({ describe }: { describe: (site: Site) => Head }) {
  const site = useSite()
  if (!site) return null
  const head = describe(site)
  const { canonical, prev, next, jsonLd } = head
  return (
    <>
      <title>{pageTitle(head, site)}</title>
      {canonical ? <link rel="canonical" href={absolute(site, canonical)} /> : <NoIndex />}
      {import.meta.env.SSR && prev && <link rel="prev" href={absolute(site, prev)} />}
      {import.meta.env.SSR && next && <link rel="next" href={absolute(site, next)} />}
      {import.meta.env.SSR &&
        previewTags(head, site).map((tag) => <meta key={tag.name ?? tag.property} {...tag} />)}
      {jsonLd && (
        <JsonScript type="application/ld+json" json={import.meta.env.SSR ? jsonLdText(jsonLd) : '{}'} />
      )}
    </>
  )
}

/** The head of a page that can't be shown. Its title stands alone. Source: spec §8. */
export const ErrorHead = ({ title }: { title: string }) => (
  <>
    <title>{title}</title>
    <NoIndex />
  </>
)
