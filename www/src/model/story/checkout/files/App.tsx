import { order } from './checkout/order';

export default function App() {
  const { seats, cents } = order(['4-7', '4-8']);
  return (
    <main>
      <h1>Little Theater</h1>
      <p>{seats.length} seats, {cents / 100} euros.</p>
    </main>
  );
}
