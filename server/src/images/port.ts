/** Formats of narrower copies. WebP first: it takes a tenth of AVIF's time, so every picture soon has a small form. */
export const copyFormats = ['webp', 'avif'] as const
export type CopyFormat = (typeof copyFormats)[number]

/** A picture as we keep it: WebP made by us, upright, without what the sender's file held besides. Sizes in px. */
export type KeptPicture = { bytes: Uint8Array; width: number; height: number }

/** Decodes and encodes pictures. */
export type Pictures = {
  /**
   * Makes the file at `path`, sent by anybody, ours; or answers in words why it is refused.
   * @throws ShopError `unavailable` when it could not be done this time
   */
  take(path: string): Promise<KeptPicture | string>
  /** A copy of a picture of ours, `width` px wide. Throws when it could not be made this time. */
  narrow(bytes: Uint8Array, width: number, format: CopyFormat): Promise<Uint8Array>
  /** For metrics: processes killed since the start because they did not answer, and orders being done. */
  figures(): { stuck: number; inHand: number }
  /** Ends what is being done; it is then refused, and so is everything asked for later. */
  close(): Promise<void>
}
