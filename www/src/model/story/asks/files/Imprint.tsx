export function Imprint() {
  return (
    <footer>
      <p>Driftwood Coffee, Harbor Street 4</p>
      <p>Phone: 030 1111</p>
    </footer>
  );
}
