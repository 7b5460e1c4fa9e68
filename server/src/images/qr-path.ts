import type { TwoFaSetup } from '@befaqt/domain/api/account-api'
import { create } from 'qrcode'

/** Empty modules around the code. Source: ISO/IEC 18004 §5.3.8. */
const QUIET = 4

/**
 * A QR code of `text` as one SVG path in a square of `side` modules; each run of dark modules is one rectangle.
 * @param correction M for what gets wet or torn, L where it should be small
 */
export function qrPath(text: string, correction: 'L' | 'M' = 'M'): TwoFaSetup['qr'] {
  const { data, size } = create(text, { errorCorrectionLevel: correction }).modules
  const rows = Array.from({ length: size }, (_, y) => data.slice(y * size, (y + 1) * size))
  const path = rows.flatMap((row, y) =>
    darkRuns(row).map(([x, n]) => `M${x + QUIET} ${y + QUIET}h${n}v1h-${n}z`),
  )
  return { side: size + 2 * QUIET, path: path.join('') }
}

/** Start and length of each run of dark modules in a row. */
function darkRuns(row: Uint8Array): [start: number, length: number][] {
  const runs: [number, number][] = []
  row.forEach((dark, x) => {
    const last = runs.at(-1)
    if (!dark) return
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  })
  return runs
}
