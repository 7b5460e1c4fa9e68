import { type Cents, formatDollars } from '@befaqt/domain/money'
import type { ReactNode } from 'react'

type RowProps = { name: ReactNode; amount: Cents; className?: string }

/** A sum with its name. */
export const SumRow = ({ name, amount, className = '' }: RowProps) => (
  <div className={`flex justify-between gap-4 py-1.5 ${className}`}>
    <dt>{name}</dt>
    <dd>{formatDollars(amount)}</dd>
  </div>
)
