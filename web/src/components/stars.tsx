const PLACES = [1, 2, 3, 4, 5]

/** Outline of the star in this place, 24 units wide, drawn relative so that moving it is one number. */
const star = (place: number): string =>
  `M${place * 24 - 12} 2.6l2.9 6.1 6.6.9-4.8 4.6 1.2 6.6-5.9-3.2-5.9 3.2 1.2-6.6-4.8-4.6 6.6-.9z`

/** The filled ones and the empty ones of each count, made once. */
const drawn = [0, ...PLACES].map((count) => ({
  full: PLACES.filter((place) => place <= count)
    .map(star)
    .join(''),
  empty: PLACES.filter((place) => place > count)
    .map(star)
    .join(''),
}))

/** 1 to 5 stars, said as 'n of 5 stars'. `className` gives the height. */
export function Stars({ count, className = 'h-4' }: { count: number; className?: string }) {
  const { full = '', empty = '' } = drawn[count] ?? {}
  return (
    <svg
      viewBox="0 0 120 24"
      role="img"
      aria-label={`${count} of 5 stars`}
      className={`w-auto text-star ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
    >
      <path d={full} fill="currentColor" />
      <path d={empty} />
    </svg>
  )
}
