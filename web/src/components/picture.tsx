import type { ImageView } from '@befaqt/domain/catalogue'

/** Widths in px that the shop keeps copies of; beside them there is the picture itself. */
const WIDTHS = [240, 480, 960]

const sources = (address: string, format: string, full: number): string =>
  [
    ...WIDTHS.filter((width) => width < full).map((width) => `${address}?w=${width}&f=${format} ${width}w`),
    `${address} ${full}w`,
  ].join(', ')

/** Where a stored picture is. */
export const fileAddress = (path: string): string =>
  `/api/file/${path.split('/').map(encodeURIComponent).join('/')}`

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
  const address = fileAddress(path)
  return (
    <picture>
      <source type="image/avif" srcSet={sources(address, 'avif', width)} sizes={sizes} />
      <img
        src={address}
        srcSet={sources(address, 'webp', width)}
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
