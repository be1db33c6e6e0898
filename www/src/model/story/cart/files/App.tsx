import { cart, total } from './cart';

export default function App() {
  return (
    <main className="scaffold">
      <h1>Corner shop</h1>
      <ul>
        {cart.map(({ name, quantity }) => (
          <li key={name}>{quantity} × {name}</li>
        ))}
      </ul>
      <p>Total: <strong>{total(cart)}</strong></p>
    </main>
  );
}
