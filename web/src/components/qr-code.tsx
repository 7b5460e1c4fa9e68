import type { QrCode as Code } from '@befaqt/domain/fields'

type Props = { code: Code; label: string; className?: string }

/** Dark on white in dark mode too: readers want it so. */
export const QrCode = ({ code: { side, path }, label, className = 'w-56' }: Props) => (
  <svg
    viewBox={`0 0 ${side} ${side}`}
    role="img"
    aria-label={label}
    shapeRendering="crispEdges"
    className={`${className} max-w-full rounded-md border border-line`}
  >
    <rect width={side} height={side} fill="#fff" />
    <path d={path} fill="#0f2029" />
  </svg>
)
