type Props<Value extends string> = {
  legend: string
  choices: readonly (readonly [value: Value, label: string])[]
  value: Value
  onChange: (value: Value) => void
  name: string
  /** For wet fingers. */
  large?: boolean
}

/** One of a few, as keys beside each other. */
export function Choice<Value extends string>({
  legend,
  choices,
  value,
  onChange,
  name,
  large = false,
}: Props<Value>) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(([key, label]) => (
          <label
            key={key}
            className={`flex ${large ? 'min-h-14 text-lg' : 'min-h-12'} grow items-center justify-center rounded-md border border-edge bg-surface px-4 has-checked:border-teal has-checked:bg-teal has-checked:font-semibold has-checked:text-on-teal has-focus-visible:outline-2 has-focus-visible:outline-teal has-focus-visible:outline-offset-2`}
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={key}
              checked={key === value}
              onChange={() => onChange(key)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
