import type { ImageView } from '@befaqt/domain/catalogue'
import { Picture } from '#web/components/picture.tsx'

/** The first picture of a row, small; its title stands beside it. */
export const Thumbnail = ({ image }: { image: ImageView | null | undefined }) => (
  <span className="block aspect-square w-14 shrink-0 overflow-hidden rounded-sm bg-ice">
    {image && <Picture image={image} alt="" sizes="3.5rem" className="size-full object-cover" />}
  </span>
)
