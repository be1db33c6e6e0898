export interface Flavor {
  name: string;
  when: 'day' | 'night';
  taste: string;
}

export const flavors: Flavor[] = [
  { name: 'Voltage Lime', when: 'day', taste: 'Lime with a pinch of salt' },
  { name: 'Solar Citrus', when: 'day', taste: 'Orange, lemon and their peel' },
  { name: 'Berry Surge', when: 'day', taste: 'Blackberry and blueberry' },
  { name: 'Mango Rush', when: 'day', taste: 'Ripe mango, a little chili' },
  { name: 'Arctic Mint', when: 'day', taste: 'Peppermint and cucumber' },
  { name: 'Cherry Bolt', when: 'day', taste: 'Sour cherry and almond' },
  { name: 'Peach Pulse', when: 'day', taste: 'White peach and ginger' },
  { name: 'Grape Charge', when: 'day', taste: 'Red grape and rosemary' },
];
