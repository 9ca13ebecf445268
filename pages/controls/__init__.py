"""What pages share: parameters kept in the link, the sentence box, the switches, the frame of a picture."""
