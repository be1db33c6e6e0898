import { Imprint } from './legal/Imprint';

export default function App() {
  return (
    <main>
      <h1>Driftwood</h1>
      <p>A small coffee roastery by the sea.</p>
      <Imprint />
    </main>
  );
}
