import { createContext, type ReactNode, useContext } from 'react'
import { type Origin, OriginMark } from './origin-mark.tsx'

const InColumns = createContext(false)

/** Names with their values beside them. */
export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(6.5rem,auto)_1fr] gap-x-6 gap-y-3">{children}</dl>
}

/** Names with their values below them, in as many columns as there is room for. */
export function DescriptionColumns({ children }: { children: ReactNode }) {
  return (
    <InColumns value={true}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-3 xl:grid-cols-5">{children}</dl>
    </InColumns>
  )
}

type ItemProps = { name: string; origin?: Origin; children: ReactNode }

/** One value; nothing at all where it was not given. */
export function DescriptionItem({ name, origin, children }: ItemProps) {
  const inColumns = useContext(InColumns)
  if (children === '' || children === null || children === undefined) return null
  return (
    <div className={inColumns ? 'min-w-0' : 'contents'}>
      <dt className={`text-slate ${inColumns ? 'text-sm' : ''}`}>{name}</dt>
      <dd className="min-w-0">
        <span className="whitespace-pre-line">{children}</span> {origin && <OriginMark origin={origin} />}
      </dd>
    </div>
  )
}
