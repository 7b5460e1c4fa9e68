import type { ImageView } from '@befaqt/domain/catalogue'
import { fileUrl } from '#web/api/file-url.ts'

/** Widths in px of the variants that the shop stores, besides the picture itself. */
const WIDTHS = [240, 480, 960]

const sources = (url: string, format: string, full: number): string =>
  [
    ...WIDTHS.filter((width) => width < full).map((width) => `${url}?w=${width}&f=${format} ${width}w`),
    `${url} ${full}w`,
  ].join(', ')

type Props = {
  image: ImageView
  /** How wide it is shown, as the `sizes` attribute of HTML. */
  sizes: string
  className?: string
  /** Shown at once, before everything else: the first pictures of a page. */
  eager?: boolean
  /** Not seen until the visitor asks for it, though it may be near. */
  hidden?: boolean
  /** Set when the words beside it say the same. */
  alt?: string
}

/** A picture in AVIF or WebP at the width that is needed; its place is kept while it loads. */
export function Picture({ image, sizes, className, eager = false, hidden = false, alt = image.alt }: Props) {
  const { path, width, height } = image
  const url = fileUrl(path)
  return (
    <picture>
      <source type="image/avif" srcSet={sources(url, 'avif', width)} sizes={sizes} />
      <img
        src={url}
        srcSet={sources(url, 'webp', width)}
        sizes={sizes}
        width={width}
        height={height}
        alt={alt}
        className={className}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : hidden ? 'low' : 'auto'}
        decoding="async"
      />
    </picture>
  )
}
