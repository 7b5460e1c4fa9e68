import { Link } from 'react-router'

/** The brand's picture, 120 px wide, shrinking to the 40 px of its mark when the page is scrolled. Nothing shifts. */
export function Brand() {
  return (
    <Link to="/" className="relative flex min-h-11 items-center rounded-md" aria-label="BeFAQT, home">
      <img
        src="/logo-dark.svg"
        width={120}
        height={34}
        alt=""
        className="block h-[34px] w-30 origin-left transition group-data-compact/header:scale-[0.33333] group-data-compact/header:opacity-0"
      />
      <img
        src="/favicon.svg"
        width={40}
        height={40}
        alt=""
        loading="lazy"
        className="absolute top-0.5 left-0 opacity-0 transition-opacity group-data-compact/header:opacity-100"
      />
    </Link>
  )
}
