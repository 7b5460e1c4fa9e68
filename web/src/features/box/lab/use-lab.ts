import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { LabAnswer, LabBox, LabOrder, LabQuestion, Move, Outcome } from './lab-types.ts'

/** The bench: what is being fetched, why that failed, or a box with what was done to its copy. */
export type LabState =
  | { phase: 'opening' }
  | { phase: 'failed'; message: string }
  | {
      phase: 'open'
      box: LabBox
      moves: readonly Move[]
      /** Of the moves that were checked last. */
      outcome: Outcome
      isChecking: boolean
    }

type Event = LabAnswer | { type: 'begin' } | { type: 'move'; moves: readonly Move[] }

/** What comes of an event. Answers about other moves than those on the bench are late, and say nothing. */
export function nextLab(state: LabState, event: Event): LabState {
  if (event.type === 'begin') return { phase: 'opening' }
  if (event.type === 'failed') return { phase: 'failed', message: event.message }
  if (event.type === 'open') {
    const { box } = event
    return { phase: 'open', box, moves: [], outcome: box.outcome, isChecking: false }
  }
  if (state.phase !== 'open') return state
  if (event.type === 'move') return { ...state, moves: event.moves, isChecking: true }
  return sameMoves(event.moves, state.moves) ? { ...state, outcome: event.outcome, isChecking: false } : state
}

const sameMoves = (a: readonly Move[], b: readonly Move[]): boolean =>
  a.length === b.length && a.every(({ attack, seq }, i) => b[i]?.attack === attack && b[i].seq === seq)

const NOT_LOADED = 'The lab could not be loaded. Check your connection and try again.'

/** A box on the bench, and what can be done with it. */
export type Lab = {
  state: LabState
  /** Does these attacks on the untouched copy, in this order. */
  make: (moves: readonly Move[]) => void
  /** Fetches the box anew. */
  again: () => void
}

/** Puts a box on the bench, in a worker of its own. */
export function useLab(order: LabOrder): Lab {
  const [state, dispatch] = useReducer(nextLab, { phase: 'opening' })
  const [turn, setTurn] = useState(0)
  const worker = useRef<Worker>(null)
  const text = JSON.stringify([order, turn])
  useEffect(() => {
    const [asked] = JSON.parse(text) as [LabOrder]
    const bench = new Worker(new URL('./lab-worker.ts', import.meta.url), { type: 'module' })
    worker.current = bench
    dispatch({ type: 'begin' })
    bench.onmessage = ({ data }: MessageEvent<LabAnswer>) => dispatch(data)
    bench.onerror = () => dispatch({ type: 'failed', message: NOT_LOADED })
    ask(bench, { type: 'open', order: asked })
    return () => bench.terminate()
  }, [text])
  const make = useCallback((moves: readonly Move[]) => {
    dispatch({ type: 'move', moves })
    if (worker.current) ask(worker.current, { type: 'try', moves })
  }, [])
  const again = useCallback(() => setTurn((last) => last + 1), [])
  return { state, make, again }
}

const ask = (worker: Worker, question: LabQuestion): void => worker.postMessage(question)
