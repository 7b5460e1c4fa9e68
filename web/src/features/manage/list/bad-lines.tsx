import { ScrollRegion } from '#web/components/scroll-region.tsx'

/** Lines of a file that are shown. */
export const MAX_SHOWN = 100

type Line = { line: number; path: string; message: string }

type Props = { label: string; heading: string; lines: readonly Line[]; text: (line: Line) => string }

/** What is wrong with a file, line by line; of many the first. */
export const BadLines = ({ label, heading, lines, text }: Props) => (
  <ScrollRegion
    aria-label={label}
    className="max-h-64 overflow-y-auto rounded-md border-bad border-l-4 bg-bad-ice p-4"
  >
    <h3 className="mb-2 font-semibold text-bad text-lg">{heading}</h3>
    <ul className="grid gap-1">
      {lines.slice(0, MAX_SHOWN).map((line) => (
        <li key={`${line.line} ${line.path} ${line.message}`} className="wrap-anywhere">
          <b className="font-semibold">Line {line.line}</b>: {text(line)}
        </li>
      ))}
    </ul>
    {lines.length > MAX_SHOWN && (
      <p className="mt-2">and {(lines.length - MAX_SHOWN).toLocaleString('en')} more</p>
    )}
  </ScrollRegion>
)
