from __future__ import annotations

import string
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core import skill_words
from synthgen.core.skill_lexicon import topics
from synthgen.core.skill_words import article, gerund, onset, participle, past, plural, third

PLURALS = """
box boxes; brush brushes; torch torches; loch lochs; dress dresses; buoy buoys; daisy daisies;
soliloquy soliloquies; penny pennies; knife knives; penknife penknives; scarf scarves; leaf leaves;
loaf loaves; roof roofs; handkerchief handkerchiefs; hoof hooves; shelf shelves; wharf wharves;
thief thieves; wolf wolves; tooth teeth; goose geese; mouse mice; child children; fisherman
fishermen; noblewoman noblewomen; talisman talismans; shaman shamans; potato potatoes; volcano
volcanoes; domino dominoes; piano pianos; banjo banjos; studio studios; stiletto stilettos;
mosquito mosquitoes; tornado tornadoes; torpedo torpedoes; larva larvae; antenna antennae;
fungus fungi; nucleus nuclei; bacterium bacteria; cactus cactuses; octopus octopuses; oasis oases;
quiz quizzes; waltz waltzes; monarch monarchs; chateau chateaus; canoe canoes; axe axes;
candelabrum candelabra; passerby passersby; lens lenses; trellis trellises; ox oxen; monkey monkeys
"""
PASTS = """
pin pinned; trim trimmed; mend mended; stitch stitched; carry carried; bury buried; stay stayed;
dye dyed; hoe hoed; tie tied; untie untied; pry pried; tow towed; wax waxed; fix fixed;
quiz quizzed;
soak soaked; steer steered; haul hauled; open opened; hammer hammered; layer layered; quilt quilted;
equip equipped; unclog unclogged; unravel unraveled; label labeled; shovel shoveled; transfer
transferred; offer offered; picnic picnicked; mimic mimicked; inspect inspected; polish polished;
weave wove; sew sewed; sow sowed; steal stole; hide hid; grind ground; bind bound; wind wound;
hang hung; lay laid; spin spun; throw threw; draw drew; sell sold; lend lent; bring brought;
catch caught; buy bought; seek sought; build built; break broke; choose chose; wear wore;
shake shook; swing swung; freeze froze; light lit; feed fed; dig dug; slide slid; split split;
knit knitted; unpin unpinned; wrap wrapped; unwrap unwrapped; drop dropped; scrub scrubbed;
patrol patrolled; play played; pray prayed; key keyed; gallop galloped
"""
PARTICIPLES = """
weave woven; sew sewn; sow sown; steal stolen; hide hidden; wear worn; throw thrown; draw drawn;
shake shaken; break broken; choose chosen; freeze frozen; take taken; write written; ring rung;
sink sunk; swim swum; polish polished; pin pinned; bury buried; catch caught; go gone; do done
"""
GERUNDS = """
pin pinning; bake baking; dye dyeing; singe singeing; tie tying; die dying; hoe hoeing;
free freeing;
carry carrying; wax waxing; tow towing; steer steering; layer layering; panic panicking;
equip equipping; unclog unclogging; quilt quilting; quiz quizzing; glue gluing; argue arguing;
open opening; unravel unraveling; seize seizing; agree agreeing; eye eyeing; dig digging
"""
THIRDS = """
carry carries; stay stays; wax waxes; press presses; polish polishes; stitch stitches; buzz buzzes;
go goes; do does; echo echoes; quiz quizzes; have has; dye dyes; pry pries; glaze glazes
"""
ARTICLES = """
hour an; honest an; heirloom an; hourglass an; hammer a; unit a; unicycle a; uniform a; union a;
university a; unpaid an; uncle an; umbrella an; uninvited an; unimportant an; utensil a; urn an;
usher an; useful a; usual a; ukulele a; european a; eulogy a; ewe a; ewer a; one a; once a;
onerous an; onion an; owl an; oar an; anvil an; igloo an; yacht a; yew a; urgent an; uranium a;
wheel a; knot a; oven an; ounce an; eucalyptus a; unusual an; unique a; ugly an
"""
ONSETS = """
knot n; gnome n; net n; phone f; physics f; fan f; cedar s; sand s; psalm s; cello ch;
cellists ch; cellophane s; chitin k; chicory ch; whoosh w; cord k;
queen k; kite k; choir k; chorus k; chemist k; chisel ch; chore ch; chair ch; chef sh;
chandelier sh;
ship sh; sugar sh; thread th; thyme t; wheel w; wrench r; rope r; rhythm r; gem j; ginger j;
giant j; jar j; gear g; gift g; girder g; ghost g; goat g; unit y; yarn y; one w; whole h; who h;
hour ; owl ; xylophone z; zinc z; scepter s; school s; geyser g; character k; charcoal ch
"""


def pairs(text: str) -> list[tuple[str, str]]:
    entries = [entry.split() for entry in text.split(";")]
    return [(words[0], words[1] if len(words) > 1 else "") for words in entries]


@pytest.mark.parametrize(
    ("form", "table"),
    [
        (plural, PLURALS),
        (past, PASTS),
        (participle, PARTICIPLES),
        (gerund, GERUNDS),
        (third, THIRDS),
        (article, ARTICLES),
        (onset, ONSETS),
    ],
    ids=["plural", "past", "participle", "gerund", "third", "article", "onset"],
)
def test_forms_checked_by_hand(form: Callable[[str], str], table: str) -> None:
    wrong = [(word, form(word), right) for word, right in pairs(table) if form(word) != right]
    assert not wrong


def test_enough_forms_are_checked_by_hand() -> None:
    tables = (PLURALS, PASTS, PARTICIPLES, GERUNDS, THIRDS, ARTICLES, ONSETS)
    assert sum(len(set(pairs(table))) for table in tables) >= 250


WORDS = st.text(string.ascii_lowercase, max_size=12)


@given(WORDS)
def test_every_text_of_letters_has_forms(word: str) -> None:
    assert plural(word)
    assert third(word)
    assert past(word).endswith(("d", "t")) or word in skill_words.IRREGULAR_VERBS
    assert gerund(word).endswith("ing")
    assert article(word) == ("a" if onset(word) else "an")


@given(WORDS)
def test_onset_is_a_class_of_consonants(word: str) -> None:
    assert onset(word) in {"", "ch", "sh", "th", *"bdfghjklmnprstvwyz"}


# Not in any topic; the commonest words, which a text may need around those of its topic.
SPARE_VERBS = """
awake bear beat become begin bend bet bid bind bite blow breed burst cast cling come cost creep cut
deal do drink drive eat fall feel fight find flee fling fly forget forgive freeze get give go grind
grow have hit hold hurt keep know lead leap leave let lose make mean meet mow pay proofread put quit
read rebuild reset rid ride ring rise run say see seek set shake shear shed shoot show shrink shut
sing sink sit slay sleep sling sow speak split spread stand stick strike string swear sweep swim
swing take teach tear tell think thrust understand unwind wake win wind withdraw wring write
"""
SPARE_NOUNS = """
alga calf foot goose half knife leaf life louse mouse ox passerby person pupa quiz sheaf stratum
thief wharf wife wolf
"""


def test_irregular_words_are_used_or_common() -> None:
    verbs = {verb for topic in topics() for verb in topic.verbs}
    nouns = {noun for topic in topics() for noun in (*topic.persons, *topic.tools, *topic.places)}
    assert set(skill_words.IRREGULAR_VERBS) <= verbs | set(SPARE_VERBS.split())
    assert set(skill_words.IRREGULAR_PLURALS) <= nouns | set(SPARE_NOUNS.split())


def test_verbs_that_look_irregular_are_in_the_table() -> None:
    verbs = {verb for topic in topics() for verb in topic.verbs}
    suspicious = [
        verb
        for verb in verbs - set(skill_words.IRREGULAR_VERBS)
        if verb.startswith(("re", "un", "over", "out"))
        and any(
            verb == prefix + stem
            for prefix in ("re", "un", "over", "out")
            for stem in skill_words.IRREGULAR_VERBS
        )
    ]
    assert suspicious == []
