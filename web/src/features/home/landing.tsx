import type { Site } from '@befaqt/domain/api/site-api'
import { Icon } from '#web/components/icon.tsx'
import { Later } from '#web/components/later.tsx'
import { TrustedHtml } from '#web/components/trusted-html.tsx'
import { CategoryGridOrError } from '#web/features/catalogue/category-grid.tsx'
import { useCategories } from '#web/root-data.ts'
import { Acronym } from './acronym.tsx'
import { CatchVideo } from './catch-video.tsx'
import { Partners } from './partners.tsx'

const Award = ({ award }: { award: Site['award'] }) => (
  <a
    href={award.url}
    rel="noopener"
    className="flex min-h-11 w-fit items-center gap-2 text-lamp hover:underline"
  >
    <Icon name="award" />
    {award.text}
  </a>
)

/** What stands on the dark ground: acronym (small screens), award, heading (large screens), video, a few words. */
function Hero({ site, words }: { site: Site; words: string }) {
  return (
    <div className="bleed on-night bg-night pt-6 pb-12 text-on-night lg:pt-8 lg:pb-16">
      <Acronym name={site.name} fullName={site.fullName} />
      <Award award={site.award} />
      <h1 className="mt-1 mb-6 text-5xl leading-[1.08] max-lg:sr-only">
        Catch of the Day with Tracking Records
      </h1>
      <CatchVideo boxID={site.sampleBox} />
      <TrustedHtml html={words} className="mt-6 max-w-prose text-lg text-mist" />
    </div>
  )
}

/** The grid leaves out the first category of the list. Source: spec §2. */
function Categories() {
  const { categories, categoriesError } = useCategories()
  return (
    <section aria-labelledby="categories" className="pt-16 lg:-ml-(--rail)">
      <h2 id="categories" className="mb-8 text-4xl">
        Seafood Categories
      </h2>
      <CategoryGridOrError categories={categories?.slice(1) ?? null} error={categoriesError} />
    </section>
  )
}

/** The landing page: partners in a left column on large screens, everything else in the right one. Source: spec §2. */
export function Landing({ site, words }: { site: Site; words: string }) {
  return (
    <div className="wrap lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-x-16 lg:[--rail:17rem]">
      <div className="on-night relative z-10 self-start bg-night text-on-night lg:pt-11">
        <Partners partners={site.partners} />
      </div>
      <div className="min-w-0">
        <Hero site={site} words={words} />
        <Later>
          <Categories />
        </Later>
      </div>
    </div>
  )
}
