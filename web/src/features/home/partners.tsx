import type { Site } from '@befaqt/domain/api/site-api'
import { Icon } from '#web/components/icon.tsx'

/** Who the project was made with; the left column of the landing page on large screens. Source: spec §2. */
export function Partners({ partners }: { partners: Site['partners'] }) {
  return (
    <aside aria-labelledby="partners" className="hidden lg:block">
      <h2 id="partners" className="eyebrow font-sans text-mist">
        Project partners
      </h2>
      <ul className="mt-3 border-on-night/20 border-t">
        {partners.map(({ name, url, kind }) => (
          <li key={url} className="border-on-night/20 border-b">
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
