import { noConnection, rejection } from './call-api.ts'

/**
 * Fetches a file and hands it to the browser to save: unlike a link, what is refused is said on the page, and a file
 * that broke off on its way is not saved.
 * @param onBytes is told how much has come
 * @returns the name under which it is saved
 * @throws ShopError what the server said, or `unavailable` when it can't be reached
 */
export async function download(
  url: string,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const cut = (cause: unknown) => {
    throw noConnection(cause)
  }
  const response = await fetch(url, { signal }).catch(cut)
  if (!response.ok) throw await rejection(response)
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body?.getReader()
  for (let bytes = 0; reader !== undefined; ) {
    const { done, value } = await reader.read().catch(cut)
    if (done) break
    parts.push(value)
    bytes += value.length
    onBytes(bytes)
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'file'
  const type = response.headers.get('content-type') ?? ''
  saveFile(new Blob(parts, { type }), name)
  return name
}

/** Hands a file to the browser to save. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
