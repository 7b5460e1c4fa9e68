import { ms, row, tableHead } from './load-table.ts'

/** A table whose rows are judged. */
export const budgetHead = (...names: string[]): void => tableHead(...names, 'measured', 'budget', 'state')

type Budget = { mostMs: number } | { mostMiB: number } | { leastPerSecond: number }

/** One figure beside its budget: at most so many milliseconds or MiB, or at least so many requests a second. */
export function checkBudget(names: (string | number)[], measured: number, budget: Budget): void {
  const [met, words] = verdict(measured, budget)
  row(...names, ms(measured), words, met ? 'met' : '**missed**')
}

function verdict(measured: number, budget: Budget): [met: boolean, words: string] {
  if ('mostMs' in budget) return [measured <= budget.mostMs, `≤ ${budget.mostMs} ms`]
  if ('mostMiB' in budget) return [measured <= budget.mostMiB, `≤ ${budget.mostMiB} MiB`]
  return [measured >= budget.leastPerSecond, `≥ ${budget.leastPerSecond}/s`]
}
