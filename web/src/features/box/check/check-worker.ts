import { BoxChecker } from './box-checker.ts'
import type { CheckEvent } from './check-state.ts'
import type { CheckOrder } from './run-check.ts'

/* A worker for the checks of one page: takes an order, answers every step and then what was found. */

const checker = new BoxChecker(async (url) => {
  const answer = await fetch(url, { cache: 'no-store' })
  return answer.ok ? answer.text() : undefined
})
const answer = (event: CheckEvent): void => postMessage(event)

addEventListener(
  'message',
  ({ data }: MessageEvent<CheckOrder>) => void checker.run(data, answer).then(answer),
)
