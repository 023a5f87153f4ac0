"""Forms and sounds of English words: plurals, verb forms, articles and first sounds.

Regular rules plus tables of the words that break them. The tables cover the lexicon of skill mixes
and the commonest irregular words; a word outside them is taken as regular, so it may come out
wrong. Words are single lower-case words in American spelling.
"""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiou")
_SIBILANTS = ("s", "x", "z", "ch", "sh")


def _table(text: str) -> dict[str, tuple[str, ...]]:
    """Read "word:form:form ..." into a table of forms by word."""
    entries = (entry.split(":") for entry in text.split())
    return {word: tuple(forms) for word, *forms in entries}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


IRREGULAR_PLURALS = {
    noun: forms[0]
    for noun, forms in _table("""
    alga:algae antenna:antennae bacterium:bacteria calf:calves candelabrum:candelabra
    child:children foot:feet fungus:fungi goose:geese half:halves hoof:hooves knife:knives
    larva:larvae leaf:leaves life:lives loaf:loaves louse:lice mouse:mice nucleus:nuclei
    oasis:oases ox:oxen passerby:passersby penknife:penknives person:people pupa:pupae quiz:quizzes
    scarf:scarves sheaf:sheaves shelf:shelves stratum:strata thief:thieves tooth:teeth
    wharf:wharves wife:wives wolf:wolves
    """).items()
}
"""Plurals that no rule gives."""

PLURAL_OES = _words(
    "buffalo cargo domino echo embargo hero mango mosquito potato tomato tornado torpedo veto "
    "volcano"
)
"""Nouns in -o whose plural is in -oes; the others take -s."""

HARD_CH = _words("epoch eunuch loch matriarch monarch patriarch stomach triptych")
"""Nouns whose -ch is a k, so that their plural takes -s."""

PLAIN_MAN = _words("caiman human ottoman roman shaman talisman")
"""Nouns in -man that have nothing to do with man."""

IRREGULAR_VERBS = _table("""
    awake:awoke:awoken bear:bore:borne beat:beat:beaten become:became:become
    begin:began:begun bend:bent:bent bet:bet:bet bid:bid:bid bind:bound:bound bite:bit:bitten
    blow:blew:blown break:broke:broken breed:bred:bred bring:brought:brought build:built:built
    burst:burst:burst buy:bought:bought cast:cast:cast catch:caught:caught choose:chose:chosen
    cling:clung:clung come:came:come cost:cost:cost creep:crept:crept cut:cut:cut deal:dealt:dealt
    dig:dug:dug do:did:done draw:drew:drawn drink:drank:drunk drive:drove:driven eat:ate:eaten
    fall:fell:fallen feed:fed:fed feel:felt:felt fight:fought:fought find:found:found
    flee:fled:fled fling:flung:flung fly:flew:flown forget:forgot:forgotten
    forgive:forgave:forgiven freeze:froze:frozen get:got:gotten give:gave:given go:went:gone
    grind:ground:ground grow:grew:grown hang:hung:hung have:had:had hear:heard:heard
    hide:hid:hidden hit:hit:hit hold:held:held hurt:hurt:hurt keep:kept:kept know:knew:known
    lay:laid:laid lead:led:led leap:leapt:leapt leave:left:left lend:lent:lent let:let:let
    light:lit:lit lose:lost:lost make:made:made mean:meant:meant meet:met:met mow:mowed:mown
    pay:paid:paid proofread:proofread:proofread put:put:put quit:quit:quit read:read:read
    rebuild:rebuilt:rebuilt reset:reset:reset rid:rid:rid ride:rode:ridden ring:rang:rung
    rise:rose:risen run:ran:run say:said:said see:saw:seen seek:sought:sought sell:sold:sold
    send:sent:sent set:set:set sew:sewed:sewn shake:shook:shaken shear:sheared:shorn shed:shed:shed
    shoot:shot:shot show:showed:shown shrink:shrank:shrunk shut:shut:shut sing:sang:sung
    sink:sank:sunk sit:sat:sat slay:slew:slain sleep:slept:slept slide:slid:slid sling:slung:slung
    sow:sowed:sown speak:spoke:spoken spend:spent:spent spin:spun:spun split:split:split
    spread:spread:spread stand:stood:stood steal:stole:stolen stick:stuck:stuck
    strike:struck:struck string:strung:strung swear:swore:sworn sweep:swept:swept swim:swam:swum
    swing:swung:swung take:took:taken teach:taught:taught tear:tore:torn tell:told:told
    think:thought:thought throw:threw:thrown thrust:thrust:thrust understand:understood:understood
    unwind:unwound:unwound wake:woke:woken wear:wore:worn weave:wove:woven win:won:won
    wind:wound:wound withdraw:withdrew:withdrawn wring:wrung:wrung write:wrote:written
""")
"""Past and participle of the verbs that are not regular."""

DOUBLING = _words("""
    admit allot commit compel control equip forbid handicap kidnap occur outfit patrol permit prefer
    propel recap refer refit regret submit transfer transmit unclip unclog unpin unplug unwrap unzip
""")
"""Verbs of several syllables that double their last letter."""

KEEP_E = _words("dye singe swinge tinge")
"""Verbs that keep their -e before -ing, beside those in -ee, -oe and -ye."""

_THIRD = {"have": "has"}

_SILENT_H = ("hour", "honest", "honor", "heir")
_YOO = tuple(
    _words("eu ewe ubiq uku unic unif unil union uniq unis unit univ ura uri usa use usu ute uti")
)
"""Beginnings with a vowel letter and the sound of "you"."""
_WUN = _words("one ones oneself oneness once")

_HARD_G = tuple(
    _words("""
    gear gecko geese geisha geld get geyser gibbon giddy gift gild gill giggle gilt gimlet gimmick
    ginkgo gird girl girt give gizzard
    """)
)
"""Beginnings in ge- and gi- that sound like "go"."""
_CH_AS_K = tuple(
    _words(
        "chameleon chaos character chasm chem chitin choir choler choral chord choreo chorus chr"
    )
)
_CH_AS_SH = tuple(
    _words("""
    chaise chalet champagne chandelier chaperon charade charlatan chassis chateau chauffeur chef
    chevron chiffon chignon chivalr chute
    """)
)
_CLUSTERS = (
    ("wh", "w"),
    ("wr", "r"),
    ("kn", "n"),
    ("gn", "n"),
    ("pn", "n"),
    ("mn", "n"),
    ("ps", "s"),
    ("pt", "t"),
    ("ph", "f"),
    ("x", "z"),
    ("q", "k"),
)
"""Beginnings that do not sound like their first letter, beside c, g, ch, sh and th."""
_ODD_ONSETS = (
    ("celloph", "s"),
    ("cello", "ch"),
    ("cellist", "ch"),
    ("sugar", "sh"),
    ("sure", "sh"),
    ("schist", "sh"),
    ("thyme", "t"),
    ("whoo", "w"),
    ("whop", "w"),
    ("who", "h"),
    ("czar", "z"),
    ("tsar", "z"),
)


def _ends_consonant_y(word: str) -> bool:
    """Whether -y follows a consonant; the u of "qu" counts as one (soliloquy)."""
    if len(word) < 2 or not word.endswith("y"):
        return False
    return word[-2] not in _VOWELS or word[-3:-1] == "qu"


def _with_s(word: str) -> str:
    if _ends_consonant_y(word):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(_SIBILANTS) else "s")


@lru_cache(maxsize=8192)
def plural(noun: str) -> str:
    """Return the plural of a countable noun."""
    if noun in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[noun]
    if noun.endswith("man") and noun not in PLAIN_MAN:
        return noun[:-2] + "en"
    if noun in PLURAL_OES:
        return noun + "es"
    if noun in HARD_CH:
        return noun + "s"
    return _with_s(noun)


def _syllables(word: str) -> int:
    """Number of vowel groups; the u of "qu" and a y before a vowel are consonants."""
    letters = word.replace("qu", "kw") + " "
    vowels = [
        letter in _VOWELS or (letter == "y" and letters[at + 1] not in _VOWELS)
        for at, letter in enumerate(letters[:-1])
    ]
    return sum(here and not before for before, here in zip([False, *vowels], vowels, strict=False))


def _doubles(verb: str) -> bool:
    """Whether a verb doubles its last letter: one syllable in consonant, vowel, consonant."""
    if verb in DOUBLING:
        return True
    letters = verb.replace("qu", "kw")
    if len(letters) < 3 or letters[-1] in "aeiouwxyh" or letters[-2] not in _VOWELS:
        return False
    return letters[-3] not in _VOWELS and _syllables(verb) == 1


@lru_cache(maxsize=8192)
def _regular_past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if _ends_consonant_y(verb):
        return verb[:-1] + "ied"
    if verb.endswith("ic"):
        return verb + "ked"
    return verb + (verb[-1] if _doubles(verb) else "") + "ed"


def past(verb: str) -> str:
    """Return the simple past of a verb in its base form."""
    forms = IRREGULAR_VERBS.get(verb)
    return forms[0] if forms else _regular_past(verb)


def participle(verb: str) -> str:
    """Return the past participle of a verb in its base form."""
    forms = IRREGULAR_VERBS.get(verb)
    return forms[1] if forms else _regular_past(verb)


@lru_cache(maxsize=8192)
def third(verb: str) -> str:
    """Return the third person singular of the present of a verb in its base form."""
    if verb in _THIRD:
        return _THIRD[verb]
    if verb.endswith("o"):
        return verb + "es"
    if verb.endswith("z") and _doubles(verb):
        return verb + "zes"
    return _with_s(verb)


@lru_cache(maxsize=8192)
def gerund(verb: str) -> str:
    """Return the -ing form of a verb in its base form."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb not in KEEP_E:
        return verb[:-1] + "ing"
    if verb.endswith("ic"):
        return verb + "king"
    return verb + (verb[-1] if _doubles(verb) else "") + "ing"


def article(word: str) -> str:
    """Return "a" or "an", whichever goes before the word as it sounds."""
    return "a" if onset(word) else "an"


def _onset_of_letter(word: str) -> str:
    """First sound of a word that begins with its own first letter, or with a soft c or g."""
    first, soft = word[0], word[1:2] in ("e", "i", "y")
    if first == "c":
        return "s" if soft else "k"
    if first == "g" and soft and not word.startswith(_HARD_G):
        return "j"
    return first


def _onset_of_pair(word: str) -> str:
    """First sound of a word in ch-, sh-, th- or one of the clusters; "" for other words."""
    if word.startswith("ch"):
        if word.startswith(_CH_AS_K):
            return "k"
        return "sh" if word.startswith(_CH_AS_SH) else "ch"
    if word.startswith(("sh", "th")):
        return word[:2]
    for letters, sound in _CLUSTERS:
        if word.startswith(letters):
            return sound
    return ""


@lru_cache(maxsize=16384)
def onset(word: str) -> str:
    """Return the class of a word's first sound, "" if that is a vowel.

    A class is a letter or one of "ch", "sh" and "th"; words alliterate if they share one. "knot"
    and "net" begin with n, "phone" and "fan" with f, "cedar" and "sand" with s, "queen" and
    "cord" with k, "unit" and "yarn" with y.
    """
    if not word or word.startswith(_SILENT_H):
        return ""
    if word[0] in _VOWELS:
        if word in _WUN:
            return "w"
        return "y" if word.startswith(_YOO) else ""
    for letters, sound in _ODD_ONSETS:
        if word.startswith(letters):
            return sound
    return _onset_of_pair(word) or _onset_of_letter(word)
