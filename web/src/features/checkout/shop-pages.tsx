import { Link } from 'react-router'
import { useSite } from '#web/root-data.ts'

/** What can be read before ordering. What was typed stays in the tab. */
export function ShopPages() {
  const pages = useSite()?.pages ?? []
  if (pages.length === 0) return null
  return (
    <nav aria-label="To read before you order" className="mt-4 text-sm">
      <ul className="flex flex-wrap gap-x-5">
        {pages.map(({ path, title }) => (
          <li key={path}>
            <Link to={path} className="link inline-flex min-h-11 items-center">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
