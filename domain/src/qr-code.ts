import { z } from 'zod'

/** A QR code to draw: its side in modules, quiet zone included, and the dark modules as an SVG path. */
export const QrCode = z.strictObject({ side: z.int(), path: z.string() })
export type QrCode = z.infer<typeof QrCode>
