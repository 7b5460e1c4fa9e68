/** What the record of a weight says of who weighed. @param maker who sent or typed it, as managers call them */
export function weigherText(
  { scale, weighed }: { readonly scale?: unknown; readonly weighed?: unknown },
  maker: string,
): string {
  const name = typeof scale === 'string' ? scale : ''
  const key: unknown = Object(weighed).key
  if (typeof key === 'string')
    return `signed by the scale ${name} with the key ${key.slice(0, 8)}, sent by ${maker}`
  return name === '' ? `typed by ${maker}` : `of “${name}”, typed by ${maker}`
}
