import type { ContentPage, Site } from '@befaqt/domain/api/site-api'
import { NavLink, useLoaderData } from 'react-router'
import { TrustedHtml } from '#web/components/trusted-html.tsx'
import { aboutLinks } from '#web/features/shell/menu-links.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'
import { useSite } from '#web/root-data.ts'

export default function About() {
  return <AboutPage page={useLoaderData<ContentPage>()} />
}

/** A page of words with its neighbours beside it: those about the project, or those that a shop has to have. */
function AboutPage({ page }: { page: ContentPage }) {
  const shopPages = (useSite()?.pages ?? []).map(({ path, title }) => [path, title] as const)
  const isOfShop = shopPages.some(([path]) => path === `/${page.slug}`)
  return (
    <div className="wrap grid gap-x-16 gap-y-4 pt-4 sm:gap-y-8 sm:pt-14 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <PageHead describe={(site) => describe(page, site)} />
      <nav aria-label={isOfShop ? 'The shop' : 'About'} className="no-print lg:pt-4">
        <ul className="flex flex-wrap gap-x-5 text-sm sm:gap-x-6 sm:text-base lg:block lg:border-line lg:border-t">
          {(isOfShop ? shopPages : aboutLinks).map(([to, label]) => (
            <li key={to} className="lg:border-line lg:border-b">
              <NavLink
                to={to}
                className="flex min-h-11 items-center hover:text-teal aria-[current=page]:font-semibold aria-[current=page]:text-teal"
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <article className="min-w-0">
        <h1 className="mb-8 max-w-[18em] page-title">{page.title}</h1>
        <TrustedHtml html={page.html} className="prose" />
      </article>
    </div>
  )
}

/** What an about page says of itself; its slug is its path. */
const describe = ({ slug, title, description }: ContentPage, site: Site): Head => ({
  title,
  description,
  canonical: `/${slug}`,
  jsonLd: [breadcrumbs(site, [[title, `/${slug}`]])],
})
