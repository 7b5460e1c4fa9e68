import type { CheckOrder } from './box-checker.ts'
import { BoxChecker } from './box-checker.ts'
import type { CheckEvent } from './check-state.ts'
import { keepFirst, keptNote } from './kept-log.ts'
import { checkFiles, getBytes } from './record-files.ts'

/* A worker for the checks of one page: takes an order, answers every step and then what was found; or names of files. */

const getText = async (url: string) => {
  const answer = await fetch(url, { cache: 'no-store' })
  return answer.ok ? answer.text() : undefined
}
const checker = new BoxChecker(getText, location.href, { kept: keptNote, keepFirst })
const answer = (event: CheckEvent): void => postMessage(event)

addEventListener('message', ({ data, ports: [port] }: MessageEvent<CheckOrder | string[]>) => {
  if (Array.isArray(data)) void checkFiles(data, getBytes).then((found) => port?.postMessage(found))
  else void checker.run(data, answer).then(answer)
})
