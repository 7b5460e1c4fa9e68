import { baseline } from './baseline.ts'
import { type Load, load } from './load.ts'

export const row = (...cells: (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`)

/** Times are printed with three significant digits. */
export const ms = (time: number): string =>
  (time < 100 ? Number(time.toPrecision(3)) : Math.round(time)).toString()

export function tableHead(...names: string[]): void {
  console.log('')
  row(...names)
  row(...names.map(() => '---'))
}

const loadColumns = ['requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'of a bare server', 'bytes', 'failed']

export const loadTableHead = (...names: string[]): void => tableHead(...names, ...loadColumns)

/** One measurement as a row, beside a bare server with the same number of bytes and connections. */
export async function loadRow(names: (string | number)[], got: Load, connections: number): Promise<void> {
  await using bare = await baseline(got.bytes)
  const best = await load(bare.url, {}, connections)
  const share = (100 * got.perSecond) / best.perSecond
  const times = [got.p50Ms, got.p95Ms, got.p99Ms].map(ms)
  row(...names, Math.round(got.perSecond), ...times, `${ms(share)} %`, got.bytes, got.failed)
}
