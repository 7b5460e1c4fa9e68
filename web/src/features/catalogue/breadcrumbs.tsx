import { Link } from 'react-router'

type Props = { way: readonly (readonly [name: string, path: string])[]; here: string }

/** The way from the home page to this one. */
export function Breadcrumbs({ way, here }: Props) {
  return (
    <nav aria-label="You are here" className="text-sm">
      <ol className="flex flex-wrap items-center gap-x-2 in-[.on-night]:text-mist">
        {[['Home', '/'] as const, ...way].map(([name, path]) => (
          <li key={path} className="flex items-center gap-x-2 after:text-current/50 after:content-['/']">
            <Link to={path} className="tap text-slate hover:underline in-[.on-night]:text-mist">
              {name}
            </Link>
          </li>
        ))}
        <li aria-current="page" className="wrap-anywhere in-[.on-night]:text-on-night">
          {here}
        </li>
      </ol>
    </nav>
  )
}
