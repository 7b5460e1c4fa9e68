import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { useEarlyTap } from './early-tap.ts'

/** Adds one unit from a product's card. What it takes is fetched when it is pressed. */
export function AddFromCard({ id, title }: { id: string; title: string }) {
  const [said, say] = useState('')
  const add = () => import('./add-one.ts').then(({ addOne }) => addOne(id)).then(say, () => say('Try again.'))
  return (
    <div className="no-print relative mt-auto pt-3 text-sm noscript:hidden">
      <Button
        variant="outline"
        {...useEarlyTap(`card ${id}`, () => void add())}
        aria-label={`Add ${title} to cart`}
        className="w-full data-tapped:opacity-70"
      >
        Add
      </Button>
      <p role="status" className="mt-1 min-h-5">
        {said}
      </p>
    </div>
  )
}
