/** Where pictures' bytes live: a folder or an S3 bucket. Keys are made by us, never by a visitor. */
export type FileStore = {
  /** Keeps `bytes` under `key`; the same key again replaces them. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The bytes under `key`; undefined: none. */
  read(key: string): Promise<Uint8Array | undefined>
  remove(key: string): Promise<void>
  /** Asks now whether files can be kept here. Rejects with the reason; who asks sets the time limit. */
  check(): Promise<void>
}
