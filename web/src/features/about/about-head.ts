import type { ContentPage } from '@befaqt/domain/api/site-api'
import type { Describe } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/structured-data.ts'

/** What an about page says of itself; its slug is its path. */
export const aboutHead: Describe<ContentPage> = ({ slug, title, description }, site) => ({
  title,
  description,
  canonical: `/${slug}`,
  jsonLd: [breadcrumbs(site, [[title, `/${slug}`]])],
})
