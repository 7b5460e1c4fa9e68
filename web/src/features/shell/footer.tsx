import { useSite } from '#web/root-data.ts'
import { zoneName } from '#web/time/zone-name.ts'
import { aboutLinks, checkLink } from './menu-links.tsx'

const entry = 'inline-flex min-h-11 items-center hover:text-on-night hover:underline underline-offset-4'

const shopLinks = [
  [checkLink, 'Check a box'],
  ['/category', 'Categories'],
  ['/product', 'All products'],
]

/** The end of every page: what this is, who sells, where to go on. */
export function Footer() {
  const site = useSite()
  const links = [...shopLinks, ...aboutLinks, ...(site?.pages ?? []).map(({ path, title }) => [path, title])]
  return (
    <footer className="on-night no-print mt-12 bg-night sm:mt-20 text-mist">
      <div className="wrap flex flex-wrap justify-between gap-x-16 gap-y-4 py-6 sm:gap-y-6 sm:py-10">
        <div className="max-w-sm">
          <p className="font-serif text-2xl text-on-night">{site?.name ?? 'BeFAQT'}</p>
          {site && <p className="mt-1">{site.fullName}</p>}
          {site?.seller && <p className="mt-2 sm:mt-4">{site.seller}</p>}
          {site && <p className="mt-2 sm:mt-4">All times are {zoneName(site.market.timeZone)}.</p>}
          {site?.sample && (
            <p className="mt-2 sm:mt-4">Sample shop: prices, stock, traders, boats and boxes are invented.</p>
          )}
        </div>
        <ul className="flex flex-wrap gap-x-5 sm:gap-x-8">
          {links.map(([to, label]) => (
            <li key={to}>
              <a className={entry} href={to}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  )
}
