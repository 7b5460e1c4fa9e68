/** Where pictures' bytes live: a folder or an S3 bucket. Keys are made by us, never by a visitor. */
export type FileStore = {
  /**
   * Keeps `bytes` under `key`; the same key again replaces them. Like the others, ends within a stated time.
   * @throws ShopError `unavailable` when the store does not take them; an error of a full disk as it is
   */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The bytes under `key`; undefined: none. @throws ShopError `unavailable` */
  read(key: string): Promise<Uint8Array | undefined>
  /** Removes what is under `key`, if there is anything. @throws ShopError `unavailable` */
  remove(key: string): Promise<void>
  /** Asks now whether files can be kept here. Rejects with the reason; who asks sets the time limit. */
  check(): Promise<void>
}
