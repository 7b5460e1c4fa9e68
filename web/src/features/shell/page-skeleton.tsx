import { type ReactNode, useState } from 'react'
import { Skeleton } from '#web/components/skeleton.tsx'

const CARDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function Cards() {
  return (
    <div className="grid grid-cols-2 gap-6 md:grid-cols-3 xl:grid-cols-4">
      {CARDS.map((card) => (
        <div key={card} className="grid gap-3">
          <Skeleton className="aspect-3/2" />
          <Skeleton className="h-6 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </div>
      ))}
    </div>
  )
}

const Detail = () => (
  <div className="grid gap-10 lg:grid-cols-2">
    <Skeleton className="aspect-3/2" />
    <div className="grid content-start gap-4">
      <Skeleton className="h-10 w-2/3" />
      <Skeleton className="h-8 w-1/3" />
      <Skeleton className="h-24" />
    </div>
  </div>
)

const Text = () => (
  <div className="grid max-w-2xl gap-4">
    {CARDS.map((line) => (
      <Skeleton key={line} className="h-5" />
    ))}
  </div>
)

const shapes: [start: RegExp, shape: () => ReactNode][] = [
  [/^\/product\/./, Detail],
  [/^\/($|category|product)/, Cards],
]

/** Outline of the page at `path` while its data is fetched. */
export default function PageSkeleton({ path }: { path: string }) {
  const Shape = shapes.find(([start]) => start.test(path))?.[1] ?? Text
  const [title] = useState(() => document.title) // that of the page before, until there is another
  return (
    <div className="wrap py-10" aria-busy="true">
      <title>{title}</title>
      <Skeleton className="mb-8 h-12 w-72 max-w-full" />
      <Shape />
    </div>
  )
}
