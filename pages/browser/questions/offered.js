// What a page would ask the room: the player of a lecture asks it, see room_in_hall.js.
export default function ({ data }) {
  window.attentionLabOffered = data;
  return () => { if (window.attentionLabOffered === data) delete window.attentionLabOffered; };
}
