"""The words of the language, as a table to read and to extend.

A class is named after one of its words, so that a rule reads like a sentence: `the {chef:a} {sings@a}`. A
noun is written singular/plural; a single form has no plural, and a form after a bare slash no singular. A
verb is written as in: she studies / they study / they studied / are studying.
"""

MASCULINE = "king/kings boy/boys man/men prince/princes"
FEMININE = "queen/queens girl/girls woman/women princess/princesses"
MASCULINE_NAMES = "zuko omar tom ravi ben kofi pedro ivan"
FEMININE_NAMES = "mina anna lena sara nora hana maria ruth"
MASCULINE_KIN = "uncle/uncles brother/brothers son/sons father grandfather"
FEMININE_KIN = "aunt/aunts sister/sisters daughter/daughters mother grandmother"
PEOPLE = """
    chef/chefs teacher/teachers student/students farmer/farmers doctor/doctors nurse/nurses driver/drivers
    writer/writers singer/singers painter/painters baker/bakers gardener/gardeners neighbour/neighbours
    visitor/visitors child/children guest/guests
"""
SPEAKERS = "i /we /you"

GENDERS = {
    "masculine": f"{MASCULINE} {MASCULINE_NAMES} {MASCULINE_KIN}",
    "feminine": f"{FEMININE} {FEMININE_NAMES} {FEMININE_KIN}",
    "common": PEOPLE,
    "speaker": SPEAKERS,
}
"""Nouns by the gender of their pronouns: common may be he or she, a speaker is we; others are neuter."""

NOUNS = {
    # people
    "zuko": MASCULINE_NAMES,
    "mina": FEMININE_NAMES,
    "anna": f"{MASCULINE_NAMES} {FEMININE_NAMES}",
    "king": MASCULINE,
    "queen": FEMININE,
    "uncle": f"{MASCULINE_KIN} {FEMININE_KIN}",
    "chef": PEOPLE,
    "i": SPEAKERS,
    "we": "/we",
    # animals
    "cat": "cat/cats dog/dogs horse/horses fox/foxes goat/goats cow/cows duck/ducks rabbit/rabbits",
    # places to go to, and places to walk on or rest in
    "store": """
        store/stores market/markets school/schools station/stations bridge/bridges river/rivers lake/lakes
        village/villages library/libraries museum/museums hotel/hotels castle/castles theatre/theatres
        farm/farms
    """,
    "street": "street/streets road/roads beach/beaches path/paths square/squares hill/hills",
    "garden": "garden/gardens park/parks kitchen/kitchens forest/forests",
    # food and drink, and what heats it
    "blackberry": "blackberry/blackberries egg/eggs apple/apples carrot/carrots",
    "flour": "flour sugar butter",
    "apple": "bread soup rice cheese apple/apples egg/eggs potato/potatoes cake/cakes /noodles",
    "food": "food soup bread",
    "tea": "tea coffee milk juice soup cocoa",
    "oven": """
        oven/ovens bread stove/stoves pan/pans pot/pots soup pie/pies potato/potatoes egg/eggs cake/cakes
    """,
    # things
    "key": """
        key/keys coat/coats hat/hats ring/rings lamp/lamps basket/baskets ticket/tickets bag/bags book/books
        letter/letters map/maps picture/pictures
    """,
    "toy": "toy/toys ball/balls",
    "table": "table/tables chair/chairs desk/desks box/boxes shelf/shelves",
    "book": "book/books letter/letters map/maps poem/poems plan/plans picture/pictures",
    "house": "house/houses room/rooms kitchen/kitchens garden/gardens",
    "emission": "/emissions cost/costs price/prices waste",
    # what reviews are about
    "film": "film/films movie/movies story/stories acting ending/endings music plot/plots scene/scenes",
    "meal": "meal/meals dessert/desserts sauce/sauces dinner/dinners cake/cakes soup",
    # texts and their meanings
    "meaning": "meaning story message",
    "sentence": "sentence book poem life",
    "vector": "vector word line page",
}

VERBS = {
    # actions on things
    "reduces": "reduces/reduce/reduced/reducing measures/measure/measured/measuring",
    "studies": "studies/study/studied/studying opens/open/opened/opening copies/copy/copied/copying",
    "eats": "eats/eat/ate/eating cooks/cook/cooked/cooking tastes/taste/tasted/tasting",
    "cleans": "cleans/clean/cleaned/cleaning paints/paint/painted/painting sells/sell/sold/selling",
    # actions on each other, and elsewhere
    "admires": "admires/admire/admired/admiring knows/know/knew/knowing likes/like/liked/liking",
    "visits": "visits/visit/visited/visiting loves/love/loved/loving",
    "needs": "needs/need/needed/needing keeps/keep/kept/keeping",
    "wants": "wants/want/wanted/wanting",
    # verbs without an object
    "walks": "walks/walk/walked/walking runs/run/ran/running stands/stand/stood/standing",
    "waits": "waits/wait/waited/waiting",
    "sleeps": "sleeps/sleep/slept/sleeping rests/rest/rested/resting",
    "smiles": "smiles/smile/smiled/smiling sings/sing/sang/singing",
    "lives": "lives/live/lived/living works/work/worked/working",
    "belongs": "belongs/belong/belonged/belonging",
    # copulas, which have no other forms
    "is": "is/are",
    "was": "was/were",
    "seems": "is/are was/were seems/seem looks/look",
}

WORDS = {
    # adjectives
    "busy": "busy tired happy hungry late ready kind famous",
    "heavy": "heavy blue new broken expensive wet",
    "calm": "calm hungry tired wet friendly",
    "old": "old young tall clever",
    "big": "big small old new",
    "late": "late right lucky tired ready",
    "good": "good old young new",
    "chinese": "chinese italian indian greek mexican",
    # adverbs and prepositions
    "near": "near beside",
    "on": "on under behind",
    "upstairs": "upstairs outside nearby",
    "not": "not never",
    "very": "very really",
    # verbs in the past
    "made": "made brought bought poured",
    "gave": "gave sent showed offered",
    "went": "went walked returned",
    "met": "met helped visited",
    "talked": "talked waved",
    "lost": "lost found bought sold",
    "cooked": "cooked ate tasted",
    "chased": "chased followed",
    "fed": "fed washed",
    "told": "told reminded assured",
    # verbs in the infinitive
    "go": "go stay rest sing",
    "cram": "cram put fit",
    # the mark that ends an exclamation
    "!": "! .",
}

PRONOUNS = {
    "he": {"masculine": "he/they", "feminine": "she/they", "neuter": "it/they", "common": "/they"},
    "him": {"masculine": "him/them", "feminine": "her/them", "neuter": "it/them", "common": "/them"},
    "his": {
        "masculine": "his/their",
        "feminine": "her/their",
        "neuter": "its/their",
        "common": "/their",
        "speaker": "/our",
    },
}
"""Pronouns of each case by the gender of their noun; none if both he and she would fit."""
