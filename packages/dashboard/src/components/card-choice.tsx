/** A choice of one among a few, each with a sentence about what it means. */
export function CardChoice<T extends string>({
  legend,
  name,
  options,
  value,
  onChoose,
}: {
  legend: string
  name: string
  options: readonly (readonly [value: T, title: string, means: string])[]
  value: NoInfer<T>
  onChoose(value: NoInfer<T>): void
}) {
  return (
    <fieldset className="field">
      <legend>{legend}</legend>
      <div className="cards">
        {options.map(([each, title, means]) => (
          <label key={each} className="card-choice">
            <input type="radio" name={name} value={each} checked={value === each} onChange={() => onChoose(each)} />
            <span>
              <strong>{title}</strong>
              <span className="hint">{means}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
