/** What the story brings for the studio: the questions about its idea, and the spec that the answers lead to. */
import type { StoryStudio } from '../../../specs/draft';

export const studio: StoryStudio = {
  idea: 'Visitors of the Little Theater buy seats online',
  title: 'Checkout',
  questions: [
    { text: 'How exact must a price be?', options: ['To the cent, always', 'Rounded to 10 cents'] },
    { text: 'What if two visitors ask for the same seat?', options: ['The first one gets it', 'Both wait for the box office'] },
    { text: 'What does a visitor see when the payment fails?', options: ['The reason, and can try again', 'A short message'] },
    { text: 'Does a visitor get a receipt?', options: ['Yes, with seats and amount', 'No'] },
  ],
  goal: 'Visitors of the Little Theater buy seats online.',
  requirements: [
    { question: 1, text: 'The price of an order is exact to the cent.', instead: { 'Rounded to 10 cents': 'The price of an order is rounded to 10 cents.' } },
    {
      question: 2,
      text: 'A seat is sold once, also if two visitors ask for it at the same time.',
      instead: { 'Both wait for the box office': 'A seat is sold once, also if two visitors ask for it at the same time: both wait for the box office.' },
    },
    { question: 3, text: 'A visitor pays once. If the payment fails, the visitor sees why.', instead: { 'A short message': 'A visitor pays once. If the payment fails, the visitor sees a short message.' } },
    { question: 4, text: 'A paid order has a receipt.', instead: { No: null }, outOfScope: 'Receipts' },
  ],
  outOfScope: ['Refunds'],
};
