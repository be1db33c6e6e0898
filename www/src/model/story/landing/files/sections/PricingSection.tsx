const plans = [
  { name: 'One bag', price: '£11', text: '250 g, posted tomorrow. No account, no subscription.' },
  { name: 'Every month', price: '£19', text: 'Two bags from two farms. Pause or stop whenever you like.' },
  { name: 'The office', price: '£68', text: 'Two kilos a month, ground for your machine, with one invoice.' },
];

export function PricingSection() {
  return (
    <section className="section" id="pricing">
      <h2>What it costs</h2>
      <ul className="cards">
        {plans.map((plan) => (
          <li className="card" key={plan.name}>
            <h3>{plan.name}</h3>
            <p className="price">{plan.price}</p>
            <p>{plan.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
