const features = [
  { title: 'One farm a bag', text: 'Every bag names its farm, its altitude and the day it was picked. Nothing is blended to hide.' },
  { title: 'Roasted to order', text: 'We light the drum when your order is in. Light, medium or dark: the roast follows the bean.' },
  { title: 'Fair from the start', text: 'We pay growers a price agreed before the harvest, and print it on the label.' },
];

export function FeaturesSection() {
  return (
    <section className="section" id="features">
      <h2>Why it tastes different</h2>
      <ul className="cards">
        {features.map((feature) => (
          <li className="card" key={feature.title}>
            <h3>{feature.title}</h3>
            <p>{feature.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
