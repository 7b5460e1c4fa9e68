import type { CheckEvent } from './check-state.ts'
import { type CheckOrder, runCheck } from './run-check.ts'

/* A worker for one check: takes an order, answers every step and then what was found. */

const answer = (event: CheckEvent): void => postMessage(event)

addEventListener('message', ({ data }: MessageEvent<CheckOrder>) => void runCheck(data, answer).then(answer))
