export default function App() {
  return (
    <main className="scaffold">
      <h1>My app</h1>
      <p>Edit src/App.tsx to get started</p>
    </main>
  );
}
