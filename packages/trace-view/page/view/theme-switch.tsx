import { useEffect, useState } from 'preact/hooks';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEY = 'switchyard-theme';

/** Light, dark, or what the system says. Remembered where the browser allows it. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(remembered);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // a page from a file, or a browser that keeps nothing: it still looks right now
    }
  }, [theme]);
  return (
    <fieldset class="segmented">
      <legend class="hidden">Colours</legend>
      {THEMES.map((name) => (
        <label key={name}>
          <input type="radio" name="theme" checked={theme === name} onChange={() => setTheme(name)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function remembered(): Theme {
  try {
    return THEMES.find((name) => name === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}
