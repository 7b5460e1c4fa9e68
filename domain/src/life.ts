/* Lives as tables: states, the moves between them, who makes each and what it brings about. Free of the schema library. */

/** The place in a table where a life begins: nothing is there yet. */
export const NEW = 'new'

/** A move of a life, or what may be done without leaving a state: `to` is the same state then. */
export type Edge<
  State extends string = string,
  By extends string = string,
  Effect extends string = string,
  Need extends string = string,
> = {
  to: State
  /** Who may make it. */
  by: readonly By[]
  /** Of which kind of thing alone. */
  only?: string
  /** What has to be so, asked in this order. */
  needs?: readonly Need[]
  /** What it brings about, in this order. */
  effects?: readonly Effect[]
}

/** A table: of each state the edges that leave it, by the name of what is done. */
export type Life = Readonly<Record<string, Readonly<Record<string, Edge>>>>

type Edges<L extends Life> = { [State in keyof L]: L[State][keyof L[State]] }[keyof L]
type Listed<E, Key extends string> = E extends { [K in Key]: readonly (infer Name extends string)[] }
  ? Name
  : never

export type StateOf<L extends Life> = Exclude<keyof L & string, typeof NEW>
export type ActionOf<L extends Life> = { [State in keyof L]: keyof L[State] }[keyof L] & string
export type ByOf<L extends Life> = Listed<Edges<L>, 'by'>
/** Every effect of a life, or those of what is done in these states. */
export type EffectOf<L extends Life, State extends keyof L = keyof L> = Listed<
  { [Each in State]: L[Each][keyof L[Each]] }[State],
  'effects'
>
type Leaving<State, E extends Edge> = E extends { to: State } ? never : E
/** Effects of the moves from a state to another; `StayEffectOf`: of what is done without leaving one. */
export type MoveEffectOf<L extends Life> = Listed<
  { [State in StateOf<L>]: Leaving<State, L[State][keyof L[State]]> }[StateOf<L>],
  'effects'
>
export type StayEffectOf<L extends Life> = Listed<
  { [State in StateOf<L>]: Extract<L[State][keyof L[State]], { to: State }> }[StateOf<L>],
  'effects'
>
export type NeedOf<L extends Life> = Listed<Edges<L>, 'needs'>
/** Needs of the moves from a state to another; `StayNeedOf`: of what is done without leaving one. */
export type MoveNeedOf<L extends Life> = Listed<
  { [State in StateOf<L>]: Leaving<State, L[State][keyof L[State]]> }[StateOf<L>],
  'needs'
>
export type StayNeedOf<L extends Life> = Listed<
  { [State in StateOf<L>]: Extract<L[State][keyof L[State]], { to: State }> }[StateOf<L>],
  'needs'
>
export type EdgeOf<L extends Life> = Edge<StateOf<L>, ByOf<L>, EffectOf<L>, NeedOf<L>>

/** Takes a table in which every edge leads to a state of it. */
export const life = <const L extends Life>(
  table: L & { [State in keyof L]: { [Action in keyof L[State]]: { to: StateOf<L> } } },
): L => table

/** The states of a life, in the order of its table. */
export const statesOf = <L extends Life>(table: L): [StateOf<L>, ...StateOf<L>[]] =>
  Object.keys(table).filter((state) => state !== NEW) as [StateOf<L>, ...StateOf<L>[]]

/** The edges that leave a state, by what is done. */
export const edgesFrom = <L extends Life>(table: L, state: keyof L): [ActionOf<L>, EdgeOf<L>][] =>
  Object.entries(table[state] ?? {}) as [ActionOf<L>, EdgeOf<L>][]

/** The edge that doing this in a state is, for whoever does it; undefined: they may not. */
export const edgeOf = <L extends Life>(
  table: L,
  state: keyof L,
  action: ActionOf<L>,
  by?: ByOf<L>,
): EdgeOf<L> | undefined => firstFor(edgesFrom(table, state), by, ([name]) => name === action)

/** The move from one state to another, for whoever makes it; undefined: there is none, or not for them. */
export const moveTo = <L extends Life>(
  table: L,
  from: keyof L,
  to: StateOf<L>,
  by?: ByOf<L>,
): EdgeOf<L> | undefined => firstFor(edgesFrom(table, from), by, ([, edge]) => edge.to === to && to !== from)

const firstFor = <Action, E extends Edge>(
  edges: readonly [Action, E][],
  by: string | undefined,
  fits: (one: [Action, E]) => boolean,
): E | undefined => edges.find((one) => fits(one) && (by === undefined || one[1].by.includes(by)))?.[1]

/** What carries names of a table out: one function for each. */
export type Handlers<Name extends string, Args extends readonly unknown[], Result> = {
  readonly [Each in Name]: (...args: Args) => Result | Promise<Result>
}

/** Calls those of the functions that are named, one after the other, as the table has them. Answers what they returned. */
export async function carryOut<Args extends readonly unknown[], Result>(
  names: readonly string[] | undefined,
  handlers: Partial<Handlers<string, Args, Result>>,
  ...args: Args
): Promise<Result[]> {
  const results: Result[] = []
  for (const name of names ?? []) {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
    if (handler !== undefined) results.push(await handler(...args))
  }
  return results
}
