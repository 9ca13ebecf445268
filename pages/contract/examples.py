"""The sources' sentences, one click away from the box."""

MARIA = "Maria met Zuko near the stores and Zuko praised Maria."
PRAISED = "Maria met Zuko near the stores and Zuko praised"
CHEF = "The chef who ran out of blackberries and went to the stores is"
TEA = "Zuko made his uncle tea"
OVEN = "the oven cooked the bread so"
BREAD = "the bread cooked the oven so"

EXAMPLES = (
    PRAISED,
    CHEF,
    TEA,
    OVEN,
    BREAD,
    "the cat walks on the street",
    "So why are we not reducing our emissions?",
    "Så varför minskar inte vi våra utsläpp?",
    "The students studied the",
)
