import { useState } from 'react';

const moods = ['voltage', 'chrome'] as const;

export function MoodToggle() {
  const [at, setAt] = useState(0);
  const next = () => {
    setAt((at + 1) % moods.length);
    document.body.className = moods[at];
  };
  return (
    <button className="mood-toggle" type="button" onClick={next}>
      Mood: {moods[at]}
    </button>
  );
}
