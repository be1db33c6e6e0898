export default function App() {
  return (
    <main>
      <h1>Little Theater</h1>
      <p>Row 4, seats 7 and 8. €18.50 each.</p>
    </main>
  );
}
