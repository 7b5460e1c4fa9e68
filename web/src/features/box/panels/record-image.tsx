import { recordFile } from './record-file.ts'

type Props = { url: string | null | undefined; alt: string; className?: string }

/** An image out of a record when it is one of ours, a link when it is elsewhere, nothing otherwise. */
export function RecordImage({ url, alt, className = '' }: Props) {
  const file = recordFile(url)
  if (file.kind === 'none') return null
  if (file.kind === 'elsewhere') return <FileLink url={file.href}>Picture on another site</FileLink>
  const narrow = (width: number) => `${file.href}?w=${width}&f=webp ${width}w`
  return (
    <img
      src={file.href}
      srcSet={[480, 960].map(narrow).join(', ')}
      sizes="(min-width: 62rem) 28rem, 100vw"
      width="1200"
      height="800"
      alt={alt}
      loading="lazy"
      decoding="async"
      className={`h-auto w-full rounded-lg bg-ice object-cover ${className}`}
    />
  )
}

/** A link to a file that a record names, marked as leading elsewhere when it does. */
export function FileLink({ url, children }: { url: string | null | undefined; children: string }) {
  const file = recordFile(url)
  if (file.kind === 'none') return null
  return (
    <a href={file.href} rel="noopener noreferrer nofollow" className="link">
      {children}
    </a>
  )
}
