import { useEffect, useState } from 'react';

const moods = ['voltage', 'chrome'] as const;

export function MoodToggle() {
  const [at, setAt] = useState(0);
  useEffect(() => {
    document.documentElement.dataset.mood = moods[at];
  }, [at]);
  return (
    <button className="mood-toggle" type="button" onClick={() => setAt((at + 1) % moods.length)}>
      Mood: {moods[at]}
    </button>
  );
}
