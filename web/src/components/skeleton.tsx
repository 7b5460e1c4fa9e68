/** A grey placeholder; `className` gives its size. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={`block animate-pulse rounded-md bg-ice ${className}`} />
}
