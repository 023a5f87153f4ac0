"""Words of the published language (Kim and Linzen 2020), each list in the order of its ranks.

Verbs are listed by the form that stands in a sentence; `LEMMAS` has the base of every form. The
words of `TARGETS` are in no list: they occur in sentences of their own categories alone.
"""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ANIMATE_NOUNS = _words("""
    girl boy cat dog baby child teacher frog chicken mouse lion monkey bear giraffe horse bird
    duck bunny butterfly penguin student professor monster hero sailor lawyer customer scientist
    princess president cow crocodile goose hen deer donkey bee fly kitty tiger wolf zebra mother
    father patient manager director king queen kid fish moose pig pony puppy sheep squirrel lamb
    turkey turtle doctor pupil prince driver consumer writer farmer friend judge visitor guest
    servant chief citizen champion prisoner captain soldier passenger tenant politician resident
    buyer spokesman governor guard creature coach producer researcher guy dealer duke tourist
    landlord human host priest journalist poet
""")
"""Of subjects, recipients and agents; also of objects."""

INANIMATE_NOUNS = _words("""
    cake donut cookie box rose drink raisin melon sandwich strawberry ball balloon bat block
    book crayon chalk doll game glue lollipop hamburger banana biscuit muffin pancake pizza
    potato pretzel pumpkin sweetcorn yogurt pickle jigsaw pen pencil present toy cracker brush
    radio cloud mandarin hat basket plant flower chair spoon pillow gumball scarf shoe jacket
    hammer bucket knife cup plate towel bottle bowl can clock jar penny purse soap toothbrush
    watch newspaper fig bag wine key weapon brain tool crown ring leaf fruit mirror beer shirt
    guitar chemical seed shell brick bell coin button needle molecule crystal flag nail bean
    liver
""")
"""Of themes, and of subjects of passives and unaccusatives."""

NAMES = _words("""
    Emma Liam Olivia Noah Ava William Isabella James Sophia Oliver Charlotte Benjamin Mia Elijah
    Amelia Lucas Harper Mason Evelyn Logan Abigail Alexander Emily Ethan Elizabeth Jacob Mila
    Michael Ella Daniel Avery Henry Sofia Jackson Camila Sebastian Aria Aiden Scarlett Matthew
    Victoria Samuel Madison David Luna Joseph Grace Carter Chloe Owen Penelope Wyatt Layla John
    Riley Jack Zoey Luke Nora Jayden Lily Dylan Eleanor Grayson Hannah Levi Lillian Isaac
    Addison Gabriel Aubrey Julian Ellie Mateo Stella Anthony Natalie Jaxon Zoe Lincoln Leah
    Joshua Hazel Christopher Violet Andrew Aurora Theodore Savannah Caleb Audrey Ryan Brooklyn
    Asher Bella Nathan Claire Thomas Skylar Leo
""")
"""Wherever an animate noun may stand."""

ON_NOUNS = _words("""
    table stage bed chair stool road tree box surface seat speaker computer rock boat cabinet TV
    plate desk bowl bench shelf cloth piano bible leaflet sheet cupboard truck tray notebook
    blanket deck coffin log ladder barrel rug canvas tiger towel throne booklet sock corpse sofa
    keyboard book pillow pad train couch bike pedestal platter paper rack board panel tripod
    branch machine floor napkin cookie block cot device yacht dog mattress ball stand stack
    windowsill counter cushion hanger trampoline gravel cake carpet plaque boulder leaf mound
    bun dish cat podium tabletop beach bag glacier brick crack vessel futon turntable rag
    chessboard
""")
"""After `on`."""

IN_NOUNS = _words("""
    house room car garden box cup glass bag vehicle hole cabinet bottle shoe storage cot vessel
    pot pit tin can cupboard envelope nest bush coffin drawer container basin tent soup well
    barrel bucket cage sink cylinder parcel cart sack trunk wardrobe basket bin fridge mug jar
    corner pool blender closet pile van trailer saucepan truck taxi haystack dumpster puddle
    bathtub pod tub trap bun microwave bookstore package cafe train castle bunker vase backpack
    tube hammock stadium backyard swamp monastery refrigerator palace cubicle crib condo tower
    crate dungeon teapot tomb casket jeep shoebox wagon bakery fishbowl kennel china spaceship
    penthouse pyramid
""")
"""After `in`."""

BESIDE_NOUNS = _words("""
    table stage bed chair book road tree machine house seat speaker computer rock car box cup
    glass bag flower boat vehicle key painting cabinet TV bottle cat desk shoe mirror clock
    bench bike lamp lion piano crystal toy duck sword sculpture rod truck basket bear nest
    sphere bush surgeon poster throne giant trophy hedge log tent ladder helicopter barrel yacht
    statue bucket skull beast lemon whale cage gardner fox sink trainee dragon cylinder monk bat
    headmaster philosopher foreigner worm chemist corpse wolf torch sailor valve hammer doll
    genius baron murderer bicycle keyboard stool pepper warrior pillar monkey cassette broker
    bin
""")
"""After `beside`."""

OMISSIBLE_VERBS = _words("""
    ate painted drew cleaned cooked dusted hunted nursed sketched juggled called heard packed
    saw noticed studied examined observed knew investigated
""")
"""Transitive verbs that may go without their object."""

OMISSIBLE_PARTICIPLES = _words("""
    eaten painted drawn cleaned cooked dusted hunted nursed sketched juggled called heard packed
    seen noticed studied examined observed known investigated
""")
"""Of the same verbs, in the same order."""

TRANSITIVE_VERBS = _words("""
    liked helped found loved poked admired adored appreciated missed respected threw tolerated
    valued worshipped discovered held stabbed touched pierced tossed
""")
"""Transitive verbs that need their object."""

TRANSITIVE_PARTICIPLES = _words("""
    liked helped found loved poked admired adored appreciated missed respected thrown tolerated
    valued worshipped discovered held stabbed touched pierced tossed
""")
"""Of the same verbs, in the same order."""

CLAUSE_VERBS = _words("""
    liked hoped said noticed believed confessed declared proved thought admired appreciated
    respected supported tolerated valued wished dreamed expected imagined meant
""")
"""Followed by `that` and a sentence."""

CONTROL_VERBS = _words("""
    wanted preferred needed intended tried attempted planned expected hoped wished craved liked
    hated loved enjoyed dreamed meant longed yearned itched
""")
"""Followed by `to` and an infinitive."""

INFINITIVES = _words("""
    walk run sleep sneeze nap eat read cook hunt paint talk dance giggle jog smirk call sketch
    dust clean investigate
""")
"""After a control verb and `to`."""

UNACCUSATIVE_VERBS = _words("""
    rolled froze burned shortened floated grew slid broke crumpled split changed snapped
    disintegrated collapsed decomposed doubled improved inflated enlarged reddened
""")
"""With a theme alone, or with agent and theme."""

UNACCUSATIVE_PARTICIPLES = _words("""
    rolled frozen burned shortened floated grown slid broken crumpled split changed snapped
    disintegrated collapsed decomposed doubled improved inflated enlarged reddened
""")
"""Of the same verbs, in the same order."""

UNERGATIVE_VERBS = _words("""
    slept smiled laughed sneezed cried talked danced jogged walked ran napped snoozed screamed
    stuttered frowned giggled scoffed snored smirked gasped
""")
"""With an agent alone."""

DATIVE_VERBS = _words("""
    gave lended sold offered fed passed sent rented served awarded brought handed forwarded
    promised mailed loaned posted returned slipped wired
""")
"""With agent, theme and recipient."""

DATIVE_PARTICIPLES = _words("""
    given lended sold offered fed passed sent rented served awarded brought handed forwarded
    promised mailed loaned posted returned slipped wired
""")
"""Of the same verbs, in the same order."""

_LEMMAS = """
    admired:admire adored:adore appreciated:appreciate ate:eat attempted:attempt awarded:award
    baked:bake believed:believe blessed:bless broke:break broken:break brought:bring burned:burn
    called:call changed:change cleaned:clean collapsed:collapse confessed:confess cooked:cook
    craved:crave cried:cry crumpled:crumple danced:dance declared:declare decomposed:decompose
    discovered:discover disintegrated:disintegrate doubled:double drawn:draw dreamed:dream
    drew:draw dusted:dust eaten:eat enjoyed:enjoy enlarged:enlarge examined:examine
    expected:expect fed:feed floated:float forwarded:forward found:find frowned:frown
    froze:freeze frozen:freeze gasped:gasp gave:give giggled:giggle given:give grew:grow
    grown:grow handed:hand hated:hate heard:hear held:hold helped:help hoped:hope hunted:hunt
    imagined:imagine improved:improve inflated:inflate intended:intend investigated:investigate
    itched:itch jogged:jog juggled:juggle knew:know known:know laughed:laugh lended:lend
    liked:like loaned:loan longed:long loved:love mailed:mail meant:mean missed:miss napped:nap
    needed:need noticed:notice nursed:nurse observed:observe offered:offer packed:pack
    painted:paint passed:pass pierced:pierce planned:plan poked:poke posted:post
    preferred:prefer promised:promise proved:prove ran:run reddened:redden rented:rent
    respected:respect returned:return rolled:roll said:say saw:see scoffed:scoff screamed:scream
    seen:see sent:send served:serve shattered:shatter shipped:ship shortened:shorten
    sketched:sketch slept:sleep slid:slide slipped:slip smiled:smile smirked:smirk snapped:snap
    sneezed:sneeze snoozed:snooze snored:snore sold:sell squeezed:squeeze stabbed:stab
    studied:study stuttered:stutter supported:support talked:talk teleported:teleport
    thought:think threw:throw thrown:throw tolerated:tolerate tossed:toss touched:touch
    tried:try valued:value walked:walk wanted:want wired:wire wished:wish worshipped:worship
    yearned:yearn crawl:crawl
"""
LEMMAS = dict(pair.split(":") for pair in _LEMMAS.split())
"""Base of every verb form that is not its own base."""

TARGETS = {
    "animate": ("hedgehog", "shark", "cockroach", "cobra", "hippo"),
    "name": ("Lina", "Paula", "Charlie"),
    "verb": ("baked", "shattered", "blessed", "squeezed", "teleported", "shipped", "crawl"),
}
"""Words whose use in training and in generalisation differs."""
