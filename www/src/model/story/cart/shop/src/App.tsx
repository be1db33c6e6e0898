import { cart } from './cart';

export default function App() {
  return (
    <main className="scaffold">
      <h1>Corner shop</h1>
      <ul>
        {cart.map(({ name, quantity }) => (
          <li key={name}>{quantity} × {name}</li>
        ))}
      </ul>
    </main>
  );
}
