import { LineIcon } from '#web/components/icon.tsx'
import { categoryIcons } from './category-icons.ts'

/** A category's line drawing; a name that we have no drawing for shows a fish. */
export function CategoryIcon({ icon, className = 'size-6' }: { icon: string; className?: string }) {
  return <LineIcon path={categoryIcons[icon] ?? categoryIcons.fish ?? ''} className={className} />
}
