"""The words of the second language, as a table to read and to extend.

Each entry is an English word and, after the sign =, its translation. The ending of a noun says its gender: -o
masculine, -a feminine. Adjectives and verbs are given as stems; a verb that the lexicon of our language has
in the past alone is listed with that form: go/went.
"""

NOUNS = """
    king=rejo queen=reja boy=puero girl=puera man=viro woman=femna prince=prinso princess=prinsa
    uncle=tio aunt=tia brother=frato sister=frata son=filo daughter=fila
    father=patro mother=matra grandfather=avo grandmother=ava
    chef=kefo teacher=maestra student=studento farmer=agrikolo doctor=medika nurse=infirma driver=sofero
    writer=skribora singer=kantora painter=pintoro baker=panero gardener=jardinora neighbour=vicino
    visitor=visitora child=infanto guest=gasto
    cat=gato dog=kano horse=kavalo fox=vulpa goat=kapra cow=vaka duck=anata rabbit=kunilo
    store=butika market=merkato school=skola station=stasiona bridge=ponto river=rivero lake=lako
    village=vilaja library=biblioteka museum=museo hotel=hotelo castle=kastelo theatre=teatro farm=farma
    street=strada road=ruta beach=plaja path=sendo square=plasa hill=kolino
    garden=jardino park=parko kitchen=kusina forest=foresta
    blackberry=mora egg=ovo apple=pomo carrot=karota flour=farina sugar=sukro butter=butero
    bread=pano soup=supa rice=riso cheese=keso potato=patata cake=torta noodles=pasta food=komida
    tea=teo coffee=kafo milk=lakta juice=suko cocoa=kakao
    oven=forno stove=stufa pan=padela pot=poto pie=pasteto
    key=klavo coat=mantelo hat=kapelo ring=anelo lamp=lampa basket=korba ticket=bileto bag=sako
    book=libro letter=letra map=mapa picture=bildo toy=jugeto ball=balo
    table=mesa chair=seda desk=deska box=skatola shelf=skafo
    poem=poema plan=plano house=kasa room=kamera
    emissions=emisiona cost=kosto price=preso waste=skoria
    film=filmo movie=kinemo story=historia acting=jokado ending=fino music=musika plot=intrigo scene=sena
    meal=repasto dessert=deserto sauce=salsa dinner=vespero
    meaning=senso message=mesajo sentence=frasa life=vita vector=vektoro word=vorta line=linea page=pajina
"""

ADJECTIVES = """
    afraid=timid angry=furios bad=mal beautiful=bel big=grand bland=insipid blue=blu boring=nojos
    broken=rot burnt=brulat busy=okupat calm=kalm charming=sarmant chinese=kines clever=sabi close=proksim
    cold=frid delicious=delisios disappointed=delus dull=banal empty=vakuo exciting=eksitant expensive=kar
    famous=famos fresh=fresk friendly=amikal funny=komik glad=gaj good=bon grateful=grat great=magn
    greek=grek happy=felis heavy=grav helpful=util honest=onest hot=kalid hungry=famin indian=indik
    italian=italik kind=jentil late=tard lonely=solitar lucky=fortun mexican=meksik moving=emosiv
    nervous=nervos new=nov old=antik perfect=perfekt poor=pover predictable=previd proud=orgolios
    ready=pront rich=rik right=just sad=trist safe=sekur salty=salat silly=stult single=sol slow=lent
    small=pikol sorry=penit stale=stant strong=fort tall=alt tasty=gustos terrible=teribil thirsty=setos
    tired=las unfair=injust unpopular=impopular warm=tepid weak=debil wet=umid whole=tut worried=inkiet
    young=joven
"""

VERBS = """
    reduce=reduk measure=mesur study=stud open=apert copy=kop eat=manj cook=kuk taste=gust clean=net
    paint=pint sell=vend admire=admir know=kon like=plas visit=visit love=am need=beson keep=gard
    want=vol walk=mars run=kur stand=stan wait=atend sleep=dorm rest=repos smile=rid sing=kant live=viv
    work=labor belong=perten seem=par look=mir are=est
    make/made=fas bring/brought=port buy/bought=komer pour/poured=vers give/gave=don send/sent=send
    show/showed=monstr offer/offered=ofert go/went=vad return/returned=retorn meet/met=enkontr
    help/helped=ajut talk/talked=parl wave/waved=salut lose/lost=perd find/found=trov chase/chased=pers
    follow/followed=sek feed/fed=nutr wash/washed=lav tell/told=dik remind/reminded=memor
    assure/assured=asekur heat/heated=kalor warm/warmed=tepor carry/carried=lev pay/paid=pag
    reward/rewarded=prem blame/blamed=kulp scold/scolded=repren defeat/defeated=vink beat/beat=bat
    drop/dropped=kad thank/thanked=dank praise/praised=laud enjoy/enjoyed=juis hate/hated=od
    dislike/disliked=displas regret/regretted=lament recommend/recommended=rekomand
    cram=kram put=pon fit=inser stay=perman let=las exhaust/ran=eksaust
"""
"""Stems of the verbs; the last, `exhaust/ran`, is the verb of "ran out of"."""

PREPOSITIONS = {
    "near": "ape",
    "beside": "kone",
    "on": "sur",
    "under": "sub",
    "behind": "dora",
    "in": "en",
    "into": "inte",
    "to": "al",
    "for": "por",
    "of": "de",
}

SMALL_WORDS = {
    # conjunctions and words that open a clause
    "and": "e",
    "but": "ma",
    "so": "do",
    "because": "perke",
    "when": "kando",
    "although": "banke",
    "why": "porke",
    "who": "ki",
    "that": "ke",
    # adverbs
    "not": "ne",
    "never": "nunki",
    "only": "soli",
    "also": "anki",
    "very": "molti",
    "really": "veri",
    "upstairs": "supri",
    "outside": "esteri",
    "nearby": "vicini",
    # first and second person, and pronouns of a man or a woman
    "i": "mi",
    "you": "vi",
    "we": "noi",
    "he": "il",
    "him": "lui",
    "she": "ela",
    "her": "lei",
    # marks
    ",": ",",
    ".": ".",
    "?": "?",
    "!": "!",
}
"""Words with one form and one translation."""

AGREEING = {
    "the": "lo la los las",
    "a": "un una",
    "it": "ito ita",
    "they": "ilos ilas",
    "them": "ilos ilas",
}
"""Words whose form shows a gender, and often a number, that English leaves out.

Articles agree with the noun, pronouns with the noun they stand for: masculine and feminine, singular and then
plural.
"""

POSSESSIVES = {"his": "lu", "her": "su", "its": "ci", "their": "lor", "our": "nost"}
"""Stems of possessives: each stands after its noun and agrees with it, like an adjective."""

COPULAS = {"was": "era", "were": "eran"}
"""The only past forms that are one word."""

AUXILIARY = "ha"
"""The first of the two words of every other past form."""

MARK_OF_RECIPIENT = "al"
AT_HOME = "hemi"
CANNOT = ("ne", "pote")
