import { ms, row, tableHead } from './load-table.ts'

/** Head of a table with budgets. */
export const budgetHead = (...names: string[]): void => tableHead(...names, 'measured', 'budget', 'state')

type Budget = { mostMs: number } | { mostMiB: number } | { leastPerSecond: number } | { leastPercent: number }

/** One result beside its budget: a maximum of milliseconds or MiB, or a minimum of requests a second or of percent. */
export function checkBudget(names: (string | number)[], measured: number, budget: Budget): void {
  const [met, words] = verdict(measured, budget)
  row(...names, ms(measured), words, met ? 'met' : '**missed**')
}

function verdict(measured: number, budget: Budget): [met: boolean, words: string] {
  if ('mostMs' in budget) return [measured <= budget.mostMs, `≤ ${budget.mostMs} ms`]
  if ('mostMiB' in budget) return [measured <= budget.mostMiB, `≤ ${budget.mostMiB} MiB`]
  if ('leastPercent' in budget) return [measured >= budget.leastPercent, `≥ ${budget.leastPercent} %`]
  return [measured >= budget.leastPerSecond, `≥ ${budget.leastPerSecond}/s`]
}
