/** What is wrong with the address of a node, in words; null when nothing is. */
export function rpcProblem(address: string): string | null {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return null
  return 'Enter an address that begins with https:// or http://'
}
