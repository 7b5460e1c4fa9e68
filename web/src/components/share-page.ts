/** Shares the page through the device, else copies its URL. Returns the message to show. */
export async function sharePage(title: string): Promise<string> {
  const url = location.origin + location.pathname
  if ('share' in navigator)
    try {
      await navigator.share({ title, url })
      return ''
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return ''
    }
  try {
    await navigator.clipboard.writeText(url)
    return 'Link copied.'
  } catch {
    return `The link could not be copied: ${url}`
  }
}
