import type { Site } from '@befaqt/domain/api/site-api'
import { boxPath } from '@befaqt/domain/page-paths'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { HydrationBoundary } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { TrustedHtml } from '#web/components/trusted-html.tsx'
import { useNear } from '#web/components/use-near.ts'
import { CategoryGridOrError } from '#web/features/catalogue/category-grid.tsx'
import { checkLink } from '#web/features/shell/menu-links.tsx'
import { useCategories } from '#web/root-data.ts'
import { acronymParts } from './acronym-parts.ts'

const Award = ({ award }: { award: NonNullable<Site['award']> }) => (
  <a
    href={award.url}
    rel="noopener"
    className="flex min-h-11 w-fit items-center gap-2 text-lamp hover:underline"
  >
    <Icon name="award" />
    {award.text}
  </a>
)

/** What stands on the dark ground: acronym (small screens), award, heading (large screens), video, a few html. */
function Hero({ site, html }: { site: Site; html: string }) {
  return (
    <div className="bleed on-night bg-night py-4 sm:py-5 text-on-night lg:pt-8 lg:pb-16">
      <Acronym name={site.name} fullName={site.fullName} />
      {site.award && <Award award={site.award} />}
      <h2 className="mt-1 mb-6 text-4xl max-lg:hidden">Catch of the Day with Tracking Records</h2>
      <CatchVideo boxID={site.sampleBox} />
      <p className="mt-2 lg:mt-4">
        <Link to={checkLink} className="tap gap-2 font-semibold text-lamp hover:underline">
          <Icon name="search" className="size-5" />
          Check a box: by number, code or proof
        </Link>
      </p>
      <TrustedHtml html={html} className="mt-6 max-w-prose text-lg text-mist max-lg:hidden" />
    </div>
  )
}

/** The grid leaves out the first category of the list. Source: spec §2. */
function Categories() {
  const { categories, categoriesError } = useCategories()
  return (
    <section aria-labelledby="categories" className="pt-5 sm:pt-6 lg:-ms-(--rail) lg:pt-16">
      <h2 id="categories" className="mb-3 text-3xl sm:mb-4 lg:mb-8 lg:text-4xl">
        Seafood Categories
      </h2>
      <CategoryGridOrError categories={categories?.slice(1) ?? null} error={categoriesError} />
    </section>
  )
}

/** The landing page: partners in a left column on large screens, everything else in the right one. Source: spec §2. */
export function Landing({ site, html }: { site: Site; html: string }) {
  return (
    <div className="wrap lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-x-16 lg:[--rail:17rem]">
      <div className="on-night relative z-10 self-start bg-night text-on-night lg:pt-11">
        {site.partners.length > 0 && <Partners partners={site.partners} />}
      </div>
      <div className="min-w-0">
        <Hero site={site} html={html} />
        <HydrationBoundary>
          <Categories />
        </HydrationBoundary>
      </div>
    </div>
  )
}

/** What the shop's name is short for; on small screens only. Source: spec §2. */
function Acronym({ name, fullName }: { name: string; fullName: string }) {
  return (
    <p className="font-serif text-lg leading-snug lg:hidden">
      {acronymParts(name, fullName).map(({ letter, rest }, index) => (
        <span key={letter + rest}>
          {index > 0 && ' '}
          {letter && <strong className="font-bold text-lamp">{letter}</strong>}
          <span className={letter ? '' : 'text-mist'}>{rest}</span>
        </span>
      ))}
    </p>
  )
}

/** Who the project was made with; the left column of the landing page on large screens. Source: spec §2. */
function Partners({ partners }: { partners: Site['partners'] }) {
  return (
    <aside aria-labelledby="partners" className="hidden lg:block">
      <h2 id="partners" className="eyebrow font-sans text-mist">
        Project partners
      </h2>
      <ul className="mt-3 border-on-night/20 border-t">
        {partners.map(({ name, url, kind }) => (
          <li key={name + url} className="border-on-night/20 border-b">
            <a href={url} rel="noopener" className="group/partner block py-4 hover:text-lamp">
              <span className="font-serif text-lg leading-snug">{name}</span>
              <span className="mt-1 flex items-center gap-1 text-mist text-sm">
                {kind}
                <Icon name="out" className="size-4" />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </aside>
  )
}

const POSTER = '/video/catch-of-the-day.webp'

type SavesData = Navigator & { connection?: { saveData?: boolean } }

const motionIsWelcome = (): boolean =>
  !window.matchMedia('(prefers-reduced-motion: reduce)').matches &&
  !(navigator as SavesData).connection?.saveData

/** Where motion is welcome; called in the browser only. */
function videoUrl(): string | undefined {
  if (!motionIsWelcome()) return
  const webm = document.createElement('video').canPlayType('video/webm; codecs="vp9"')
  return `/video/catch-of-the-day.${webm ? 'webm' : 'mp4'}`
}

/**
 * The promotional video, muted, leading to the sample box where there is one. It is fetched when it comes near, and plays
 * only where motion is welcome. Source: spec §2.
 */
function CatchVideo({ boxID }: { boxID: string | null }) {
  const ref = useRef<HTMLVideoElement>(null)
  const [playing, setPlaying] = useState(false)
  const url = useNear(ref) ? videoUrl() : undefined
  const film = (
    <>
      <img
        src={POSTER}
        alt=""
        width={1280}
        height={720}
        loading="lazy"
        className="block aspect-2/1 h-auto w-full object-cover sm:aspect-video lg:aspect-2/1"
      />
      <video
        ref={ref}
        src={url}
        autoPlay
        muted
        loop
        playsInline
        preload="none"
        tabIndex={-1}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        aria-label="A fish box on its way from the boat to the market"
        className="absolute inset-x-0 top-0 aspect-2/1 w-full object-cover sm:aspect-video lg:aspect-2/1"
      />
    </>
  )
  return (
    <div className="relative overflow-hidden rounded-lg bg-night-deep">
      {boxID === null ? (
        film
      ) : (
        <Link to={boxPath(boxID)} className="group/video block rounded-lg">
          {film}
          <span className="flex min-h-12 items-center justify-between gap-4 bg-coral px-4 py-2 font-semibold text-on-coral group-hover/video:bg-coral-deep">
            See this box’s journey from boat to market
            <Icon name="next" />
          </span>
        </Link>
      )}
      {url && (
        <button
          type="button"
          aria-label={playing ? 'Pause the video' : 'Play the video'}
          onClick={() => (playing ? ref.current?.pause() : void ref.current?.play())}
          className="absolute top-3 right-3 grid size-11 place-items-center rounded-md bg-night-deep/80 text-on-night hover:bg-night-deep"
        >
          <Icon name={playing ? 'pause' : 'play'} />
        </button>
      )}
    </div>
  )
}
