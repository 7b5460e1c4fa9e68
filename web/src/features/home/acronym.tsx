import { acronymParts } from './acronym-parts.ts'

/** What the shop's name is short for; on small screens only. Source: spec §2. */
export function Acronym({ name, fullName }: { name: string; fullName: string }) {
  return (
    <p className="mb-3 font-serif text-2xl leading-snug lg:hidden">
      {acronymParts(name, fullName).map(({ letter, rest }, index) => (
        <span key={letter + rest}>
          {index > 0 && ' '}
          {letter && <strong className="font-bold text-lamp">{letter}</strong>}
          <span className={letter ? '' : 'text-mist'}>{rest}</span>
        </span>
      ))}
    </p>
  )
}
