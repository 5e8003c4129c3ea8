import { useState } from 'react'
import { SelectField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { applyTheme, currentTheme, themes } from '../../theme.ts'

export function ThemeCard() {
  const [theme, setTheme] = useState(currentTheme)
  return (
    <Card title="Appearance">
      <div className="card-body narrow">
        <SelectField
          label="Theme"
          name="theme"
          value={theme}
          hint="Stored in this browser."
          onChange={(value) => {
            const chosen = themes.find((each) => each === value) ?? 'system'
            setTheme(chosen)
            applyTheme(chosen)
          }}
          options={[
            ['system', 'System'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
        />
      </div>
    </Card>
  )
}
