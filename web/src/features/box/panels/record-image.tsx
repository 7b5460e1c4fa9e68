import { useCheckedFile } from '../check/page-check.tsx'
import { recordFile } from '../check/record-files.ts'
import { OriginMark } from '../panel.tsx'

type Props = { url: string | null | undefined; alt: string; className?: string }

/** An image out of a record when it is one of ours, a link when it is elsewhere, nothing otherwise. */
export function RecordImage({ url, alt, className = '' }: Props) {
  const file = recordFile(url)
  if (file.kind === 'none') return null
  if (file.kind === 'elsewhere') return <FileLink url={file.href}>Picture on another site</FileLink>
  return <OurImage href={file.href} alt={alt} className={className} />
}

/** Drawn from the very bytes that the record names, once they were compared; until then it is the shop's word. */
function OurImage({ href, alt, className }: { href: string; alt: string; className: string }) {
  const checked = useCheckedFile(href)
  const narrow = (width: number) => `${href}?w=${width}&f=webp ${width}w`
  const source =
    checked?.state === 'same'
      ? { src: checked.url }
      : {
          src: href,
          srcSet: [480, 960].map(narrow).join(', '),
          sizes: '(min-width: 62rem) 28rem, 100vw',
          loading: 'lazy' as const,
        }
  if (checked?.state === 'differs')
    return (
      <p className={`grid aspect-3/2 place-items-center rounded-lg bg-bad-ice p-4 text-bad ${className}`}>
        Not shown: the shop sent another picture than the record names.
      </p>
    )
  return (
    <span className={`relative block ${className}`}>
      <img
        {...source}
        width="1200"
        height="800"
        alt={alt}
        decoding="async"
        className="h-auto w-full rounded-lg bg-ice object-cover"
      />
      {checked?.state !== 'same' && (
        <span className="absolute bottom-2 left-2 rounded bg-surface px-1 text-sm">
          <OriginMark origin="shop" />
        </span>
      )}
    </span>
  )
}

/** A link to a file that a record names, marked as leading elsewhere when it does. */
export function FileLink({ url, children }: { url: string | null | undefined; children: string }) {
  const file = recordFile(url)
  const checked = useCheckedFile(file.kind === 'ours' ? file.href : '')
  if (file.kind === 'none') return null
  if (checked?.state === 'differs')
    return <span className="text-bad">Not the file that the record names</span>
  if (checked?.state === 'same' && file.kind === 'ours')
    return (
      <a href={checked.url} download={file.href.split('/').at(-1)} className="link">
        {children}
      </a>
    )
  return (
    <a href={file.href} rel="noopener noreferrer nofollow" className="link">
      {children}
    </a>
  )
}
