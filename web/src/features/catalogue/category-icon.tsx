import { LineDrawing } from '#web/components/icon.tsx'
import sprite from './category-icons.svg'

/** Names of the line icons in `category-icons.svg` (`Category.icon`). */
export const categoryIconNames = ['box', 'fish', 'tuna', 'prawn', 'crab', 'oyster', 'shell', 'squid']

/**
 * A category's line drawing; a name that we have no drawing for shows a fish. The drawings are a picture of their own,
 * cached, and not part of the script that every first visit fetches.
 */
export function CategoryIcon({ icon, className = 'size-6' }: { icon: string; className?: string }) {
  const name = categoryIconNames.includes(icon) ? icon : 'fish'
  return (
    <LineDrawing className={className}>
      <use href={`${sprite}#${name}`} />
    </LineDrawing>
  )
}
