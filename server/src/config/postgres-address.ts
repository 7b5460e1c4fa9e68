/**
 * The addresses that one with several hosts stands for, one a host, in its order, as libpq writes it:
 * `postgres://user:password@one:5432,two:5432/shop?target_session_attrs=read-write`.
 * @throws Error with a sentence about what is wrong, without a password
 */
export function addressesOf(url: string): string[] {
  const [start, scheme = '', authority = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)/.exec(url) ?? []
  if (start === undefined) throw new Error('must be a postgres:// address')
  const at = authority.lastIndexOf('@') + 1 // a password may hold a comma
  const user = authority.slice(0, at)
  const hosts = authority.slice(at)
  const rest = url.slice(start.length)
  const named = hosts.split(',')
  return named.map((host, i) => {
    const address = `${scheme}${user}${host}${rest}`
    const where = named.length === 1 ? 'its host' : `host ${i + 1} of ${named.length}`
    if (named.length > 1 && host === '') throw new Error(`has no name for ${where}`)
    if (!URL.canParse(address))
      throw new Error(`can't be read: ${where} must be a name or an address, and a port`)
    return withoutTarget(new URL(address))
  })
}

/** @throws Error */
function withoutTarget(url: URL): string {
  const target = url.searchParams.get('target_session_attrs')
  if (target === null) return url.href
  if (target !== 'read-write' && target !== 'primary')
    throw new Error(
      `asks for ${target} sessions; the shop writes, so target_session_attrs must be read-write`,
    )
  url.searchParams.delete('target_session_attrs')
  return url.href
}
