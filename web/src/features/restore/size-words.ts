/** A size as people say it; decimal, as disks and downloads are. */
export function sizeWords(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
  return `${bytes} bytes`
}
