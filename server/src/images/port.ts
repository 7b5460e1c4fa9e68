/** Formats of variants. WebP first: it takes a tenth of AVIF's time, so every image soon has a small variant. */
export const variantFormats = ['webp', 'avif'] as const
export type VariantFormat = (typeof variantFormats)[number]

/** An image as it is stored: re-encoded as WebP, upright, without metadata. Sizes in px. */
export type NormalizedImage = { bytes: Uint8Array; width: number; height: number }

/** Decodes and encodes images. */
export type ImageProcessor = {
  /**
   * Normalizes the untrusted upload at `path`; returns the reason when it is rejected.
   * @throws ShopError `unavailable` when processing failed
   */
  normalize(path: string): Promise<NormalizedImage | string>
  /** A variant of a normalized image, `width` px wide. Throws when processing failed. */
  resize(bytes: Uint8Array, width: number, format: VariantFormat): Promise<Uint8Array>
  /** For metrics: processes killed by the timeout since the start, and pending tasks. */
  stats(): { stuck: number; inHand: number }
  /** Ends the processes. Pending and later tasks fail. */
  close(): Promise<void>
}
