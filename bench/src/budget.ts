import { ms, row, tableHead } from './load-table.ts'

/** A table whose rows are judged. */
export const budgetHead = (...names: string[]): void => tableHead(...names, 'measured', 'budget', 'state')

/** One figure beside its budget: at most so many milliseconds, or at least so many requests a second. */
export function judged(
  names: (string | number)[],
  measured: number,
  budget: { mostMs: number } | { leastPerSecond: number },
): void {
  const [met, words] =
    'mostMs' in budget
      ? [measured <= budget.mostMs, `≤ ${budget.mostMs} ms`]
      : [measured >= budget.leastPerSecond, `≥ ${budget.leastPerSecond}/s`]
  row(...names, ms(measured), words, met ? 'met' : '**missed**')
}
