// The questions that a page offers to a room. The player of a lecture asks them, see room_in_hall.js.
export default function ({ data }) {
  window.attentionLabOffered = data;
  return () => { if (window.attentionLabOffered === data) delete window.attentionLabOffered; };
}
